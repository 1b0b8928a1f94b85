export { systemClock } from './clock.js';
export * from './errors.js';
export type { FileLayer, OpenFile } from './files/file-layer.js';
export { nodeFiles } from './files/node-files.js';
export { type JournalOptions, type OpenedJournal, openJournal } from './journal/journal.js';
export { type RecoveryCase, recoveryCases } from './journal/recovery-cases.js';
export type { OpenReport } from './journal/recover.js';
export * from './keys/index.js';
export * from './snapshots/index.js';
