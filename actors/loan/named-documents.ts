import { findDocument, type PersonState } from '../borrower/index.js';
import { type Fault, refuse } from '../errors.js';
import type { CommandContext, Decision } from '../kernel/actor.js';
import { livePlan } from './autopay/plan.js';
import { recordOf } from './context.js';
import type { LoanState } from './state.js';
import { findTransaction } from './transactions/check.js';

/*
 * Commands name a document of a person on the loan by any id: the signed authorization, or what supports an entry. They are decided with
 * its service id.
 */

const FIELDS = ['agreementDocumentId', 'evidenceDocumentId', 'consentDocumentId'] as const;

type Named = { readonly [Field in (typeof FIELDS)[number]]?: string | null };

/** Any command on a loan: some name a document. */
type AnyCommand = CommandContext<LoanState, Named | undefined>;

/** Decides a command with the service ids of the documents that its body names; 400 unless they are documents of a person on the loan. */
export function withDocuments(context: AnyCommand, decide: (context: AnyCommand) => Decision<LoanState>): Decision<LoanState> {
  const { body } = context;
  const named = FIELDS.flatMap((field) => (body?.[field] == null ? [] : [{ field, anyId: body[field] }]));
  if (named.length === 0) return decide(context);
  const found: { -readonly [Field in keyof Named]: string } = {};
  const errors: Fault[] = [];
  for (const { field, anyId } of named) {
    const id = documentOn(context, anyId) ?? (isStored(context, field, anyId) ? anyId : undefined);
    if (id === undefined)
      errors.push({ path: field, expected: 'a document of a borrower of the loan', message: `there is no document ${anyId}` });
    else found[field] = id;
  }
  if (errors.length > 0) refuse('validationError', 'The documents must be documents of a borrower of the loan: see `errors`.', { errors });
  return decide({ ...context, body: { ...body, ...found } });
}

function documentOn({ state, env }: AnyCommand, anyId: string): string | undefined {
  const { personId, additionalPeople } = recordOf(state);
  for (const id of [personId, ...additionalPeople.map((person) => person.personId)]) {
    const person = env.read<PersonState>('person', id);
    const document = person && findDocument(person, anyId);
    if (document !== undefined) return document.id;
  }
  return undefined;
}

/** What an earlier release has stored as it was sent may be sent again. */
function isStored({ state, command }: AnyCommand, field: keyof Named, anyId: string): boolean {
  const { transactionId } = command.params;
  if (field === 'agreementDocumentId') return livePlan(state)?.agreementDocumentId === anyId;
  return transactionId !== undefined && findTransaction(state, transactionId)?.[field] === anyId;
}
