import { dayAt, startOfDay } from '../../../../engine/index.js';
import { companyOf, smartReviewsIn, zoneOf } from '../../../company/index.js';
import type { DecideEnv, EvolveEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { fact } from '../context.js';
import { reviewTask } from '../desk.js';
import { isActive } from '../machine.js';
import type { CaseState, ReviewPlan } from '../state.js';
import { contactNews } from './last-contact.js';
import { keyDays, reviewDayAfter, type ReviewedCase } from './review-days.js';

/*
 * The daily job of smart reviews without a walk over all cases: each active case of a type whose reviews are
 * switched on keeps the moment of its next one, which stands on the agenda with its other deadlines.
 */

/** The first instant of the next day of a review in the company's zone, after a moment; null where none is to come. */
function nextReview(state: ReviewedCase, env: EvolveEnv, after: number): number | null {
  if (state.caseTypeId === null || !isActive(state.status)) return null;
  const company = companyOf(env, state.tenant);
  const reviews = smartReviewsIn(company, state.caseTypeId);
  if (reviews?.enable !== true) return null;
  const zone = zoneOf(company);
  const day = reviewDayAfter(dayAt(zone, after), state, reviews.config, zone);
  return day === null ? null : startOfDay(zone, day);
}

/** Whether the plan is that of an earlier configuration, or of fields that the case no longer has. */
export const isPlanStale = (state: ReviewedCase, env: EvolveEnv): boolean => nextReview(state, env, state.review.from) !== state.review.at;

/** A plan from now on: what fell on days that are over, or on today, is not made up for. */
export function planned(state: ReviewedCase, env: DecideEnv): FactDraft {
  const plan: ReviewPlan = { ...state.review, from: env.now, at: nextReview(state, env, env.now) };
  return fact('ReviewPlanned', plan);
}

/** The plan of a case that another actor changes: nobody else asks the case what has become due. */
export const replanned = (env: DecideEnv, after: CaseState): readonly FactDraft[] =>
  isPlanStale(after, env) ? [{ ...planned(after, env), target: { kind: 'case', id: after.id } }] : [];

/** A day of a review has come: a task, and the plan of the next; of a collection case where nobody has contacted the borrower since. */
export function reviewDue(env: DecideEnv, state: CaseState, at: number): readonly FactDraft[] {
  const news = contactNews(state, env);
  if (news !== null) return [fact('CaseChanged', { changes: { fields: { ...state.fields, ...news } }, secrets: [] })]; // it plans anew from there
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
