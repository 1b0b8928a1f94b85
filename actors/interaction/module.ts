import { type ActorModule, actorModule } from '../runtime/actor.js';
import { createInteraction } from './commands/create.js';
import { serviceCommands } from './commands/service.js';
import { cancelInteraction, deleteInteraction, updateInteraction } from './commands/update.js';
import { catchUpInteraction, interactionAgenda } from './deadlines.js';
import { evolveInteraction } from './evolve.js';
import { listInteractions, listPersonInteractions } from './queries/list.js';
import { interactionQueries } from './queries/one.js';
import { receive, receiveUnbound } from './receive/command.js';
import { interactionRow } from './row.js';
import { type InteractionState, newInteraction } from './state.js';

/** Interactions, each on the shard of its borrower. */
export const interactionModule: ActorModule = actorModule<InteractionState>({
  definition: {
    kind: 'interaction',
    prefix: 'IN',
    initial: newInteraction,
    evolve: evolveInteraction,
    clone: (state) => ({ ...state }),
    row: interactionRow,
    pack: (state) => state,
    unpack: (packed) => packed as InteractionState,
    agenda: interactionAgenda,
    catchUp: (state, _throughDay, env) => catchUpInteraction(state, env),
  },
  commands: [createInteraction, updateInteraction, cancelInteraction, deleteInteraction, ...serviceCommands, receive, receiveUnbound],
  queries: [listInteractions, listPersonInteractions, ...interactionQueries],
});
