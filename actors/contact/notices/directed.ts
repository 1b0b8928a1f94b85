import type { ContactOrigin, Day } from '../../../engine/index.js';
import { companyOf, isWritten } from '../../company/index.js';
import type { ActorDefinition, DecideEnv } from '../../kernel/actor.js';
import { applyFact, type FactTable } from '../../kernel/fact-table.js';
import type { FactDraft, Tenant } from '../../kernel/fact.js';
import { type LoanState, recordOf, todayOf } from '../../loan/index.js';
import type { ReminderOfDay } from '../interactions/index.js';
import { isSilent, type Notice } from './plan.js';

/*
 * A notice for another borrower than the one whose fact brings it: a co-borrower of the loan, or all who have the same contact. That
 * borrower may be on another shard, so the notice is recorded beside the fact, and brought to the borrower's shard by `NoticeDirector`.
 *
 *   waiting ─► planned with its borrower, or dropped
 */

/** The borrower whose fact brings it, whose key seals what it says. */
export interface DirectedFields {
  readonly ownerId: string;
  /** Null: it goes to all others who have the owner's contact `contactId` as their own. */
  readonly personId: string | null;
  readonly contactId: string | null;
  readonly loanId: string | null;
  readonly origin: Exclude<ContactOrigin, 'request'>;
  readonly reminder: ReminderOfDay | null;
  /** Milliseconds of the company's clock. */
  readonly sendAt: number;
  /** `DirectedText` as JSON. */
  readonly text: Uint8Array;
}

/** Notices of earlier releases name no channels. */
export type DirectedText = Pick<Notice, 'subject' | 'context' | 'loanId' | 'caseId' | 'statementId' | 'channels'>;

export interface DirectedNoticeState {
  readonly id: string;
  readonly tenant: Tenant;
  /** Null before it is recorded, and once it is over. */
  fields: DirectedFields | null;
  createdStamp: number;
  updatedAt: number | null;
  updatedStamp: number;
}

interface DirectedFacts {
  readonly NoticeDirected: DirectedFields;
  /** It is planned with its borrowers, or nobody is to get it any more. */
  readonly DirectedNoticeEnded: Readonly<Record<string, never>>;
}

const APPLY: FactTable<DirectedNoticeState, DirectedFacts> = {
  NoticeDirected(state, fields, fact) {
    state.fields = fields;
    state.createdStamp = fact.stamp;
  },
  DirectedNoticeEnded(state) {
    state.fields = null;
  },
};

export const DIRECTED_NOTICE = 'directedNotice';
const PREFIX = 'ND';

/** What binds the sealed text to its notice. */
export const sealedAs = (id: string): string => `${DIRECTED_NOTICE}/${id}`;

/** The fact of a notice for another borrower, to be recorded beside the fact that brings it. */
function directed(
  env: DecideEnv,
  notice: Notice,
  { ownerId, personId, contactId = null, origin = 'automatic' }: Pick<DirectedFields, 'ownerId' | 'personId'> & Partial<DirectedFields>,
): FactDraft {
  const id = env.newId(PREFIX);
  const { subject, context, loanId, caseId, statementId = null, channels, sendAt = env.now, reminder = null } = notice;
  const text: DirectedText = { subject, context, loanId, caseId, statementId, ...(channels === undefined ? {} : { channels }) };
  const body: DirectedFacts['NoticeDirected'] = {
    ownerId,
    personId,
    contactId,
    loanId,
    origin,
    reminder,
    sendAt: Math.max(sendAt, env.now),
    text: env.seal(ownerId, JSON.stringify(text), sealedAs(id)),
  };
  return { type: 'NoticeDirected', body, target: { kind: DIRECTED_NOTICE, id } };
}

/** Subjects about the account, card or login of the main borrower. */
const OF_MAIN_BORROWER: ReadonlySet<string> = new Set(['autopayEnableReminder', 'cardExpiresReminder', 'loginFirstPaymentReminder']);

/** Variables about the main borrower's own accounts and circumstances: nobody else gets them. */
const NOT_FOR_OTHERS = ['cancelReason', 'cardLastFour', 'failureReason', 'paymentMethodLastFour'] as const;

/** A notice of a loan for the people on it who get notices today (`receivesNotices`). The documents of the main borrower stay there. */
export function directedToPeople(
  env: DecideEnv,
  state: LoanState,
  notice: Notice,
  origin: DirectedFields['origin'] = 'automatic',
): readonly FactDraft[] {
  const { additionalPeople } = recordOf(state);
  if (additionalPeople.length === 0 || OF_MAIN_BORROWER.has(notice.subject)) return [];
  const today = todayOf(env, state);
  const people = additionalPeople.filter((person) => person.receivesNotices && isOn(person, today)).map(({ personId }) => personId);
  return directedTo(env, state, people, notice, origin);
}

/** A notice of a loan for people on it, whether they get its other notices or not. */
export function directedTo(
  env: DecideEnv,
  state: LoanState,
  people: readonly string[],
  notice: Notice,
  origin: DirectedFields['origin'] = 'automatic',
): readonly FactDraft[] {
  const { personId: ownerId, loanTypeId } = recordOf(state);
  if (people.length === 0 || isSilent(state, notice.subject) || !isWritten(companyOf(env, env.tenant), notice.subject, loanTypeId))
    return [];
  const context = Object.fromEntries(Object.entries(notice.context).filter(([name]) => !NOT_FOR_OTHERS.some((hidden) => hidden === name)));
  return people.map((personId) => directed(env, { ...notice, context }, { ownerId, personId, origin }));
}

/** Whether a person is on the loan on a day. */
export const isOn = ({ startDay, endDay }: { readonly startDay: Day; readonly endDay: Day | null }, day: Day): boolean =>
  startDay <= day && (endDay === null || endDay >= day);

/** A notice for all others who have a borrower's contact as their own. */
export const directedToHolders = (env: DecideEnv, ownerId: string, contactId: string, notice: Notice): readonly FactDraft[] =>
  isWritten(companyOf(env, env.tenant), notice.subject, null) ? [directed(env, notice, { ownerId, personId: null, contactId })] : [];

/** Notices for others, each on the shard of the fact that brings it. */
export const directedNoticeDefinition: ActorDefinition<DirectedNoticeState> = {
  kind: DIRECTED_NOTICE,
  prefix: PREFIX,
  initial: (id, tenant) => ({ id, tenant, fields: null, createdStamp: 0, updatedAt: null, updatedStamp: 0 }),
  evolve(state, fact) {
    applyFact(APPLY, state, fact);
  },
  clone: (state) => ({ ...state }),
  row: ({ id, fields, createdStamp, updatedStamp }) =>
    fields === null
      ? null
      : { id, externalId: null, createdStamp, updatedStamp, parentId: fields.ownerId, fields: { sendAt: fields.sendAt } },
  pack: (state) => state,
  unpack(packed: DirectedNoticeState) {
    return packed;
  },
};
