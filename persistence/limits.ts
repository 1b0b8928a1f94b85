import type { Clock } from './ports.js';

/** Every bound of this folder, in one place. Sizes in bytes. */
export const limits = {
  /** Size of a journal segment unless the caller asks for another. One lies ready ahead of the one in use. */
  segmentBytes: 32 * 1024 * 1024,
  /** Below this a segment could not hold its own header and a batch of any use. */
  smallestSegmentBytes: 8 * 1024,
  /** Between two looks at letters whose batch is due, and how long those that were sent can be sent again. */
  lettersEveryMs: 10_000,
  lettersKeptMs: 30 * 86_400_000,
  /** How long an SFTP server may take to let the service in. */
  sftpMs: 20_000,
  /** One batch is one write from one buffer. A larger one is a bug of the batching above. */
  batchBytes: 256 * 1024 * 1024,
  /** How long the server may take to acknowledge a message of the journal. */
  journalAckMs: 5_000,
  /** Between two looks at how much the stream of the journal still takes. */
  streamLookMs: 1_000,
  /** What of it is left to others and to fences: this much, or this part of a smaller one. */
  streamReserveBytes: 64 * 1024 * 1024,
  streamReservePart: 1 / 16,
  /**
   * Of a consumer: how long one of its requests waits at the server, and between two signs of life of it. What was lost on the way is
   * missed after two of these, and looked for again after one such wait: the library's own 30 and 15 seconds keep shared facts from those
   * who follow for as long.
   */
  consumerRequestMs: 2_000,
  consumerHeartbeatMs: 1_000,
  /**
   * After which the server forgets a consumer that nobody asks: the library's own five minutes keep three of each unit that was opened, be
   * they read to their end or those of a worker that died, and each message that is stored goes past all of them.
   */
  consumerIdleMs: 60_000,
  /** Messages of a restored journal on their way to the server at once. */
  filledInFlight: 256,
  /** How long the server may take to acknowledge one of them: it writes gigabytes to its disk at once every other minute. */
  filledAckMs: 300_000,
  /** How long a reading of a whole stream waits for the next message. */
  wholeReadSilenceMs: 30_000,
  /** Looks at the end of a shard whose writer misses what was acknowledged, and milliseconds between two, before it is said to be lost. */
  lossLooks: 3,
  lossLookMs: 300,
  /** Between two tries to fence shards for which the stream had no room. */
  fenceAgainMs: 500,
  /** How long a stream recognizes a message that is sent again. */
  duplicateWindowMs: 120_000,
  /** How long the server may take to acknowledge an event that is published. */
  eventAckMs: 5_000,
  /** How long, and how much, the stream of published events keeps where we make it. */
  eventStreamAgeMs: 7 * 24 * 3_600_000,
  eventStreamBytes: 10 * 1024 ** 3,
  /** On a server with less room it is half as large, and half of that again, but not less than this. */
  smallestEventStreamBytes: 64 * 1024 ** 2,
  /** How long the stream of deliveries keeps an entry that nobody writes again: longer than the log of deliveries does. */
  outboxAgeMs: 100 * 24 * 3_600_000,
  /** Its entries on their way to the server at once, and those that are read in one go. */
  outboxInFlight: 500,
  /** Pause before the deliveries of a cluster are taken over again after a failure. */
  outboxRetryMs: 1_000,
  /** What a server's largest message leaves for headers. */
  messageHeaderBytes: 1_024,
  /** How long an answer of the shared key-value store is waited for. */
  keyValueMs: 2_000,
  /** Times that a start asks it before it gives up. */
  startTries: 5,
  /** Pause of a watch before it looks for changes of which it has heard nothing. */
  watchEveryMs: 500,
  /** The same after it has heard of one: hearing is quicker than storing. */
  watchSoonMs: 10,
  /** How long the owner of a unit may take to store a snapshot that it is asked for. */
  snapshotAskMs: 10 * 60 * 1_000,
  /** Chunks of an object: one message of the server each, at its standard size of messages. */
  objectChunkBytes: 512 * 1024,
  /** Longest time of one call to a bucket of documents. */
  blobMs: 20_000,
  /** Enough for the heads of 1,300 shards. */
  headerBytes: 64 * 1024,
  /** Preallocation goes in steps of this size, so that appends get their turn at the disk between them. */
  allocationStepBytes: 1024 * 1024,
  /** Longest file of blocks in an export, unless one block is longer; the reader has one in memory. */
  exportPartBytes: 32 * 1024 * 1024,
  /** What is gathered for one write of an export, and for one append of a restore. */
  exportWriteBytes: 1024 * 1024,
  /** Data keys that a restore makes durable at once. */
  adoptedKeys: 1_000,
  /** Pause before a full disk is tried again. */
  allocationRetryMs: 1_000,
  /** Tries to make a segment that an append cannot do without, before the append fails. */
  allocationAttempts: 5,
  /** Part of a segment that `hasRoom` keeps for what is decided next. */
  roomWhilePreparing: 1 / 4,
  /** Slots at the end of the key file that opening writes once more: more than one flush ever adds. */
  settledKeySlots: 8 * 1024,
  /**
   * Slots that lie ready behind the used ones in the key file, and how many of them must be free before a command is decided: more than
   * one ever makes keys.
   */
  keySlotsAhead: 8 * 1024,
  keySlotsFree: 1024,
  /** Data keys kept unwrapped in memory; the oldest are unwrapped again when needed. */
  unwrappedKeys: 100_000,
  /** Data keys on their way to the cluster's bucket at once, and from it. */
  keysInFlight: 1_000,
  /** Tries to change the record of the cluster against others who change it. */
  identityTries: 5,
  /** Keys that an image of them takes before others have their turn. */
  imageSliceKeys: 2_000,
  /** Keys that a rotation wraps before it lets others run. */
  rotationSliceKeys: 200,
  /** LMDB's limit at its page size. */
  snapshotKeyBytes: 1978,
  /**
   * Address space that an LMDB environment is mapped into from the start. One that outgrows its map gets another one, and the pages of all
   * earlier ones stay in memory until the process ends.
   */
  snapshotMapBytes: 64 * 1024 ** 3,
  /** Entries that are made ready for a transaction between two looks at the clock, and milliseconds of it before others get their turn. */
  preparedSlice: 200,
  preparedSliceMs: 10,
  /** Bytes of a piece of the memory in which a transaction is made ready, and such pieces that an environment keeps for the next one. */
  arenaPieceBytes: 1024 ** 2,
  arenaPieces: 16,
  /** How long a start must live for its end, whatever it was, not to count as a short life. */
  shortLifeMs: 5_000,
  /** Short lives, or lives of any length without an orderly end, within this time, after which environments are checked whole. */
  shortLives: 3,
  uncleanLives: 10,
  uncleanLivesWithinMs: 60 * 60 * 1_000,
  /** A check that takes longer than this walks in circles. */
  environmentCheckMs: 10 * 60 * 1_000,
  /** Damaged copies kept of each environment. */
  damagedKept: 2,
  /** Milliseconds between two tries to reach a server again. */
  natsReconnectMs: 250,
  /** How long a server that takes a connection may keep silent: one that stands still takes it and says nothing. */
  natsGreetingMs: 2_000,
  /** Times that a start waits so long before it gives up. */
  natsGreetings: 10,
  /** Milliseconds between two signs of life: a server that misses two is lost. */
  natsPingMs: 2_000,
  /** Requests of one process that wait for answers over a bus; further ones are refused. */
  busWaiting: 20_000,
  /** Longest request or answer over a bus: a body at its largest, and as much again. */
  busMessageBytes: 32 * 1024 * 1024,
  /** Milliseconds after which the pieces of a message whose others do not come are dropped. */
  busPiecesMs: 30_000,
  /** Milliseconds between looks at what has waited too long for an answer. */
  busLookMs: 50,
  /** How long an answer is waited for until its address is probed, and between two probes. */
  busProbeMs: 500,
} as const;

/** The machine's clock. Business time never comes from it: that is data (`DayClosed`). */
export const systemClock: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() };
