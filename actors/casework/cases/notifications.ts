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
import { fact } from './context.js';
import { momentOf } from './moment.js';
import type { CaseState } from './state.js';

/** The firing of a notification type: a message that is to be sent for the case. */
export interface Notification extends NotificationFields {
  readonly id: string;
  readonly status: NotificationStatus;
  /** Its time has come and what it asks for was so: it waits to be sent. */
  readonly isDue: boolean;
  /** What was sent, or would have been; absent from what was recorded before anything was sent. */
  readonly interactionId?: string | null;
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

export interface NotificationFields {
  readonly notificationTypeId: string;
  /** The version that fired; what it asks for is asked again when the time has come. */
  readonly notificationTypeVersion: number;
  readonly channel: NotificationChannel;
  readonly theme: OutboundTheme;
  /** A template by its id, or by its number. */
  readonly templateId: string | number | null;
  readonly scheduledAt: number;
}

/** `canceled`: what it asks for was no longer so when its time came, or the case was deleted. */
type NotificationStatus = 'scheduled' | 'sent' | 'blocked' | 'canceled' | 'failed';

export const isScheduled = ({ status }: Notification): boolean => status === 'scheduled';

/** A notification that nothing could send for so long says what is no longer so: it fails. */
const TOO_LATE_MS = 24 * 3_600_000;

/** What becomes of a notification that is due: an ordinary send for the case, and what came of it. */
export function notificationSent(env: DecideEnv, state: CaseState, notification: Notification): readonly FactDraft[] {
  const { id, scheduledAt: at } = notification;
  const sent = env.now - at > TOO_LATE_MS ? null : withoutRefusal(() => sentFor(env, state, notification));
  const status = sent === null ? 'failed' : statusOf(sent.failure);
  const interactionId = sent === null || sent.facts.length === 0 ? null : sent.interactionId;
  return [fact('NotificationEnded', { id, at, status, interactionId }), ...(sent === null ? [] : beside(sent))];
}

/** Null where it cannot be sent: by its channel, its template, or because the borrower is gone. */
function sentFor(env: DecideEnv, state: CaseState, { channel, theme, templateId }: Notification): Sending | null {
  const person = env.read<PersonState>('person', state.personId);
  if (!person || !isReachable(person) || !isSendable(channel) || typeof templateId !== 'string') return null;
  const template = templateNamed(companyOf(env, env.tenant), templateId, channel, 'templateId');
  const subject = typeof template === 'string' ? null : template.descriptor.stored.subject;
  if (subject === null || !isSubject(subject)) return null;
  const said = readSaid(env.now, { subject, theme, useTemplate: templateId, isTransactional: false });
  return sending(env, person, orderForCase(state, said, { channel, origin: 'automatic', supercaseBulkOperationId: null }));
}

/** What is refused to a caller is a failure here: there is none. What is only not there yet is asked for again. */
function withoutRefusal(run: () => Sending | null): Sending | null {
  try {
    return run();
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.errorType === 'unavailable') throw cause;
    return null;
  }
}

/** Nobody to reach is a failure; what a rule has stopped is blocked. */
const statusOf = (failure: SendFailure | null): Extract<NotificationStatus, 'sent' | 'blocked' | 'failed'> =>
  failure === null ? 'sent' : failure.interactionId !== null && failure.blockReason !== 'noContact' ? 'blocked' : 'failed';

interface Moved {
  readonly caseTypeId: string | null;
  /** Null of a new case. */
  readonly before: CaseMoment | null;
  readonly after: CaseMoment;
}

/** The notifications that the company's types make of a case that was opened or moved: one a type and entry into the state. */
export function notificationsFired(env: DecideEnv, { caseTypeId, before, after }: Moved): readonly FactDraft[] {
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

/** Days pass by the company's calendar; the time of day stays. */
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

/** What becomes of a notification when its time has come: it waits to be sent, if what it asks for is still so. */
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

/** With a case that is deleted nothing more is sent. */
export const notificationsCanceled = ({ notifications }: CaseState): readonly FactDraft[] =>
  notifications.filter(isScheduled).map(({ id }) => fact('NotificationCanceled', { id }));

/** The firing of a notification type on a case. */
export interface NotificationView {
  readonly id: string;
  readonly object: 'notification';
  readonly caseId: string;
  readonly notificationTypeId: string;
  readonly notificationTypeVersion: number;
  readonly channel: NotificationChannel;
  readonly theme: OutboundTheme;
  /** What was sent, or was stopped; null for as long as nothing is. */
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
