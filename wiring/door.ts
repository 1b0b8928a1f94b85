import { actorModules, RUNTIME_LIMITS, UNITS, unitsOfOwners } from '../actors/index.js';
import { clusterWorkshop, type Door } from '../bench/index.js';
import { openSource, openTarget, type PlaceOptions, systemClock } from '../persistence/index.js';
import { openGateway } from './gateway.js';
import { askShards } from './membership.js';
import { openHouse, openWorkshop } from './one-process.js';
import { checkedSettings } from './settings.js';
import { settlement } from './settlement.js';
import { openWorker } from './worker.js';

/** What subcommands ask for, of parts that are wired together here and nowhere else. */
export const door: Door = {
  open: async (flags) => openHouse(checkedSettings(flags)),
  openWorkshop: async (flags, { checkRecords }) =>
    flags['nats'] === undefined
      ? openWorkshop(checkedSettings(flags), checkRecords ? 'checkingRecords' : 'quickly')
      : clusterWorkshop({
          settings: checkedSettings(flags),
          source: await openSource(placeOf(flags)),
          clock: systemClock,
          modules: actorModules({ settlement }),
        }),
  openWorker: async (flags) => openWorker(checkedSettings(flags)),
  openGateway: async (flags) => openGateway(checkedSettings(flags)),
  askShards: async (flags) => askShards(checkedSettings(flags)),
  openSource: async (flags) => openSource(placeOf(flags)),
  openTarget: async (flags) => openTarget(placeOf(flags)),
};

/** Where an export comes from or goes: a data folder that is named is meant, whatever cluster the environment knows. */
function placeOf(flags: Readonly<Record<string, unknown>>): PlaceOptions {
  const { masterKey: masterKeyText, ...settings } = checkedSettings(flags);
  const isFolder = flags['dataFolder'] !== undefined && flags['nats'] === undefined;
  return {
    ...settings,
    masterKeyText,
    nats: isFolder ? null : settings.nats,
    shards: RUNTIME_LIMITS.shards,
    units: UNITS.map(({ name }) => name),
    unitsOf: unitsOfOwners,
  };
}
