import { type ActorModule, actorModule } from '../kernel/actor.js';
import { deliveryCommands } from './sending/delivery/commands.js';
import { Outgoing, outgoingQuery } from './sending/delivery/outgoing.js';
import { sendMessage } from './sending/send/command.js';
import { createInteraction } from './interactions/commands/create.js';
import { serviceCommands } from './interactions/commands/service.js';
import { cancelInteraction, deleteInteraction, updateInteraction } from './interactions/commands/update.js';
import { catchUpInteraction, interactionAgenda } from './deadlines.js';
import { evolveInteraction } from './interactions/evolve.js';
import { listInteractions, listPersonInteractions } from './interactions/queries/list.js';
import { interactionQueries } from './interactions/queries/one.js';
import { receive, receiveUnbound } from './receiving/command.js';
import { stopTexts } from './receiving/stop-texts.js';
import { interactionRow } from './interactions/row.js';
import { ownerOf } from './interactions/sealing.js';
import { type InteractionState, newInteraction } from './interactions/state.js';

const PERSONAL: ReadonlySet<string> = new Set(['externalId', 'metaData']);

/** Interactions, each on the shard of its borrower. Each engine needs a module of its own: it keeps what waits to be handed over. */
export function interactionModule(): ActorModule {
  const outgoing = new Outgoing();
  const interactions = actorModule<InteractionState>({
    definition: {
      kind: 'interaction',
      prefix: 'IN',
      initial: newInteraction,
      evolve(state, fact, emit) {
        outgoing.touch(state, fact);
        evolveInteraction(state, fact, emit);
      },
      clone: (state) => ({ ...state }),
      personal: { names: PERSONAL, ownerOf: ({ id, personId }) => ownerOf(id, personId) },
      row: interactionRow,
      pack: (state) => state,
      unpack: (packed) => packed as InteractionState,
      agenda: interactionAgenda,
      catchUp: (state, _throughDay, env) => catchUpInteraction(state, env),
    },
    commands: [
      createInteraction,
      updateInteraction,
      cancelInteraction,
      deleteInteraction,
      sendMessage,
      ...serviceCommands,
      ...deliveryCommands,
      receive,
      receiveUnbound,
    ],
    queries: [listInteractions, listPersonInteractions, ...interactionQueries, outgoingQuery(outgoing)],
  });
  return { ...interactions, commands: [...interactions.commands, stopTexts] };
}
