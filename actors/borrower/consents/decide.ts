import { refuseProperty } from '../../errors.js';
import { millisecondsOf, orNull } from '../../wire.js';
import { caseOf, type Context, fact, mustMove, onPerson, under } from '../decide/common.js';
import { findDocument } from '../documents/document.js';
import type { PersonState } from '../state.js';
import { type Consent, type ConsentName, statusOfConsent } from './consent.js';
import { consentViews } from './queries.js';
import type { ConsentsBody, ConsentWriteQuery } from './wire.js';

/** Says something about some consents; the others stay. */
export const updateConsents = onPerson('consent.update', (context) => {
  const { state } = context;
  mustMove(state, 'update');
  const body = context.body as ConsentsBody;
  refuseRepeated(body);
  const caseId = caseOf(context, (context.command.query as ConsentWriteQuery | undefined)?.caseId);
  const consents = body.map((said, index) => merged(context, said, index)).filter((said) => isNews(state, said));
  const facts = consents.length === 0 ? [] : [fact('ConsentsUpdated', { consents })];
  return { facts: under(caseId, facts), reply: (after: PersonState) => ({ data: consentViews(after) }) };
});

type Said = Omit<Consent, 'createdAt' | 'updatedAt'>;

/**
 * What is not named stays. Who said a status, when, and the document that proves it belong to that status alone: a stop that the borrower
 * sent does not prove the consent that an agent records later.
 */
function merged(context: Context, { name, documentId, ...said }: ConsentsBody[number], index: number): Said {
  const { state, env } = context;
  const before = state.consents.find((consent) => consent.name === name);
  const status = said.status ?? statusOfConsent(state.consents, name);
  const proof = before?.status === status ? before : undefined;
  return {
    id: before?.id ?? env.newId('CN'),
    name,
    status,
    source: said.source === undefined ? (proof?.source ?? null) : said.source,
    obtainedAt: said.obtainedAt === undefined ? (proof?.obtainedAt ?? null) : orNull(millisecondsOf, said.obtainedAt),
    documentId: documentId === undefined ? (proof?.documentId ?? null) : proofOf(context, documentId, index),
  };
}

function proofOf({ state }: Context, documentId: string | null, index: number): string | null {
  if (documentId === null) return null;
  const known = findDocument(state, documentId);
  return known
    ? known.id
    : refuseProperty(`[${index}].documentId`, 'a document of the borrower', `The borrower has no document ${documentId}.`);
}

function isNews({ consents }: PersonState, said: Said): boolean {
  const before = consents.find(({ name }) => name === said.name);
  if (!before) return true;
  return (['status', 'source', 'obtainedAt', 'documentId'] as const).some((field) => before[field] !== said[field]);
}

function refuseRepeated(body: ConsentsBody): void {
  const seen = new Set<ConsentName>();
  for (const [index, { name }] of body.entries()) {
    if (seen.has(name)) refuseProperty(`[${index}].name`, 'each name once', `The consent ${name} is named twice.`);
    seen.add(name);
  }
}
