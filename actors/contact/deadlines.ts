import { assert } from '../../engine/index.js';
import { messageMoment, messageWork } from './sending/delivery/moments.js';
import type { AgendaPlace, DecideEnv } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import { dayOfMoment, MOMENTS } from '../kernel/moments.js';
import { plannedTask, plannedTaskEnded } from './interactions/desk.js';
import { fact } from './interactions/facts.js';
import { type InteractionState, isReachable } from './interactions/state.js';

/** The next moment of a planned contact (communications 4.8): its window begins, then ends. */
function windowMoment({ status, isDue, scheduledAtFrom, scheduledAtTo }: InteractionState): number | null {
  return status === 'scheduled' ? (isDue ? scheduledAtTo : scheduledAtFrom) : null;
}

/** A message of the service has moments of its own instead: that of its sending, and in test mode that of its arrival. */
const nextMoment = (state: InteractionState): number | null => (state.isExternal ? windowMoment(state) : messageMoment(state));

export function interactionAgenda(state: InteractionState): AgendaPlace | null {
  const at = isReachable(state) ? nextMoment(state) : null;
  return at === null ? null : { zone: MOMENTS, nextDay: dayOfMoment(at) };
}

/** What has come due by now; each fact is applied before the next is asked for. */
export function* catchUpInteraction(state: InteractionState, env: DecideEnv): Iterable<FactDraft> {
  for (let moments = 0; ; moments += 1) {
    assert(moments <= 2, 'a window begins and ends, a message is sent and arrives');
    const at = nextMoment(state);
    if (at === null || dayOfMoment(at) > env.today(MOMENTS)) return;
    if (!state.isExternal) {
      yield* messageWork(env, state, at);
    } else if (state.isDue) {
      yield* plannedTaskEnded(env, state, 'windowPassed');
      yield fact('InteractionChanged', { changes: { status: 'canceled', statusDetails: null }, at });
    } else {
      yield* plannedTask(env, state);
      yield fact('WindowBegun', { at });
    }
  }
}
