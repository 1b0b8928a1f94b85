import { assert, type Day } from '../../../engine/index.js';
import type { ActorDefinition, AgendaEntry, DecideEnv } from '../actor.js';
import type { FactDraft } from '../fact.js';
import type { Work } from './work.js';
import type { Scope } from './scope.js';
import type { CachedActor } from './world.js';

/** The pending facts of an actor in this state, to be applied one by one; null when there are none. */
export function pendingDrafts<State>(
  definition: ActorDefinition<State>,
  state: State,
  agenda: AgendaEntry | null,
  env: DecideEnv,
): Iterable<FactDraft> | null {
  const today = pendingThrough(definition, state, agenda, env);
  return today === null ? null : (definition.catchUp?.(state, today, env) ?? null);
}

/** Today, if closed days or changes of others require something of an actor with that agenda; null if nothing is pending. */
export function pendingThrough<State>(
  { behind, catchUp }: ActorDefinition<State>,
  state: State,
  agenda: AgendaEntry | null,
  env: DecideEnv,
): Day | null {
  const entry = behind?.(state, env) ?? agenda;
  if (entry === null || catchUp === undefined) return null;
  const today = env.today(entry.zone);
  return entry.nextDay > today ? null : today;
}

/** What an actor has to do next. Needed before and after each piece of work, and computed once for each fact. */
export function agendaOf(actor: CachedActor): AgendaEntry | null {
  if (actor.agendaSequence !== actor.lastSequence) {
    actor.agenda = actor.definition.agenda?.(actor.state) ?? null;
    actor.agendaSequence = actor.lastSequence;
  }
  return actor.agenda;
}

/** No fact yet: the agenda is not computed. */
export const NOT_ASKED = -1;

/** Brings an actor up to date with the closed days; each fact is applied before the next is computed. */
export function catchUpActor(actor: CachedActor, scope: Scope, work: Pick<Work, 'record'>): void {
  const { definition, state } = actor;
  const pending = pendingDrafts(definition, state, agendaOf(actor), scope);
  if (pending === null) return;
  for (const draft of pending) work.record(draft, actor);
  assert(
    pendingThrough(definition, state, agendaOf(actor), scope) === null,
    `${actor.id} was brought up to date and still has something to do`,
  );
}
