import {
  type AgentOutcome,
  agentOutcomeFault,
  type Channel,
  defaultTransactional,
  type Direction,
  type InteractionStatus,
  type StatusDetail,
  statusDetailFault,
  type WordFault,
} from '../../../engine/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { millisecondsOf, orNull } from '../../wire.js';
import { contentFaults } from './content.js';
import { referencesOf } from './references.js';
import type { CreateInteractionRequest } from './types.js';
import { openJson, type SealedAt, sealJson } from './sealing.js';
import type { ChangeableFields, InteractionFields } from './state.js';
import { momentOf, Told } from './told.js';
import type { Failure } from './view.js';

type Body = Partial<Omit<CreateInteractionRequest, 'channel' | 'direction'>>;

/**
 * The fields of an interaction with a body laid over them: absent keys stay, null clears. Refuses what does not go together,
 * every fault by name.
 */
export function drafted(env: DecideEnv, at: SealedAt, before: InteractionFields, body: Body): ChangeableFields {
  const told = new Told();
  const { channel, direction } = before;
  const subject = told.subject(body.subject, before.subject);
  const status = body.status ?? before.status;
  const outcome = told.outcome(body.statusDetails, body.agentOutcome);
  const failure = failureTold(env, at, before, body, status);
  const fields = {
    subject,
    theme: told.theme(subject, body.theme, before.theme, direction),
    borrowerSelectedTheme: told.selectedTheme(body.borrowerSelectedTheme, before.borrowerSelectedTheme),
    status,
    agentOutcome: outcome.agentOutcome === undefined ? before.agentOutcome : outcome.agentOutcome,
    externalId: body.externalId === undefined ? before.externalId : body.externalId,
    metaData: body.metaData === undefined ? before.metaData : body.metaData,
    ...times(env, at.personId, { before, body, status }),
    isTransactional: body.isTransactional === undefined ? (before.isTransactional ?? defaultTransactional(subject)) : body.isTransactional,
    sensitive: body.sensitive ?? before.sensitive,
    sensitiveBorrowerOnly: body.sensitiveBorrowerOnly ?? before.sensitiveBorrowerOnly,
    mailIsCertified: body.mailIsCertified ?? before.mailIsCertified,
    isAutodialed: body.isAutodialed ?? before.isAutodialed,
  };
  const checked = { ...fields, channel, direction, hasFailure: failure.failure !== null };
  const statusDetails = outcome.statusDetails === undefined ? fittingDetail(before.statusDetails, checked) : outcome.statusDetails;
  const { content } = body;
  refuseFaults([
    ...told.faults,
    ...faultsOf({ ...checked, statusDetails }),
    ...(content == null ? [] : contentFaults(channel, content)),
    ...windowFaults(before.status, status, body),
  ]);
  const named = referencesOf(env, at, body, before);
  const { contactId, contact, loanId, loanIds, caseId, previousInteractionId } = before;
  return {
    contactId,
    contact,
    loanId,
    loanIds,
    caseId,
    previousInteractionId,
    ...named,
    ...fields,
    statusDetails,
    sendAt: before.sendAt,
    complianceGuardRuleId: before.complianceGuardRuleId,
    blockReason: before.blockReason,
    providerErrorCode: before.providerErrorCode,
    ...failure,
    ...(content === undefined ? { content: before.content, hasRecording: before.hasRecording } : contentSealed(env, at, before, content)),
  };
}

export const contentSealed = (
  env: DecideEnv,
  at: SealedAt,
  { channel }: Pick<InteractionFields, 'channel'>,
  content: Body['content'],
): Pick<ChangeableFields, 'content' | 'hasRecording'> => ({
  content: sealJson(env, at, 'content', content ?? null),
  hasRecording: channel === 'voice' && content?.recordingDocumentId !== undefined,
});

type Times = Pick<ChangeableFields, 'startedAt' | 'endedAt' | 'scheduledAtFrom' | 'scheduledAtTo'>;

interface Laid {
  readonly before: InteractionFields;
  readonly body: Body;
  readonly status: InteractionStatus;
}

/** One that is planned begins when it is attempted. */
function times(env: DecideEnv, personId: string | null, { before, body, status }: Laid): Times {
  const optional = (text: string | null | undefined, was: number | null): number | null =>
    text === undefined ? was : orNull(millisecondsOf, text);
  const startedAt = body.startedAt === undefined ? before.startedAt : momentOf(env, personId, body.startedAt);
  const isPlanned = status === 'scheduled' || status === 'canceled';
  return {
    startedAt: startedAt ?? (isPlanned ? null : env.now),
    endedAt: optional(body.endedAt, before.endedAt),
    scheduledAtFrom: optional(body.scheduledAtFrom, before.scheduledAtFrom),
    scheduledAtTo: optional(body.scheduledAtTo, before.scheduledAtTo),
  };
}

