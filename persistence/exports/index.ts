export { type ClusterPlace, openClusterSource } from './cluster-source.js';
export { openClusterTarget } from './cluster-target.js';
export { assertHoldsData, openFolderSource } from './folder-source.js';
export { openFolderTarget } from './folder-target.js';
export { type ExportContents, unwrapIdKey, wrapIdKey } from './manifest.js';
export { openSource, openTarget, type PlaceOptions } from './open-place.js';
export type { ExportSource, RestoreTarget } from './places.js';
export { openExport, type OpenedExport } from './reader.js';
export { ExportWriter } from './writer.js';
