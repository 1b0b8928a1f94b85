import { documentView, findDocument, type PersonDocument, personOf, type PersonState } from '../../borrower/index.js';
import { refuse } from '../../errors.js';
import type { DecideEnv, Decision, EvolveEnv } from '../../kernel/actor.js';
import { resolveId } from '../../kernel/ids.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { LoanState } from '../../loan/index.js';
import { type Context, decided, fact, onCase } from './context.js';
import type { CaseState } from './state.js';

/** `POST .../documents/{documentId}`: attaches a document of the borrower to the case. */
export const attachDocument = onCase('caseDocument.create', 'work', (context) => {
  const { person, document } = named(context);
  const isThere = isAttached(context.state, document) || document.caseId === context.state.id;
  return shown(context, person, document, isThere ? [] : [fact('DocumentAttached', { documentId: document.id })]);
});

/** `DELETE .../documents/{documentId}`. */
export const detachDocument = onCase('caseDocument.delete', 'work', (context) => {
  const { person, document } = named(context);
  const { state } = context;
  if (document.caseId === state.id)
    refuse('invalidState', `The document ${document.id} was created for this case. Change its \`caseId\` instead.`);
  if (!isAttached(state, document)) refuse('notFound', `The case has no document ${document.id}.`);
  return shown(context, person, document, [fact('DocumentDetached', { documentId: document.id })]);
});

export const isAttached = ({ documents }: CaseState, { id }: PersonDocument): boolean =>
  documents.some(({ documentId }) => documentId === id);

interface Named {
  readonly person: PersonState;
  readonly document: PersonDocument;
}

function named({ state, command, env }: Context): Named {
  const person = personOf(env, state.personId);
  const anyId = command.params['documentId'] ?? '';
  return { person, document: findDocument(person, anyId) ?? refuse('notFound', `There is no document ${anyId}.`) };
}

const shown = ({ env }: Context, person: PersonState, document: PersonDocument, facts: readonly FactDraft[]): Decision<CaseState> =>
  decided(person.id, facts, () => documentView(person, document, env));

/** The fields of a case that determine its effects on loans. */
export interface CaseOfLoans extends Pick<CaseState, 'id' | 'personId' | 'caseType' | 'status' | 'outcome' | 'fields'> {
  /** Loans of the case; empty: all loans of the borrower. */
  readonly loanIds: readonly string[];
}

export const caseOfLoans = (state: CaseState): CaseOfLoans => ({ ...state, loanIds: state.associations.map(({ objectId }) => objectId) });

/** Loans of which the borrower is the main borrower: they are on the shard of the case. */
export function loansOf(env: DecideEnv, personId: string): readonly LoanState[] {
  const { rows } = env.list('loan', { parentId: personId, matches: (row) => row.parentId === personId, limit: Number.MAX_SAFE_INTEGER });
  return rows.flatMap(({ id }) => env.read<LoanState>('loan', id) ?? []);
}

type NamingEnv = EvolveEnv & Pick<DecideEnv, 'tenant'>;

/** Whether the case is about a loan of its borrower. */
export function isAboutLoan(env: NamingEnv, known: CaseOfLoans, loanId: string): boolean {
  const loanIds = loansMeant(env, known);
  return loanIds.length === 0 || loanIds.includes(loanId);
}

/** The loans that a petition names take precedence over those of the case. An unknown id may mean any loan. */
function loansMeant(env: NamingEnv, { fields, loanIds }: CaseOfLoans): readonly string[] {
  const included = fields['loansIncluded'];
  if (!Array.isArray(included) || included.length === 0) return loanIds;
  const found = included.map((anyId) => resolveId(env, env.tenant, 'loan', String(anyId)));
  return found.every((id) => id !== undefined) ? found : [];
}
