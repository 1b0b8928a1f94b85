import { day } from '../../../engine/index.js';
import type { DecideEnv, AgendaEntry, EvolveEnv } from '../../kernel/actor.js';
import { type FactDraft, MOMENTS, dayOfMoment } from '../../kernel/fact.js';
import { reviewOfSnoozed, callToMake } from './agent-work.js';
import { fact } from './context.js';
import { isScheduled, notificationSent, notificationDue } from './notifications.js';
import { reviewDue, isPlanStale, planned } from './reviews.js';
import { type CaseState, activeBlock, isReachable } from './state.js';

/** Facts that are due at a moment. */
interface Deadline {
  readonly at: number;
  readonly facts: (env: DecideEnv) => readonly FactDraft[];
}

/** The deadlines of a case. The shard asks for the next one and records its facts when it is due. */
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

export function caseAgenda(state: CaseState): AgendaEntry | null {
  const next = isReachable(state) ? nextDeadline(state) : null;
  return next && { zone: MOMENTS, nextDay: dayOfMoment(next.at) };
}

const AT_ONCE: AgendaEntry = { zone: MOMENTS, nextDay: day(0) };

/** A case whose plan of reviews does not fit its type and fields has to plan again. */
export const caseBehind = (state: CaseState, env: EvolveEnv): AgendaEntry | null =>
  isReachable(state) && isPlanStale(state, env) ? AT_ONCE : null;

/** The facts that are due by now, the earliest first. Each is applied before the next one is requested. */
export function* catchUpCase(state: CaseState, env: DecideEnv): Iterable<FactDraft> {
  for (;;) {
    if (isPlanStale(state, env)) yield planned(state, env);
    const next = nextDeadline(state);
    if (next === null || dayOfMoment(next.at) > env.today(MOMENTS)) return;
    yield* next.facts(env);
  }
}
