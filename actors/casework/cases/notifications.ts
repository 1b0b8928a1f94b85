import {
  addBusinessDays,
  addDays,
  type Day,
  dayAt,
  instantAt,
  isSendable,
  isSubject,
  type NotificationChannel,
  type OutboundTheme,
  timeOfDayAt,
} from '../../../engine/index.js';
import { isReachable, type PersonState } from '../../borrower/index.js';
import {
  type CaseMoment,
  companyOf,
  fires,
  type NotificationType,
  notificationTypeOf,
  notifyingTypesOf,
  stillHolds,
  templateNamed,
  workCalendarOf,
  zoneOf,
} from '../../company/index.js';
import { beside, orderForCase, readSaid, type SendFailure, sending, type Sending } from '../../contact/index.js';
import { Refusal } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { dateTimeText, type DateTimeText, orNull } from '../../wire.js';
import { automaticBlocks } from './blocks.js';
import { fact } from './context.js';
import { activeBlock, type CaseState } from './state.js';
import { momentOf } from './view.js';

/** A notification: a message that a notification type sends for the case. */
export interface Notification extends NotificationFields {
  readonly id: string;
  readonly status: NotificationStatus;
  /** The time has come and the trigger still held: the notification waits to be sent. */
  readonly isDue: boolean;
  /** The interaction of the message, sent or blocked; absent in records of earlier releases, which sent none. */
  readonly interactionId?: string | null;
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

export interface NotificationFields {
  readonly notificationTypeId: string;
  /** The version that fired. Its trigger is checked again when the time has come. */
  readonly notificationTypeVersion: number;
  readonly channel: NotificationChannel;
  readonly theme: OutboundTheme;
  /** Id or number of a template. */
  readonly templateId: string | number | null;
  readonly scheduledAt: number;
}

/** `canceled`: the trigger no longer held when the time came, or the case was deleted. */
type NotificationStatus = 'scheduled' | 'sent' | 'blocked' | 'canceled' | 'failed';

export const isScheduled = ({ status }: Notification): boolean => status === 'scheduled';

/** A notification that could not be sent for this long is outdated and fails. */
const TOO_LATE_MS = 24 * 3_600_000;

/** The facts of a notification that is due: a normal send for the case, and its result. */
export function notificationSent(env: DecideEnv, state: CaseState, notification: Notification): readonly FactDraft[] {
  const { id, scheduledAt: at } = notification;
  const sent = env.now - at > TOO_LATE_MS ? null : withoutRefusal(() => sentFor(env, state, notification));
  const status = sent === null ? 'failed' : statusOf(sent.failure);
  const interactionId = sent === null || sent.facts.length === 0 ? null : sent.interactionId;
  return [fact('NotificationEnded', { id, at, status, interactionId }), ...(sent === null ? [] : beside(sent))];
}

/** Null if it cannot be sent, because of its channel, its template or a deleted borrower. */
function sentFor(env: DecideEnv, state: CaseState, { channel, theme, templateId }: Notification): Sending | null {
  const person = env.read<PersonState>('person', state.personId);
  if (!person || !isReachable(person) || !isSendable(channel) || typeof templateId !== 'string') return null;
  const template = templateNamed(companyOf(env, env.tenant), templateId, channel, 'templateId');
  const subject = typeof template === 'string' ? null : template.descriptor.stored.subject;
  if (subject === null || !isSubject(subject)) return null;
  const said = readSaid(env.now, { subject, theme, useTemplate: templateId, isTransactional: false });
  return sending(env, person, orderForCase(state, said, { channel, origin: 'automatic', supercaseBulkOperationId: null }));
}

/** A refusal counts as a failure here, since there is no caller. A temporary refusal is thrown, and the send is tried again. */
function withoutRefusal(run: () => Sending | null): Sending | null {
  try {
    return run();
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.errorType === 'unavailable') throw cause;
    return null;
  }
}

/** `failed` without a contact, `blocked` by a rule. */
const statusOf = (failure: SendFailure | null): Extract<NotificationStatus, 'sent' | 'blocked' | 'failed'> =>
  failure === null ? 'sent' : failure.interactionId !== null && failure.blockReason !== 'noContact' ? 'blocked' : 'failed';

type Opened = Pick<
  CaseState,
  'id' | 'personId' | 'caseTypeId' | 'caseType' | 'status' | 'outcome' | 'fields' | 'customFields' | 'sealedFields'
>;

