import { day } from '../../../engine/index.js';
import type { AgendaPlace, DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { dayOfMoment, MOMENTS } from '../../kernel/moments.js';
import { fact } from './context.js';
import { callToMake, reviewOfSnoozed } from './desk.js';
import { notificationDue } from './notifications/firing.js';
import { isScheduled } from './notifications/notification.js';
import { notificationSent } from './notifications/sent.js';
import { isPlanStale, planned, reviewDue } from './reviews/plan.js';
import { activeBlock, type CaseState, isReachable } from './state.js';

/** Something that is to happen to a case at a moment. */
interface Deadline {
  readonly at: number;
  readonly facts: (env: DecideEnv) => readonly FactDraft[];
}

/** Deadlines are data: the shard's clock asks when the next one is. */
function* deadlines(state: CaseState): Iterable<Deadline> {
  const { snooze } = state;
  if (snooze)
    yield { at: snooze.until, facts: (env) => [fact('CaseWoken', { id: snooze.id, at: snooze.until }), ...reviewOfSnoozed(env, state)] };
  for (const { id, status, isDue, scheduledAt: at } of state.calls) {
    if (status === 'scheduled' && !isDue) yield { at, facts: (env) => [fact('CallFellDue', { id, at }), ...callToMake(env, state, id)] };
  }
  for (const notification of state.notifications) {
    const { isDue, scheduledAt: at } = notification;
    if (isScheduled(notification))
      yield { at, facts: (env) => (isDue ? notificationSent(env, state, notification) : [notificationDue(env, state, notification)]) };
  }
  const { at: reviewAt } = state.review;
  if (reviewAt !== null) yield { at: reviewAt, facts: (env) => reviewDue(env, state, reviewAt) };
  const block = activeBlock(state);
  const { endsAt = null } = block ?? {};
  if (block && endsAt !== null) yield { at: endsAt, facts: () => [fact('BlockEnded', { id: block.id, status: 'expired', at: endsAt })] };
}

function nextDeadline(state: CaseState): Deadline | null {
  let next: Deadline | null = null;
  for (const deadline of deadlines(state)) if (next === null || deadline.at < next.at) next = deadline;
  return next;
}

export function caseAgenda(state: CaseState): AgendaPlace | null {
  const next = isReachable(state) ? nextDeadline(state) : null;
  return next && { zone: MOMENTS, nextDay: dayOfMoment(next.at) };
}

const AT_ONCE: AgendaPlace = { zone: MOMENTS, nextDay: day(0) };

/** A case whose plan of reviews is another than its type and fields ask for has to plan anew. */
export const caseBehind = (state: CaseState, env: EvolveEnv): AgendaPlace | null =>
  isReachable(state) && isPlanStale(state, env) ? AT_ONCE : null;

/** What has come due by now, the earliest first; each is applied before the next is asked for. */
export function* catchUpCase(state: CaseState, env: DecideEnv): Iterable<FactDraft> {
  for (;;) {
    if (isPlanStale(state, env)) yield planned(state, env);
    const next = nextDeadline(state);
    if (next === null || dayOfMoment(next.at) > env.today(MOMENTS)) return;
    yield* next.facts(env);
  }
}
