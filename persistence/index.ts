export { BucketBlobs, FolderBlobs, StreamBlobs } from './blobs.js';
export { bucketLocation } from './ports.js';
export { systemClock } from './limits.js';
export * from './errors.js';
export * from './exports/index.js';
export type { FileLayer, OpenFile } from './files/file-layer.js';
export { nodeFiles } from './files/node-files.js';
export {
  assertReadable,
  assertWritable,
  atPath,
  folderBytes,
  freeBytes,
  isSystemError,
  PathUnusable,
  troubleWithoutPath,
} from './files/path-unusable.js';
export { LocalBus, NatsBus } from './bus/nats-bus.js';
export { openJournalOn, openStreamJournal, type StreamPart } from './jetstream/journal.js';
export {
  type JournalStream,
  type NewMessage,
  NotTaken,
  Overtaken,
  streamBytes,
  type StreamMessage,
  type StreamServer,
  UnsafeStream,
} from './jetstream/nats-stream.js';
export { type OpenedJournal, openJournal } from './journal/journal.js';
export { recoveryCases } from './journal/segments.js';
export type { OpenReport } from './journal/recover.js';
export { verifyJournal } from './journal/verify.js';
export { insistently, MemoryKeyValue, openStreamKeyValue } from './key-values.js';
export * from './keys/index.js';
export * from './objects/index.js';
export { folderAdapters, removeMessages } from './folder-messages.js';
export { LetterBatches } from './letters/letter-batches.js';
export { type BatchRecord, LetterFolder, removeLetters } from './letters/letter-files.js';
export { bucketTarget, folderTarget, type LetterTarget, sftpTarget } from './letters/letter-targets.js';
export { Maildir } from './maildir.js';
export { connectNats, NatsEventStream } from './nats.js';
export { FolderLocked, inFolderOrBeside, lockFolder } from './folder-lock.js';
export { OutboxStream, StreamOutbox } from './outbox.js';
export { ThreadHeartbeat } from './heartbeat/thread-heartbeat.js';
export { areBeingKept, eraseKeptViews, KEPT_VIEWS, type KeptViewsOptions } from './questions/kept-views.js';
export { QuestionStore } from './questions/question-store.js';
export * from './snapshots/index.js';
