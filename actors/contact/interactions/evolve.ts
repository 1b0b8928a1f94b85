import { assert, must } from '../../../engine/index.js';
import { APPLY_DELIVERY, type Delivery, isDeliveryFact } from '../sending/delivery/delivery.js';
import type { Emit } from '../../kernel/actor.js';
import type { Fact } from '../../kernel/fact.js';
import { eventsOf } from './events.js';
import type { InteractionFacts } from './facts.js';
import { INTERACTION_CHART, MOVE_TO } from './machine.js';
import type { ChangeableFields, InteractionState } from './state.js';

type Apply = { readonly [Type in keyof InteractionFacts]: (state: InteractionState, body: InteractionFacts[Type], fact: Fact) => void };

const APPLY: Apply = {
  InteractionRecorded(state, body, fact) {
    Object.assign(state, body);
    state.createdAt = fact.businessAt;
    state.createdBy = fact.by;
    state.createdStamp = fact.stamp;
    noteChanged(state, NOTHING_BEFORE, fact.businessAt);
  },
  InteractionChanged(state, { changes, at }, fact) {
    const before: Noted = { ...state };
    const { status = state.status } = changes;
    if (status !== state.status)
      assert(INTERACTION_CHART.after(state.status, must(MOVE_TO[status], `nothing becomes ${status}`)) === status, 'the chart leads there');
    Object.assign(state, changes);
    noteChanged(state, before, at ?? fact.businessAt);
    state.updatedAt = fact.businessAt;
  },
  WindowBegun(state) {
    state.isDue = true;
  },
  InteractionDeleted(state, _body, fact) {
    state.isDeleted = true;
    state.externalId = null;
    state.updatedAt = fact.businessAt;
  },
};

type Noted = Pick<ChangeableFields, 'statusDetails' | 'agentOutcome'> & { readonly status: InteractionState['status'] | null };

const NOTHING_BEFORE: Noted = { status: null, statusDetails: null, agentOutcome: null };

/** The times of what changed alone (communications 4.2). */
function noteChanged(state: InteractionState, before: Noted, at: number): void {
  if (state.status !== before.status) state.statusUpdatedAt = at;
  if (state.statusDetails !== before.statusDetails) state.statusDetailsUpdatedAt = at;
  if (state.agentOutcome !== before.agentOutcome) state.agentOutcomeUpdatedAt = at;
}

export function evolveInteraction(state: InteractionState, fact: Fact, emit: Emit | null): void {
  if (isDeliveryFact(fact.type)) {
    const apply = APPLY_DELIVERY[fact.type] as (before: Delivery | null, body: unknown) => Delivery | null;
    state.delivery = apply(state.delivery, fact.body);
    state.updatedStamp = fact.stamp;
    return;
  }
  const apply = must(APPLY[fact.type as keyof InteractionFacts], `an interaction knows no fact ${fact.type}`);
  const before = state.createdStamp === 0 ? null : state.status;
  (apply as (state: InteractionState, body: unknown, fact: Fact) => void)(state, fact.body, fact);
  state.updatedStamp = fact.stamp;
  if (emit) for (const event of eventsOf(state, before)) emit(event);
}
