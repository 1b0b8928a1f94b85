import { addDays, type Day, dayAt, must, parseDay, startOfDay, latest } from '../../../engine/index.js';
import {
  companyOf,
  KEY_DATES,
  PREVENTING_OBJECTS,
  type PreventingObject,
  REMINDER_AFTER_DAYS,
  type SmartReviewConfig,
  smartReviewsIn,
  zoneOf,
} from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { DecideEnv, EvolveEnv, QuerySpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { DEFAULT_LIMIT, type PageQuery } from '../../list-order.js';
import type { DateText } from '../../wire.js';
import { fact } from './context.js';
import { reviewTask } from './agent-work.js';
import { isActive } from './machine.js';
import { isOfReachable } from './selection.js';
import { activeBlock, type CaseState, nextCall, type ReviewPlan } from './state.js';
import { caseView, contactFields, contactNews } from './view.js';

/** The fields of a case that determine its reviews. */
export type ReviewedCase = Pick<
  CaseState,
  'tenant' | 'status' | 'caseType' | 'caseTypeId' | 'fields' | 'customFields' | 'createdAt' | 'snooze' | 'calls' | 'blocks' | 'review'
>;

/** The review days of a case's key dates, each with the field from which it is counted. */
function* keyDays(
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

/** The first review day after `after`; null if there is none. */
function reviewDayAfter(after: Day, state: ReviewedCase, config: SmartReviewConfig, zone: string): Day | null {
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

/** The reminder of a collection case: days after the last outbound interaction or reminder, unless a preventing object is active. */
function reminderDayAfter(after: Day, state: ReviewedCase, config: SmartReviewConfig, zone: string): Day | null {
  const { objectsPreventingReminderTasks: preventing = PREVENTING_OBJECTS, lastOutboundInteractionThreshold: wait = REMINDER_AFTER_DAYS } =
    config;
  if (preventing.some((object) => IS_PRESENT[object](state))) return null;
  const last = state.fields['lastOutboundInteractionDate'];
  const outbound = typeof last === 'string' ? parseDay(last) : undefined;
  const { remindedAt } = state.review;
  const begun = outbound ?? dayAt(zone, state.createdAt);
  const since = remindedAt === null ? begun : latest(begun, dayAt(zone, remindedAt));
  const day = addDays(since, wait);
  return day > after ? day : addDays(after, 1);
}

/*
 * Smart reviews need no daily job over all cases: each active case of a type with reviews stores the moment of its next review,
 * which is on the agenda with its other deadlines.
 */

/** The start of the next review day after a moment, in the company's time zone; null if there is none. */
function nextReview(state: ReviewedCase, env: EvolveEnv, after: number): number | null {
  if (state.caseTypeId === null || !isActive(state.status)) return null;
  const company = companyOf(env, state.tenant);
  const reviews = smartReviewsIn(company, state.caseTypeId);
  if (reviews?.enable !== true) return null;
  const zone = zoneOf(company);
  const day = reviewDayAfter(dayAt(zone, after), state, reviews.config, zone);
  return day === null ? null : startOfDay(zone, day);
}

/** Whether the plan is outdated by a change of the configuration or of the case's fields. */
export const isPlanStale = (state: ReviewedCase, env: EvolveEnv): boolean => nextReview(state, env, state.review.from) !== state.review.at;

/** A new plan. Reviews of past days and of today are not made up for. */
export function planned(state: ReviewedCase, env: DecideEnv): FactDraft {
  const plan: ReviewPlan = { ...state.review, from: env.now, at: nextReview(state, env, env.now) };
  return fact('ReviewPlanned', plan);
}

/** The new plan of a case that another actor changes, since the case itself does not run then. */
export const replanned = (env: DecideEnv, after: CaseState): readonly FactDraft[] =>
  isPlanStale(after, env) ? [{ ...planned(after, env), target: { kind: 'case', id: after.id } }] : [];

/** The facts of a review day: a task, and the next plan. A collection case has no task if the borrower was contacted since the plan. */
export function reviewDue(env: DecideEnv, state: CaseState, at: number): readonly FactDraft[] {
  const news = contactNews(state, env);
  // The changed case plans its next review.
  if (news !== null) return [fact('CaseChanged', { changes: { fields: { ...state.fields, ...news } }, secrets: [] })];
  const company = companyOf(env, state.tenant);
  const config = (state.caseTypeId === null ? undefined : smartReviewsIn(company, state.caseTypeId))?.config ?? {};
  const today = dayAt(zoneOf(company), at);
  const due = [...keyDays(state, config)].filter(({ day }) => day === today).map(({ field }) => field);
  const review: ReviewPlan = { from: at, at: null, remindedAt: at };
  return [
    ...reviewTask(env, state, [...new Set(due)]),
    fact('ReviewPlanned', { ...review, at: nextReview({ ...state, review }, env, at) }),
  ];
}

export interface ReviewPreviewBody {
  readonly date: DateText;
}

type Asked = ReviewPreviewBody & PageQuery;

/**
 * `POST /case-types/{caseTypeId}/smart-reviews/preview`: the cases that would be reviewed on a day, by the current cases and
 * configuration. Reviews that are off are shown as if they were on.
 */
export const previewReviews: QuerySpec<CaseState, Asked> = {
  kind: 'case',
  type: 'case.previewReviews',
  on: 'tenant',
  read({ query, request, env }) {
    const { date, limit = DEFAULT_LIMIT, ...cursors } = query;
    const day = parseDay(date) ?? refuseProperty('date', 'a date', '`date` is not a date that exists.');
    const caseTypeId = request.params['caseTypeId'] ?? '';
    const company = companyOf(env, env.tenant);
    const { config } = smartReviewsIn(company, caseTypeId) ?? refuse('notFound', `There is no caseType ${caseTypeId}.`);
    const zone = zoneOf(company);
    const stateOf = (id: string): CaseState => must(env.stateOf<CaseState>('case', id), `the listed case ${id}`);
    const isUp = (state: CaseState): boolean =>
      state.caseType === 'collection'
        ? reviewDayAfter(dayAt(zone, env.now), { ...state, fields: { ...state.fields, ...contactFields(state, env) } }, config, zone) ===
          day
        : [...keyDays(state, config)].some((one) => one.day === day);
    const page = env.list('case', {
      ...cursors,
      limit,
      matches: (row) =>
        row.fields['caseTypeId'] === caseTypeId && row.fields['isActive'] === true && isOfReachable(row, env) && isUp(stateOf(row.id)),
    });
    return {
      items: page.rows.map(({ id }) => caseView(stateOf(id), env)),
      total: page.total,
      hasMore: page.hasMore,
      hasPrevious: page.hasPrevious,
      order: page.order(),
    };
  },
};
