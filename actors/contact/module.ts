import { assert } from '../../engine/index.js';
import { type ActorModule, actorModule, type AgendaEntry, type DecideEnv } from '../kernel/actor.js';
import { dayOfMoment, type FactDraft, MOMENTS } from '../kernel/fact.js';
import {
  cancelInteraction,
  createInteraction,
  deleteInteraction,
  plannedTask,
  plannedTaskEnded,
  serviceCommands,
  updateInteraction,
} from './interactions/decide.js';
import { evolveInteraction, fact } from './interactions/evolve.js';
import { interactionQueries, interactionRow, listInteractions, listPersonInteractions } from './interactions/row.js';
import { ownerOf } from './interactions/sealing.js';
import { type InteractionState, isReachable, newInteraction } from './interactions/state.js';
import { receive, receiveUnbound, stopTexts } from './receiving.js';
import { bounced, complained } from './sending/delivery/bounced.js';
import { deliveryCommands } from './sending/delivery/handing-over.js';
import { messageMoment, messageWork } from './sending/delivery/moments.js';
import { Outgoing, outgoingQuery } from './sending/delivery/delivery.js';
import { listUndelivered, sendAgain } from './sending/delivery/undelivered.js';
import { unsubscribe, unsubscribable } from './sending/delivery/unsubscribe.js';
import { sendMessage } from './sending/send/sending.js';
import { sendRow } from './campaigns/send-row.js';
import { referredToScreen } from './guard/index.js';
import { interactionMachine } from './interactions/evolve.js';

const PERSONAL: ReadonlySet<string> = new Set(['externalId', 'metaData']);

/** Interactions, each on its borrower's shard. Each engine needs a module of its own, which keeps the engine's outgoing messages. */
export function interactionModule(): ActorModule {
  const outgoing = new Outgoing();
  const interactions = actorModule<InteractionState>({
    definition: {
      kind: 'interaction',
      prefix: 'IN',
      initial: newInteraction,
      evolve(state, recorded, emit) {
        outgoing.touch(state, recorded);
        evolveInteraction(state, recorded, emit);
      },
      clone: (state) => ({ ...state }),
      personal: { names: PERSONAL, refused: PERSONAL, ownerOf: ({ id, personId }) => ownerOf(id, personId) },
      row: interactionRow,
      pack: (state) => state,
      unpack: (packed: InteractionState) => packed,
      agenda: interactionAgenda,
      refersTo: ({ status, plan, personId, loanIds }, env) =>
        status === 'scheduled' && plan !== null && personId !== null ? referredToScreen(env, personId, loanIds) : [],
      catchUp: (state, _throughDay, env) => catchUpInteraction(state, env),
      lifecycle: { machine: interactionMachine, at: ({ status }) => ({ value: status }) },
    },
    commands: [
      createInteraction,
      updateInteraction,
      cancelInteraction,
      deleteInteraction,
      sendMessage,
      sendRow,
      ...serviceCommands,
      ...deliveryCommands,
      bounced,
      complained,
      unsubscribe,
      sendAgain,
      receive,
      receiveUnbound,
    ],
    queries: [listInteractions, listPersonInteractions, ...interactionQueries, outgoingQuery(outgoing), listUndelivered, unsubscribable],
  });
  return { ...interactions, commands: [...interactions.commands, stopTexts] };
}

/** The next moment of a planned contact: its window begins, then ends. */
function windowMoment({ status, isDue, scheduledAtFrom, scheduledAtTo }: InteractionState): number | null {
  return status === 'scheduled' ? (isDue ? scheduledAtTo : scheduledAtFrom) : null;
}

/** A message of the service has other moments: its time of sending, and in test mode the time of its simulated report. */
const nextMoment = (state: InteractionState): number | null => (state.isExternal ? windowMoment(state) : messageMoment(state));

function interactionAgenda(state: InteractionState): AgendaEntry | null {
  const at = isReachable(state) ? nextMoment(state) : null;
  return at === null ? null : { zone: MOMENTS, nextDay: dayOfMoment(at) };
}

/** The facts that are due by now. Each is applied before the next one is requested. */
function* catchUpInteraction(state: InteractionState, env: DecideEnv): Iterable<FactDraft> {
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