/** Blocks and notifications that the company's types add to a new case. */
export function triggeredByOpening(env: DecideEnv, opened: Opened): readonly FactDraft[] {
  const { personId, caseTypeId } = opened;
  const moved = { personId, caseTypeId, block: null, before: null, after: momentOf(opened, env) };
  return [...automaticBlocks(env, moved), ...notificationsFired(env, moved)];
}

/** Blocks and notifications that the company's types add to a case that moves, with the changes of the same request. */
export function triggeredByMove(env: DecideEnv, state: CaseState, change: Partial<CaseState>): readonly FactDraft[] {
  const { personId, caseTypeId } = state;
  const moved = {
    personId,
    caseTypeId,
    block: activeBlock(state) ?? null,
    before: momentOf(state, env),
    after: momentOf({ ...state, ...change }, env),
  };
  return [...automaticBlocks(env, moved), ...notificationsFired(env, moved)];
}

interface Moved {
  readonly caseTypeId: string | null;
  /** Null for a new case. */
  readonly before: CaseMoment | null;
  readonly after: CaseMoment;
}

/** The notifications of the company's types that fire for a case that was opened or moved: one for each type and entry into its state. */
function notificationsFired(env: DecideEnv, { caseTypeId, before, after }: Moved): readonly FactDraft[] {
  if (caseTypeId === null) return [];
  return notifyingTypesOf(companyOf(env, env.tenant), caseTypeId)
    .filter((type) => fires(type, before, after))
    .map(({ id: notificationTypeId, version: notificationTypeVersion, channel, theme, templateId, delay, unit }) => {
      const scheduledAt = delay === 0 ? env.now : LATER[unit](env, delay);
      return fact('NotificationScheduled', {
        id: env.newId('NO'),
        notificationTypeId,
        notificationTypeVersion,
        channel,
        theme,
        templateId,
        scheduledAt,
        isDue: delay === 0,
      });
    });
}

const HOUR_MS = 3_600_000;

/** Days are counted by the company's calendar; the time of day is kept. */
const onDay =
  (of: (today: Day, delay: number, env: DecideEnv) => Day) =>
  (env: DecideEnv, delay: number): number => {
    const zone = zoneOf(companyOf(env, env.tenant));
    return instantAt(zone, of(dayAt(zone, env.now), delay, env), timeOfDayAt(zone, env.now));
  };

const LATER: Readonly<Record<NotificationType['unit'], (env: DecideEnv, delay: number) => number>> = {
  hours: (env, delay) => env.now + delay * HOUR_MS,
  calendarDays: onDay(addDays),
  businessDays: onDay((today, delay, env) => addBusinessDays(today, delay, workCalendarOf(companyOf(env, env.tenant)))),
};

/** The fact when the time of a notification has come: it waits to be sent if its trigger still holds, else it is canceled. */
export function notificationDue(
  env: DecideEnv,
  state: CaseState,
  { id, notificationTypeId, notificationTypeVersion, scheduledAt: at }: Notification,
): FactDraft {
  const type = notificationTypeOf(companyOf(env, env.tenant), notificationTypeId, notificationTypeVersion);
  return type && stillHolds(type, momentOf(state, env))
    ? fact('NotificationFellDue', { id, at })
    : fact('NotificationCanceled', { id, at });
}

/** Cancels the notifications of a deleted case. */
export const notificationsCanceled = ({ notifications }: CaseState): readonly FactDraft[] =>
  notifications.filter(isScheduled).map(({ id }) => fact('NotificationCanceled', { id }));

/** A notification as replies show it. */
export interface NotificationView {
  readonly id: string;
  readonly object: 'notification';
  readonly caseId: string;
  readonly notificationTypeId: string;
  readonly notificationTypeVersion: number;
  readonly channel: NotificationChannel;
  readonly theme: OutboundTheme;
  /** The interaction of the message, sent or blocked; null before. */
  readonly interactionId: string | null;
  readonly status: NotificationStatus;
  readonly scheduledAt: DateTimeText;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
}

export const notificationView = ({ id: caseId }: CaseState, notification: Notification): NotificationView => ({
  id: notification.id,
  object: 'notification',
  caseId,
  notificationTypeId: notification.notificationTypeId,
  notificationTypeVersion: notification.notificationTypeVersion,
  channel: notification.channel,
  theme: notification.theme,
  interactionId: notification.interactionId ?? null,
  status: notification.status,
  scheduledAt: dateTimeText(notification.scheduledAt),
  createdAt: dateTimeText(notification.createdAt),
  updatedAt: orNull(dateTimeText, notification.updatedAt),
});
