import { type ActorModule, actorModule, type CatalogRow } from '../../kernel/actor.js';
import { portalUserCommands } from './decide.js';
import { portalUserQueries } from './view.js';
import { evolvePortalUser, newPortalUser, type PortalUserState } from './state.js';

/** The digest of the name among them: it lies on the disk under keyed digests alone. */
const PERSONAL: ReadonlySet<string> = new Set(['externalId', 'nameHash', 'passwordHash']);

/** Users of borrowers, each on the shard of its borrower: as many as there are borrowers. */
export const portalUserModule: ActorModule = actorModule<PortalUserState>({
  definition: {
    kind: 'portalUser',
    prefix: 'UR',
    initial: newPortalUser,
    evolve: evolvePortalUser,
    clone: (state) => ({ ...state }),
    personal: { names: PERSONAL, refused: PERSONAL, ownerOf: ({ personId }) => personId },
    row: rowOf,
    pack: (state) => state,
    unpack: (packed) => packed as PortalUserState,
  },
  commands: portalUserCommands,
  queries: portalUserQueries,
});

/** Found by the hash of its name. */
function rowOf({ id, personId, nameHash, status, createdStamp, updatedStamp }: PortalUserState): CatalogRow | null {
  return createdStamp === 0 ? null : { id, externalId: nameHash, createdStamp, updatedStamp, parentId: personId, fields: { status } };
}
