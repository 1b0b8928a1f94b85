import {
  type AgentOutcome,
  agentOutcomeFault,
  type Channel,
  defaultTransactional,
  meaningOfDetail,
  type Direction,
  implicitTheme,
  type InteractionStatus,
  type InteractionTheme,
  resolveTheme,
  startOfDay,
  type StatusDetail,
  statusDetailFault,
  type StatusDetailValue,
  type Subject,
  subjectNamed,
  themeFault,
  type ValueFault,
  namesOf,
} from '../../../engine/index.js';
import { type PersonState, zoneOfPerson } from '../../borrower/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { dayOfText, millisecondsOf, orNull } from '../../wire.js';
import { withDocumentIds } from './content-documents.js';
import { referencesOf } from './references.js';
import { openJson, type SealedAt, sealJson } from './sealing.js';
import type { ChangeableFields, InteractionFields } from './state.js';
import type { CreateInteractionRequest, InteractionContent } from './types.js';
import type { Failure } from './view.js';

type Field = keyof InteractionContent;

const RENDERED: readonly Field[] = ['title', 'contentHtml', 'documentId'];

/** The fields of a content by channel. All are optional. */
const CONTENT_FIELDS: Readonly<Record<Channel, readonly Field[]>> = {
  email: ['from', 'to', 'cc', 'subjectLine', 'contentHtml', 'contentText', 'attachments'],
  text: ['from', 'to', 'contentText', 'mediaUrls', 'segments'],
  voice: ['from', 'to', 'recordingDocumentId', 'transcript', 'durationSeconds', 'voicemail'],
  chat: ['sessionId', 'messages'],
  mail: ['address', 'subjectLine', 'contentHtml', 'documentId', 'trackingNumber', 'pages'],
  gui: RENDERED,
  document: RENDERED,
  fax: [],
};

/** The channel that allows several recipients. */
const TO_MANY: Channel = 'email';

function contentFaults(channel: Channel, content: InteractionContent): readonly Fault[] {
  const fields = CONTENT_FIELDS[channel];
  const foreign = namesOf(content).filter((field) => content[field] !== undefined && !fields.includes(field));
  const faults = foreign.map(
    (field): Fault => ({
      path: `content.${field}`,
      expected: `one of ${fields.join(', ')}`,
      message: `${field} is not a field of the channel ${channel}`,
    }),
  );
  const { to } = content;
  if (to === undefined || foreign.includes('to') || Array.isArray(to) === (channel === TO_MANY)) return faults;
  return [
    ...faults,
    {
      path: 'content.to',
      expected: channel === TO_MANY ? 'a list of addresses' : 'one number',
      message: `does not match the channel ${channel}`,
    },
  ];
}

/** All texts of a content as one, for a search. */
export function textOf({ subjectLine, title, contentText, contentHtml, transcript, messages = [] }: InteractionContent): string {
  const texts = [subjectLine, title, contentText, contentHtml && withoutTags(contentHtml), transcript, ...messages.map(({ text }) => text)];
  return texts.filter((text) => text !== undefined && text !== '').join('\n');
}

/** Replaces each tag by a space, in one pass: a hostile text may consist of a million opening brackets. */
function withoutTags(html: string): string {
  const between: string[] = [];
  let at = 0;
  for (;;) {
    const opening = html.indexOf('<', at);
    const closing = opening < 0 ? -1 : html.indexOf('>', opening);
    if (closing < 0) break;
    between.push(html.slice(at, opening));
    at = closing + 1;
  }
  return [...between, html.slice(at)].join(' ');
}

/** Reads the values of a body that belong to the vocabulary, and collects their faults. */
class VocabularyReader {
  readonly faults: Fault[] = [];

  subject(value: string | null | undefined, before: Subject | null): Subject | null {
    if (value === undefined) return before;
    if (value === null) return null;
    const named = subjectNamed(value);
    if ('subject' in named) return named.subject;
    this.faults.push(named.fault);
    return before;
  }