/** Why it failed goes with the status; what nobody mentions keeps its seal. */
function failureTold(
  env: DecideEnv,
  at: SealedAt,
  before: InteractionFields,
  { failureDescriptionShort, failureDescriptionLong }: Body,
  status: InteractionStatus,
): Pick<ChangeableFields, 'failure'> {
  const isSilent = failureDescriptionShort === undefined && failureDescriptionLong === undefined;
  if (isSilent) return { failure: status === 'failed' ? before.failure : null };
  const was = status === 'failed' ? openJson<Failure>(env, { ...before, id: at.id }, 'failure') : null;
  const short = failureDescriptionShort === undefined ? (was?.short ?? null) : failureDescriptionShort;
  const long = failureDescriptionLong === undefined ? (was?.long ?? null) : failureDescriptionLong;
  return { failure: short === null && long === null ? null : sealJson(env, at, 'failure', { short, long } satisfies Failure) };
}

/** A window is named while the contact is planned. */
function windowFaults(before: InteractionStatus, status: InteractionStatus, body: Body): readonly Fault[] {
  if (before === 'scheduled' || status === 'scheduled') return [];
  return (['scheduledAtFrom', 'scheduledAtTo'] as const)
    .filter((path) => body[path] != null)
    .map((path): Fault => ({ path, expected: 'only of a scheduled interaction', message: `not with the status ${status}` }));
}

export function refuseFaults(errors: readonly Fault[]): void {
  if (errors.length > 0) refuse('validationError', errors.map(({ message }) => message).join(' '), { errors });
}

/** What of an interaction has to go together. */
interface Checked {
  readonly channel: Channel;
  readonly direction: Direction;
  readonly status: InteractionStatus;
  readonly statusDetails: StatusDetail | null;
  readonly agentOutcome: AgentOutcome | null;
  readonly mailIsCertified: boolean;
  readonly isAutodialed: boolean;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly scheduledAtFrom: number | null;
  readonly scheduledAtTo: number | null;
  readonly hasFailure: boolean;
}

type Rule = (checked: Checked) => WordFault | null;

const fault = (path: string, expected: string, message: string): WordFault => ({ path, expected, message });

/** The channels on which something goes on for a while. */
const LASTING: ReadonlySet<Channel> = new Set<Channel>(['voice', 'chat']);

/** The rules of one interaction's fields among themselves. */
const RULES: readonly Rule[] = [
  ({ statusDetails, ...of }) => (statusDetails === null ? null : statusDetailFault({ ...of, statusDetails })),
  ({ agentOutcome, channel, direction }) => (agentOutcome === null ? null : agentOutcomeFault(agentOutcome, channel, direction)),
  ({ status, channel }) =>
    status === 'inProgress' && !LASTING.has(channel)
      ? fault('status', 'inProgress of voice and chat alone', `A ${channel} interaction is never in progress.`)
      : null,
  ({ mailIsCertified, channel }) =>
    mailIsCertified && channel !== 'mail' ? fault('mailIsCertified', 'true of mail alone', 'Only mail is certified.') : null,
  ({ isAutodialed, channel }) =>
    isAutodialed && channel !== 'voice' ? fault('isAutodialed', 'true of voice alone', 'Only calls are dialed.') : null,
  ({ hasFailure, status }) =>
    hasFailure && status !== 'failed' ? fault('failureDescriptionShort', 'only with the status failed', 'It has not failed.') : null,
  ({ startedAt, endedAt }) =>
    endedAt !== null && startedAt !== null && endedAt < startedAt
      ? fault('endedAt', 'not before startedAt', 'It ends before it began.')
      : null,
  ({ scheduledAtFrom, status }) =>
    status === 'scheduled' && scheduledAtFrom === null
      ? fault('scheduledAtFrom', 'the moment from which it is planned', 'A scheduled interaction needs its window.')
      : null,
  ({ scheduledAtFrom, scheduledAtTo }) =>
    scheduledAtTo !== null && (scheduledAtFrom === null || scheduledAtTo < scheduledAtFrom)
      ? fault('scheduledAtTo', 'not before scheduledAtFrom', 'The window ends before it begins.')
      : null,
];

const faultsOf = (checked: Checked): readonly Fault[] => RULES.map((rule) => rule(checked)).filter((found) => found !== null);

/** A detail of another status no longer fits when the status changes alone. */
const fittingDetail = (statusDetails: StatusDetail | null, of: Omit<Checked, 'statusDetails'>): StatusDetail | null =>
  statusDetails !== null && statusDetailFault({ ...of, statusDetails }) === null ? statusDetails : null;
