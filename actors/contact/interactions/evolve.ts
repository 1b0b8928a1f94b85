import { applyRow, type FactTable } from '../../kernel/fact-table.js';
import { setup } from 'xstate';
import {
  assert,
  INTERACTION_MOVE_NAMES,
  INTERACTION_MOVES,
  INTERACTION_TARGETS,
  type InteractionMove,
  type InteractionStatus,
  must,
} from '../../../engine/index.js';
import type { Emit } from '../../kernel/actor.js';
import type { EventDraft, EventRefs, Fact, FactDraft } from '../../kernel/fact.js';
import { Chart, moves } from '../../statechart.js';
import { APPLY_DELIVERY, isDeliveryFact } from '../sending/delivery/delivery.js';
import type { ChangeableFields, InteractionFields, InteractionState } from './state.js';

const APPLY: FactTable<InteractionState, InteractionFacts> = {
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
      assert(
        INTERACTION_CHART.after(state.status, must(INTERACTION_CHART.moveTo(status), `nothing becomes ${status}`)) === status,
        'the chart leads there',
      );
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

/** Sets the times of the fields that changed. */
function noteChanged(state: InteractionState, before: Noted, at: number): void {
  if (state.status !== before.status) state.statusUpdatedAt = at;
  if (state.statusDetails !== before.statusDetails) state.statusDetailsUpdatedAt = at;
  if (state.agentOutcome !== before.agentOutcome) state.agentOutcomeUpdatedAt = at;
}

export function evolveInteraction(state: InteractionState, fact: Fact, emit: Emit | null): void {
  if (isDeliveryFact(fact.type)) {
    state.delivery = applyRow(APPLY_DELIVERY, state.delivery, fact);
    state.updatedStamp = fact.stamp;
    return;
  }
  const before = state.createdStamp === 0 ? null : state.status;
  applyRow(APPLY, state, fact);
  state.updatedStamp = fact.stamp;
  if (emit) for (const event of eventsOf(state, before)) emit(event);
}

/** The moves that a status allows to anybody, as transitions. */
const movesOf = (status: InteractionStatus): Record<string, InteractionStatus> =>
  Object.fromEntries(
    INTERACTION_MOVE_NAMES.filter((move) => move in INTERACTION_MOVES[status]).map((move) => [move, INTERACTION_TARGETS[move]]),
  );

/**
 * The lifecycle of an interaction, made from the table of who may make which move. An interaction can begin in any state, since it may be
 * recorded at any stage.
 */
export const interactionMachine = setup({
  types: moves<InteractionMove>(),
}).createMachine({
  id: 'interaction',
  initial: 'attempted',
  states: {
    scheduled: { on: movesOf('scheduled') },
    inProgress: { on: movesOf('inProgress') },
    attempted: { on: movesOf('attempted') },
    succeeded: { on: movesOf('succeeded') },
    failed: { on: movesOf('failed') },
    canceled: { type: 'final' },
  },
});

export const INTERACTION_CHART = new Chart<InteractionStatus, InteractionMove>(interactionMachine);

/** Events of messages that the service itself sends. External records emit none. */
function eventsOf(state: InteractionState, before: InteractionStatus | null): readonly EventDraft[] {
  const { status, direction, isExternal } = state;
  if (isExternal || direction !== 'outbound' || status === before) return [];
  const isFirst = before === null || before === 'scheduled';
  if (status === 'failed' && state.statusDetails === 'blockedByComplianceGuard' && isFirst) return [blocked(state), sent(state)];
  return status === 'attempted' && isFirst ? [sent(state)] : [];
}

type About = Pick<EventDraft, 'objectType' | 'objectId' | 'refs' | 'externalIds'>;

function about({ id, externalId, personId, loanId, loanIds, caseId }: InteractionState): About {
  const loan = loanId ?? (loanIds.length === 1 ? loanIds[0] : undefined);
  const refs: EventRefs = {
    interactionId: id,
    ...(personId === null ? {} : { personId }),
    ...(loan === undefined ? {} : { loanId: loan }),
    ...(caseId === null ? {} : { caseId }),
  };
  return { objectType: 'interaction', objectId: id, refs, externalIds: { interactionId: externalId } };
}

function sent(state: InteractionState): EventDraft {
  const { id: interactionId, channel, subject, theme, status, statusDetails, isTransactional } = state;
  return {
    ...about(state),
    eventType: 'communication.send',
    data: { interactionId, channel, subject, theme, status, statusDetails, isTransactional },
  };
}

function blocked(state: InteractionState): EventDraft {
  const { id: interactionId, channel, subject, theme, statusDetails, complianceGuardRuleId: ruleId, blockReason: reason } = state;
  return {
    ...about(state),
    eventType: 'interaction.blocked',
    data: { interactionId, channel, subject, theme, statusDetails, ruleId, reason },
  };
}

/** What can happen to an interaction. Content and contact are sealed. */
export interface InteractionFacts {
  readonly InteractionRecorded: InteractionFields;
  /** Only what changed. `at` is the moment for which the change was planned; absent if a caller ordered it. */
  readonly InteractionChanged: { readonly changes: Partial<ChangeableFields>; readonly at?: number };
  /** The window of a planned contact has begun. */
  readonly WindowBegun: { readonly at: number };
  readonly InteractionDeleted: Readonly<Record<string, never>>;
}

/** A fact of an interaction; the type determines its body. */
export const fact = <Type extends keyof InteractionFacts>(type: Type, body: InteractionFacts[Type]): FactDraft => ({ type, body });
