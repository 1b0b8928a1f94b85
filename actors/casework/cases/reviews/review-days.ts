import { addDays, type Day, dayAt, parseDay } from '../../../../engine/index.js';
import {
  KEY_DATES,
  PREVENTING_OBJECTS,
  type PreventingObject,
  REMINDER_AFTER_DAYS,
  type SmartReviewConfig,
} from '../../../company/index.js';
import { activeBlock, type CaseState, nextCall } from '../state.js';

/** What of a case its reviews are counted from. */
export type ReviewedCase = Pick<
  CaseState,
  'tenant' | 'status' | 'caseType' | 'caseTypeId' | 'fields' | 'customFields' | 'createdAt' | 'snooze' | 'calls' | 'blocks' | 'review'
>;

/** The days of a case's key dates, each with the field that it is counted from. */
export function* keyDays(
  { fields, customFields, caseType }: ReviewedCase,
  { keyDates = {} }: SmartReviewConfig,
): Iterable<{ readonly field: string; readonly day: Day }> {
  const values = KEY_DATES[caseType] === undefined ? customFields : fields;
  for (const [field, offsets] of Object.entries(keyDates)) {
    const value = values[field];
    const date = typeof value === 'string' ? parseDay(value) : undefined;
    if (date === undefined) continue;
    for (const offset of typeof offsets === 'number' ? [offsets] : offsets) yield { field, day: addDays(date, offset) };
  }
}

/** The first day after `after` on which a case is to be looked at; null where there is none. */
export function reviewDayAfter(after: Day, state: ReviewedCase, config: SmartReviewConfig, zone: string): Day | null {
  if (state.caseType === 'collection') return reminderDayAfter(after, state, config, zone);
  let next: Day | null = null;
  for (const { day } of keyDays(state, config)) if (day > after && (next === null || day < next)) next = day;
  return next;
}

const IS_PRESENT: Readonly<Record<PreventingObject, (state: ReviewedCase) => boolean>> = {
  dni: (state) => activeBlock(state) !== undefined,
  scheduledCall: (state) => nextCall(state) !== undefined,
  snooze: ({ snooze }) => snooze !== null,
};

/** Collection: so many days after the last interaction from us, or after the reminder before, once nothing is in the way. */
function reminderDayAfter(after: Day, state: ReviewedCase, config: SmartReviewConfig, zone: string): Day | null {
  const { objectsPreventingReminderTasks: preventing = PREVENTING_OBJECTS, lastOutboundInteractionThreshold: wait = REMINDER_AFTER_DAYS } =
    config;
  if (preventing.some((object) => IS_PRESENT[object](state))) return null;
  const last = state.fields['lastOutboundInteractionDate'];
  const outbound = typeof last === 'string' ? parseDay(last) : undefined;
  const { remindedAt } = state.review;
  const since = Math.max(outbound ?? dayAt(zone, state.createdAt), remindedAt === null ? -Infinity : dayAt(zone, remindedAt)) as Day;
  const day = addDays(since, wait);
  return day > after ? day : addDays(after, 1);
}