  /** The theme that a subject implies replaces a former theme. */
  theme(
    subject: Subject | null,
    theme: InteractionTheme | null | undefined,
    before: InteractionTheme | null,
    direction: Direction,
  ): InteractionTheme | null {
    const kept = subject !== null && implicitTheme(subject) !== null ? null : before;
    if (theme === undefined && kept !== null) return kept;
    const resolved = resolveTheme({ subject, theme: theme ?? null, direction });
    if ('theme' in resolved) return resolved.theme;
    this.faults.push(resolved.fault);
    return before;
  }

  selectedTheme(theme: InteractionTheme | null | undefined, before: InteractionTheme | null): InteractionTheme | null {
    const fault = theme == null ? null : themeFault('borrowerSelectedTheme', theme, 'outbound');
    if (fault !== null) this.faults.push(fault);
    return theme === undefined ? before : theme;
  }

  /** Translates status details of older interfaces that are outcomes today. Another outcome in the same body is a fault. */
  outcome(
    value: StatusDetailValue | null | undefined,
    outcome: AgentOutcome | null | undefined,
  ): { readonly statusDetails?: StatusDetail | null; readonly agentOutcome?: AgentOutcome | null } {
    const detail = value == null ? null : meaningOfDetail(value);
    const moved = detail?.agentOutcome ?? null;
    if (moved !== null && outcome != null && outcome !== moved)
      this.faults.push({ path: 'statusDetails', expected: outcome, message: `${moved} does not match agentOutcome` });
    return {
      ...(value === undefined ? {} : { statusDetails: detail && detail.statusDetails }),
      ...(outcome === undefined && moved === null ? {} : { agentOutcome: outcome ?? moved }),
    };
  }
}

/**
 * A moment; for a date, the first instant of that day in the borrower's time zone, since limits count days of that zone. Without a
 * home the company's zone is used.
 */
function momentOf(env: DecideEnv, personId: string | null, text: string): number {
  if (text.includes('T')) return millisecondsOf(text);
  const person = personId === null ? undefined : env.read<PersonState>('person', personId);
  return startOfDay((person && zoneOfPerson(env, person)) ?? zoneOf(companyOf(env, env.tenant)), dayOfText(text));
}

type Body = Partial<Omit<CreateInteractionRequest, 'channel' | 'direction'>>;

/**
 * The fields of an interaction with a body applied: absent fields are unchanged, null clears. Refuses fields that contradict each
 * other, and lists every fault.
 */
