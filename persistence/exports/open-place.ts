import { join } from 'node:path';
import { readMasterKey } from '../keys/master-key.js';
import { type ClusterPlace, openClusterSource } from './cluster-source.js';
import { openClusterTarget } from './cluster-target.js';
import { assertHoldsData, FOLDER_PARTS, openFolderSource } from './folder-source.js';
import { openFolderTarget } from './folder-target.js';
import type { ExportSource, RestoreTarget } from './places.js';

/** A data folder, or a cluster where its server is named. */
export interface PlaceOptions extends Omit<ClusterPlace, 'nats' | 'masterKey'> {
  readonly dataFolder: string;
  readonly nats: string | null;
  readonly masterKeyText: string | null;
  readonly masterKeyFile: string | null;
}

export async function openSource(options: PlaceOptions): Promise<ExportSource> {
  if (options.nats === null) assertHoldsData(options.dataFolder);
  return opened(options, openFolderSource, openClusterSource);
}

export const openTarget = async (options: PlaceOptions): Promise<RestoreTarget> => opened(options, openFolderTarget, openClusterTarget);

/** The master key must be there already: a new one would open nothing. */
function opened<Place>(
  { dataFolder: folder, nats, masterKeyText: text, masterKeyFile, ...cluster }: PlaceOptions,
  inFolder: (place: Parameters<typeof openFolderSource>[0]) => Promise<Place>,
  inCluster: (place: ClusterPlace) => Promise<Place>,
): Promise<Place> {
  const masterKey = readMasterKey({ text, file: masterKeyFile ?? join(folder, FOLDER_PARTS.masterKey) });
  return nats === null ? inFolder({ folder, masterKey, shards: cluster.shards }) : inCluster({ ...cluster, nats, masterKey });
}
