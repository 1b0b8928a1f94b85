import type { Day } from '../../../engine/index.js';
import type { ActorDefinition, AgendaPlace, DecideEnv } from '../actor.js';
import type { FactDraft } from '../fact.js';
import type { Resident } from './world.js';

/** The agenda of no fact yet. */
export const NOT_ASKED = -1;

/** What an actor has to do next. Asked for at each turn and again after it, and computed once for each fact. */
export function agendaOf(actor: Resident): AgendaPlace | null {
  if (actor.agendaSequence !== actor.lastSequence) {
    actor.agenda = actor.definition.agenda?.(actor.state) ?? null;
    actor.agendaSequence = actor.lastSequence;
  }
  return actor.agenda;
}

/** Today, if closed days or what others have changed ask something of an actor with that agenda; null if nothing is pending. */
export function pendingThrough<State>(
  { behind, catchUp }: ActorDefinition<State>,
  state: State,
  agenda: AgendaPlace | null,
  env: DecideEnv,
): Day | null {
  const place = behind?.(state, env) ?? agenda;
  if (place === null || catchUp === undefined) return null;
  const today = env.today(place.zone);
  return place.nextDay > today ? null : today;
}

/** What is pending of an actor in this state, to be applied one by one; null where nothing is. */
export function pendingDrafts<State>(
  definition: ActorDefinition<State>,
  state: State,
  agenda: AgendaPlace | null,
  env: DecideEnv,
): Iterable<FactDraft> | null {
  const today = pendingThrough(definition, state, agenda, env);
  return today === null ? null : (definition.catchUp?.(state, today, env) ?? null);
}
