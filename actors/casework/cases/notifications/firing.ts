import { addBusinessDays, addDays, type Day, dayAt, instantAt, timeOfDayAt } from '../../../../engine/index.js';
import {
  type CaseMoment,
  companyOf,
  fires,
  type NotificationType,
  notificationTypeOf,
  notifyingTypesOf,
  stillHolds,
  workCalendarOf,
  zoneOf,
} from '../../../company/index.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { fact } from '../context.js';
import { momentOf } from '../fields/moment.js';
import type { CaseState } from '../state.js';
import { isScheduled, type Notification } from './notification.js';

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
