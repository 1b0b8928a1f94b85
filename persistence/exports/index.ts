export { type ClusterPlace, openClusterSource, openClusterTarget } from './cluster-place.js';
export {
  assertHoldsData,
  type ExportSource,
  openFolderSource,
  openFolderTarget,
  openSource,
  openTarget,
  type PlaceOptions,
  type RestoreTarget,
} from './folder-place.js';
export { type ExportContents, unwrapIdKey, wrapIdKey } from './manifest.js';
export { openExport, type OpenedExport } from './reader.js';
export { ExportWriter } from './writer.js';
