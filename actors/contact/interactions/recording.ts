import {
  assert,
  type FeedbackSignal,
  type InteractionStatus,
  mayMove,
  outranks,
  resolveTheme,
  signalRow,
  statusDetailFault,
  type Channel,
  type InteractionTheme,
  type StatusDetail,
  type Subject,
} from '../../../engine/index.js';
import { type Contact, personOf } from '../../borrower/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { contentSealed } from './draft.js';
import { fact } from './evolve.js';
import { CONTACT_EFFECTS } from './on-contact.js';
import { contactSnapshot } from './references.js';
import type { InteractionContent } from './types.js';
import { sealJson } from './sealing.js';
import { type ChangeableFields, type InteractionFields, type InteractionState, NOTHING_SAID } from './state.js';
import type { Failure } from './view.js';

/*
 * What the service records of what it sends itself. The interaction lies beside its borrower, so that the record is one batch with whatever
 * else the sending does there.
 */

/** A message of the service. Ids are those of the service, already looked up and found to be the borrower's. */
export interface SentMessage {
  readonly personId: string;
  readonly channel: Channel;
  readonly subject: Subject;
  readonly theme: InteractionTheme;
  readonly status: 'attempted' | 'scheduled' | 'failed';
  readonly statusDetails?: StatusDetail | null;
  readonly isTransactional: boolean;
  /** With its snapshot; null where none was usable. */
  readonly contact?: Contact | null;
  readonly loanId?: string | null;
  readonly loanIds?: readonly string[];
  readonly caseId?: string | null;
  readonly content?: InteractionContent | null;
  readonly templateVersionId?: string | null;
  /** Milliseconds: the moment of sending of a scheduled one. */
  readonly sendAt?: number | null;
  readonly previousInteractionId?: string | null;
  readonly externalId?: string | null;
  readonly metaData?: Readonly<Record<string, unknown>> | null;
  readonly mailIsCertified?: boolean;
  readonly sensitive?: boolean;
  readonly sensitiveBorrowerOnly?: boolean;
  readonly complianceGuardRuleId?: string | null;
  /** Why it was stopped. */
  readonly blockReason?: string | null;
  readonly failure?: Failure | null;
  readonly providerErrorCode?: string | null;
  readonly supercaseBulkOperationId?: string | null;
}

/** The fact of an interaction that is being made; `communication.send` and `interaction.blocked` follow from it. */
export function sendRecorded(env: DecideEnv, id: string, message: SentMessage): FactDraft {
  const { personId, contact = null, content = null, failure = null, loanId = null, loanIds = [], ...said } = message;
  const at = { id, personId };
  const fields: InteractionFields = {
    ...NOTHING_SAID,
    direction: 'outbound',
    isExternal: false,
    templateVersionId: null,
    supercaseBulkOperationId: null,
    startedAt: message.status === 'scheduled' ? null : env.now,
    ...said,
    personId,
    loanId,
    loanIds: [...new Set([...(loanId === null ? [] : [loanId]), ...loanIds])],
    contactId: contact?.id ?? null,
    contact: contact && contactSnapshot(env, at, personOf(env, personId), contact),
    failure: sealJson(env, at, 'failure', failure),
    ...contentSealed(env, at, message, content),
  };
  assertWhole(fields);
  return fact('InteractionRecorded', fields);
}

/** What becomes of a message of the service on its way. */
export interface SendMoved {
  readonly status: InteractionStatus;
  readonly statusDetails: StatusDetail | null;
  readonly content?: InteractionContent | null;
  readonly contact?: Contact | null;
  readonly complianceGuardRuleId?: string | null;
  readonly blockReason?: string | null;
  readonly failure?: Failure | null;
  readonly providerErrorCode?: string | null;
}

/** A scheduled message at its moment of sending, or one whose sending came to nothing. `target` is the interaction itself. */
export function sendMoved(env: DecideEnv, state: InteractionState, { content, contact, failure, ...moved }: SendMoved): FactDraft {
  assert(mayMove(state.status, moved.status, 'service'), `a ${state.status} message becomes no ${moved.status} one`);
  const { id, personId } = state;
  const at = { id, personId };
  const changes: Partial<ChangeableFields> = {
    ...moved,
    startedAt: state.startedAt ?? env.now,
    ...(failure === undefined ? {} : { failure: sealJson(env, at, 'failure', failure) }),
    ...(content === undefined ? {} : contentSealed(env, at, state, content)),
    ...(contact == null || personId === null
      ? {}
      : { contactId: contact.id, contact: contactSnapshot(env, at, personOf(env, personId), contact) }),
  };
  assertWhole({ ...state, ...changes });
  return { ...fact('InteractionChanged', { changes }), target: { kind: 'interaction', id } };
}

export interface Feedback {
  readonly signal: FeedbackSignal;
  readonly providerErrorCode?: string | null;
  readonly failure?: Failure | null;
}

/**
 * What a provider tells of a message: it never moves backwards, but for a mail that was deferred and went out
 * after all. Nothing follows from what is not news.
 */
export function feedbackTold(
  env: DecideEnv,
  state: InteractionState,
  { signal, providerErrorCode, failure }: Feedback,
): readonly FactDraft[] {
  const { status, statusDetails, effects } = signalRow(signal);
  const isNews =
    status === state.status
      ? outranks(statusDetails, state.statusDetails)
      : mayMove(state.status, status, 'feedback') && (state.status !== 'failed' || state.statusDetails === 'emailBlocked');
  const fits = statusDetails === null || statusDetailFault({ ...state, status, statusDetails }) === null;
  if (!isNews || !fits) return [];
  const { id, personId } = state;
  const changes: Partial<ChangeableFields> = {
    status,
    statusDetails,
    ...(providerErrorCode === undefined ? {} : { providerErrorCode }),
    failure: sealJson(env, { id, personId }, 'failure', status === 'failed' ? (failure ?? null) : null),
  };
  return [
    { ...fact('InteractionChanged', { changes }), target: { kind: 'interaction', id } },
    ...(state.theme === 'agentNotification' ? [] : effects).flatMap((effect) => CONTACT_EFFECTS[effect](env, state)),
  ];
}

/** What the service records keeps the rules that it asks of others. */
function assertWhole(fields: InteractionFields): void {
  const { subject, theme, direction, status, statusDetails, complianceGuardRuleId } = fields;
  const resolved = resolveTheme({ subject, theme, direction });
  assert('theme' in resolved, `a message of the subject ${subject} has the theme ${theme}`);
  if (statusDetails !== null)
    assert(statusDetailFault({ ...fields, statusDetails }) === null, `${statusDetails} does not go with ${status}`);
  assert(complianceGuardRuleId === null || statusDetails === 'blockedByComplianceGuard', 'a rule is named of what it has blocked');
  assert((status === 'scheduled') === (fields.startedAt === null), 'what is under way has begun');
}