export function drafted(env: DecideEnv, at: SealedAt, before: InteractionFields, body: Body): ChangeableFields {
  const reader = new VocabularyReader();
  const { channel, direction } = before;
  const subject = reader.subject(body.subject, before.subject);
  const status = body.status ?? before.status;
  const outcome = reader.outcome(body.statusDetails, body.agentOutcome);
  const failure = sealedFailure(env, at, before, body, status);
  const fields = {
    subject,
    theme: reader.theme(subject, body.theme, before.theme, direction),
    borrowerSelectedTheme: reader.selectedTheme(body.borrowerSelectedTheme, before.borrowerSelectedTheme),
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
  const named = body.content == null ? null : withDocumentIds(env, at, before, body.content);
  refuseFaults([
    ...reader.faults,
    ...faultsOf({ ...checked, statusDetails }),
    ...(named === null ? [] : [...contentFaults(channel, named.content), ...named.faults]),
    ...windowFaults(before.status, status, body),
  ]);
  const references = referencesOf(env, at, body, before);
  const { contactId, contact, loanId, loanIds, caseId, previousInteractionId } = before;
  return {
    contactId,
    contact,
    loanId,
    loanIds,
    caseId,
    previousInteractionId,
    ...references,
    ...fields,
    statusDetails,
    sendAt: before.sendAt,
    plan: before.plan,
    complianceGuardRuleId: before.complianceGuardRuleId,
    blockReason: before.blockReason,
    providerErrorCode: before.providerErrorCode,
    ...failure,
    ...(body.content === undefined
      ? { content: before.content, hasRecording: before.hasRecording }
      : contentSealed(env, at, before, named?.content ?? null)),
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

/** A planned interaction starts when it is attempted. */
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

/** Only a failed interaction has a failure. A failure that the body does not mention keeps its seal. */
function sealedFailure(
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

/** A window can be set only while the contact is planned. */
function windowFaults(before: InteractionStatus, status: InteractionStatus, body: Body): readonly Fault[] {
  if (before === 'scheduled' || status === 'scheduled') return [];
  return (['scheduledAtFrom', 'scheduledAtTo'] as const)
    .filter((path) => body[path] != null)
    .map(
      (path): Fault => ({
        path,
        expected: 'nothing: only a scheduled interaction has it',
        message: `cannot be set with the status ${status}`,
      }),
    );
}

export function refuseFaults(errors: readonly Fault[]): void {
  if (errors.length > 0) refuse('validationError', errors.map(({ message }) => message).join(' '), { errors });
}

/** Fields that depend on each other. */
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

type Rule = (checked: Checked) => ValueFault | null;

const fault = (path: string, expected: string, message: string): ValueFault => ({ path, expected, message });

/** The channels on which a contact can be in progress. */
const LASTING: ReadonlySet<Channel> = new Set<Channel>(['voice', 'chat']);

/** Rules between the fields of an interaction. */
const RULES: readonly Rule[] = [
  ({ statusDetails, ...of }) => (statusDetails === null ? null : statusDetailFault({ ...of, statusDetails })),
  ({ agentOutcome, channel, direction }) => (agentOutcome === null ? null : agentOutcomeFault(agentOutcome, channel, direction)),
  ({ status, channel }) =>
    status === 'inProgress' && !LASTING.has(channel)
      ? fault('status', 'inProgress only for voice and chat', `A ${channel} interaction cannot be in progress.`)
      : null,
  ({ mailIsCertified, channel }) =>
    mailIsCertified && channel !== 'mail' ? fault('mailIsCertified', 'true only for mail', 'Only mail can be certified.') : null,
  ({ isAutodialed, channel }) =>
    isAutodialed && channel !== 'voice' ? fault('isAutodialed', 'true only for voice', 'Only calls can be autodialed.') : null,
  ({ hasFailure, status }) =>
    hasFailure && status !== 'failed'
      ? fault('failureDescriptionShort', 'nothing: only with the status failed', 'The interaction has not failed.')
      : null,
  ({ startedAt, endedAt }) =>
    endedAt !== null && startedAt !== null && endedAt < startedAt
      ? fault('endedAt', 'startedAt or later', '`endedAt` must not be before `startedAt`.')
      : null,
  ({ scheduledAtFrom, status }) =>
    status === 'scheduled' && scheduledAtFrom === null
      ? fault('scheduledAtFrom', 'the begin of the window', '`scheduledAtFrom` is required for a scheduled interaction.')
      : null,
  ({ scheduledAtFrom, scheduledAtTo }) =>
    scheduledAtTo !== null && (scheduledAtFrom === null || scheduledAtTo < scheduledAtFrom)
      ? fault('scheduledAtTo', 'scheduledAtFrom or later', '`scheduledAtTo` must not be before `scheduledAtFrom`.')
      : null,
];

const faultsOf = (checked: Checked): readonly Fault[] => RULES.map((rule) => rule(checked)).filter((found) => found !== null);

/** Removes a status detail that does not fit the status, after a change of the status alone. */
const fittingDetail = (statusDetails: StatusDetail | null, of: Omit<Checked, 'statusDetails'>): StatusDetail | null =>
  statusDetails !== null && statusDetailFault({ ...of, statusDetails }) === null ? statusDetails : null;
