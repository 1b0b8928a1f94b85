import { type Actor, type AnyStateMachine, createActor, type InspectionEvent } from 'xstate';
import { INSPECTED, type InspectedMachine, moveOf, type ReportedMove } from './event-moves.js';
import type { EventView } from './kernel/events/event-pages.js';
import { BoundedMap } from './kernel/lists/bounded-map.js';
import { type Chart, persistedAt } from './statechart.js';

/** An inspection event of XState, as plain data. */
export interface InspectionLine {
  readonly type: InspectionEvent['type'];
  readonly machine: InspectedMachine;
  /** The id of the object. The actor and the root of its system share it. */
  readonly actorId: string;
  readonly rootId: string;
  readonly event?: { readonly type: string };
  readonly snapshot?: { readonly value: unknown; readonly status: string; readonly context: unknown };
}

export interface InspectedMove {
  readonly machine: InspectedMachine;
  readonly id: string;
  /** Null if the object is seen for the first time and the event does not say the former status. */
  readonly from: string | null;
  /** Null if no single move of the statechart leads to the new status, for example after a replay. */
  readonly move: string | null;
  readonly to: string;
  /** The inspection events of XState, in order. */
  readonly inspection: readonly InspectionLine[];
}

type Running = Actor<AnyStateMachine>;

/** Maximum number of running actors. An object that was dropped starts again at the status of its next event. */
const MOST_ACTORS = 1_000;

/**
 * Repeats the moves that events or facts report with actors of XState, one for each object, and collects the inspection events of XState.
 * The actors only follow: they decide nothing, and they never make a move that the statechart does not have.
 */
export class Inspector {
  readonly #actors = new BoundedMap<string, Running>(MOST_ACTORS);
  #inspection: InspectionLine[] = [];

  /** Repeats the move of an event; null if the event reports no move. */
  see(event: Pick<EventView, 'eventType' | 'objectId' | 'data'>): InspectedMove | null {
    const reported = moveOf(event);
    return reported && this.follow(reported);
  }

  /** Repeats a move; null if the object has the status already. */
  follow(reported: ReportedMove): InspectedMove | null {
    this.#inspection = [];
    const known = this.#actors.get(reported.id);
    const from = known && isLeft(known, reported) ? stateOf(known) : (reported.from[0] ?? null);
    if (from === reported.to) return null;
    const move = this.#step(reported, from, known);
    const { machine, id, to } = reported;
    return { machine, id, from, move, to, inspection: this.#inspection };
  }

  /** Returns the move that was made; null if the actor starts at the new status. */
  #step(reported: ReportedMove, from: string | null, known: Running | undefined): string | null {
    const { machine, to, context } = reported;
    const chart: Chart<string, string> = INSPECTED[machine].chart;
    const move = from === null ? undefined : chart.moveBetween(from, to, context);
    if (from === null || move === undefined) {
      this.#begin(reported, to);
      return null;
    }
    const follows = known !== undefined && context === undefined && stateOf(known) === from;
    const actor = follows ? known : this.#begin(reported, from);
    actor.send({ type: move });
    return move;
  }

  #begin({ machine, id, context }: ReportedMove, state: string): Running {
    const { chart } = INSPECTED[machine];
    const inspect = (seen: InspectionEvent): void => void this.#inspection.push(lineOf(machine, id, seen));
    const actor = createActor(chart.machine, { id, snapshot: persistedAt(chart.machine, state, context), inspect });
    this.#actors.set(id, actor);
    return actor.start();
  }
}

const stateOf = (actor: Running): string => String(actor.getSnapshot().value);

/** Whether the event's former status fits the actor's current one. */
const isLeft = (actor: Running, { from }: ReportedMove): boolean => from.length === 0 || from.includes(stateOf(actor));

function lineOf(machine: InspectedMachine, id: string, seen: InspectionEvent): InspectionLine {
  const line = { type: seen.type, machine, actorId: id, rootId: id };
  const event = 'event' in seen ? { event: { type: seen.event.type } } : {};
  if (!('snapshot' in seen)) return { ...line, ...event };
  const { snapshot } = seen;
  const value = 'value' in snapshot ? snapshot.value : null;
  const context = 'context' in snapshot ? snapshot.context : null;
  return { ...line, ...event, snapshot: { value, status: snapshot.status, context } };
}
