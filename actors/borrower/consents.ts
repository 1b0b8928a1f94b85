import { namesOf, textIn } from '../../engine/index.js';
import type { tags } from 'typia';
import { checkAll, refuseProperty } from '../errors.js';
import type { EventDraft, Fact } from '../kernel/fact.js';
import { type AnyId, dateTimeText, type DateTimeText, millisecondsOf, orNull } from '../wire.js';
import { caseOf, type Context, fact, mustMove, onPerson, under } from './decide/common.js';
import { findDocument } from './documents/document.js';
import type { PersonState } from './state.js';

/**
 * What a borrower may allow, each with its default status. Silence is never consent (15 USC 7001(c)(1)(A)).
 */
const DEFAULTS = {
  electronicComms: 'revoked',
  contactPersonWork: 'revoked',
  contactPersonRepByAttorney: 'revoked',
  contactPersonUnusualTime: 'revoked',
  autodialedColl: 'revoked',
  prerecordedColl: 'revoked',
  autodialedMarketing: 'revoked',
  emailMarketing: 'revoked',
  thirdPartyDisclosure: 'revoked',
} as const satisfies Readonly<Record<string, ConsentStatus>>;

export type ConsentName = keyof typeof DEFAULTS;
export type ConsentStatus = 'consented' | 'revoked';
type ConsentSource = 'lender' | 'borrower' | 'agent' | 'migration';
/** How it was said. `eSign`: as 15 USC 7001(c) asks, so that the borrower has shown to be able to read what is sent. */
type ConsentMedium = 'written' | 'oral' | 'eSign';

export const CONSENT_NAMES = namesOf(DEFAULTS);

/** The newest statement about one consent. */
export interface Consent {
  readonly id: string;
  readonly name: ConsentName;
  readonly status: ConsentStatus;
  readonly source: ConsentSource | null;
  /** Milliseconds. */
  readonly obtainedAt: number | null;
  /** The document that proves it. */
  readonly documentId: string | null;
  /** Null: not said. Absent of what was recorded before it was asked. */
  readonly medium?: ConsentMedium | null;
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

/** The recorded status, or the default. */
export const statusOfConsent = (consents: readonly Consent[], name: ConsentName): ConsentStatus =>
  consents.find((consent) => consent.name === name)?.status ?? DEFAULTS[name];

/** The wire of consents. */

interface ConsentBody {
  readonly name: ConsentName;
  /** Absent: unchanged. */
  readonly status?: ConsentStatus;
  /** Absent, as with the next three: unchanged while the status is unchanged, and null with another status. */
  readonly source?: ConsentSource | null;
  readonly obtainedAt?: DateTimeText | null;
  /** The document that proves it. */
  readonly documentId?: AnyId | null;
  /** An oral consent lets nothing go by e-mail or text that a law wants in writing, and none is one to marketing. */
  readonly medium?: ConsentMedium | null;
}

/** Consents that are not in the list are unchanged. */
export type ConsentsBody = readonly ConsentBody[] & tags.MinItems<1> & tags.MaxItems<50>;

export interface ConsentWriteQuery {
  /** For the audit trail. */
  readonly caseId?: AnyId;
}

export interface ConsentView {
  /** Null while nothing is recorded and the default applies. */
  readonly id: string | null;
  readonly object: 'consent';
  readonly personId: string;
  readonly name: ConsentName;
  readonly status: ConsentStatus;
  readonly source: ConsentSource | null;
  readonly obtainedAt: DateTimeText | null;
  readonly documentId: string | null;
  readonly medium: ConsentMedium | null;
  readonly createdAt: DateTimeText | null;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** One row for each name: the recorded consent, else its default. */
export const consentViews = (state: PersonState): readonly ConsentView[] => CONSENT_NAMES.map((name) => consentView(state, name));

function consentView(state: PersonState, name: ConsentName): ConsentView {
  const said = state.consents.find((consent) => consent.name === name);
  return {
    id: said?.id ?? null,
    object: 'consent',
    personId: state.id,
    name,
    status: statusOfConsent(state.consents, name),
    source: said?.source ?? null,
    obtainedAt: orNull(dateTimeText, said?.obtainedAt),
    documentId: said?.documentId ?? null,
    medium: said?.medium ?? null,
    createdAt: orNull(dateTimeText, said?.createdAt),
    updatedAt: orNull(dateTimeText, said?.updatedAt),
    deletedAt: null,
  };
}

/** Updates the consents that the body names; the others are unchanged. */
export const updateConsents = onPerson('consent.update', (context: Context<ConsentsBody>) => {
  const { state } = context;
  mustMove(state, 'update');
  const body = context.body;
  let caseId: string | null = null;
  const said: Said[] = [];
  checkAll([
    () => refuseRepeated(body),
    () => (caseId = caseOf(context, textIn(context.command.query, 'caseId'))),
    ...body.map((each, index) => () => said.push(merged(context, each, index))),
  ]);
  const consents = said.filter((each) => isNews(state, each));
  const facts = consents.length === 0 ? [] : [fact('ConsentsUpdated', { consents })];
  return { facts: under(caseId, facts), reply: (after: PersonState) => ({ data: consentViews(after) }) };
});

type Said = Omit<Consent, 'createdAt' | 'updatedAt'>;

/**
 * Fields that the body does not name are unchanged. Source, time and document belong to one status alone: a STOP message from the borrower
 * does not prove the consent that an agent records later.
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
    medium: said.medium === undefined ? (proof?.medium ?? null) : said.medium,
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
  return (['status', 'source', 'obtainedAt', 'documentId', 'medium'] as const).some(
    (field) => (before[field] ?? null) !== (said[field] ?? null),
  );
}

function refuseRepeated(body: ConsentsBody): void {
  const seen = new Set<ConsentName>();
  for (const [index, { name }] of body.entries()) {
    if (seen.has(name)) refuseProperty(`[${index}].name`, 'each consent once', `The consent ${name} is listed twice.`);
    seen.add(name);
  }
}

export interface ConsentFacts {
  /** The new record of each consent, complete. */
  readonly ConsentsUpdated: { readonly consents: readonly Omit<Consent, 'createdAt' | 'updatedAt'>[] };
}

export function applyConsents(
  state: PersonState,
  { consents }: ConsentFacts['ConsentsUpdated'],
  recorded: Fact,
  emitEvent: (event: () => EventDraft) => void,
): void {
  const changes = consents
    .map(({ name, status }) => ({ name, oldStatus: statusOfConsent(state.consents, name), newStatus: status }))
    .filter(({ oldStatus, newStatus }) => oldStatus !== newStatus);
  const renewed = new Map(state.consents.map((consent) => [consent.name, consent]));
  for (const said of consents) {
    const before = renewed.get(said.name);
    renewed.set(said.name, {
      ...said,
      createdAt: before?.createdAt ?? recorded.businessAt,
      updatedAt: before ? recorded.businessAt : null,
    });
  }
  state.consents = [...renewed.values()];
  if (changes.length === 0) return;
  emitEvent(() => ({
    eventType: 'person.consent.updated',
    objectType: 'person',
    objectId: state.id,
    refs: { personId: state.id, ...(recorded.caseId === null ? {} : { caseId: recorded.caseId }) },
    data: { consents: changes, caseId: recorded.caseId },
  }));
}
