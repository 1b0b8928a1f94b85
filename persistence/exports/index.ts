export { type ClusterLocation, openClusterSource, openClusterTarget } from './cluster-location.js';
export {
  assertHoldsData,
  type ExportSource,
  openFolderSource,
  openFolderTarget,
  openSource,
  openTarget,
  type LocationOptions,
  type RestoreTarget,
} from './folder-location.js';
export { type ExportContents, unwrapIdKey, wrapIdKey } from './manifest.js';
export { openExport, type OpenedExport } from './reader.js';
export { ExportWriter } from './writer.js';
