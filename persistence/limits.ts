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
  /** Pause between two requests for the room that the stream of the journal has left. */
  streamLookMs: 1_000,
  /** Room in it that is reserved for others and for fences: this much, or this part of a smaller stream. */
  streamReserveBytes: 64 * 1024 * 1024,
  streamReservePart: 1 / 16,
  /**
   * How long a request of a consumer waits at the server, and the time between two heartbeats of the server. A lost message is noticed
   * after two missed heartbeats, and requested again after one such wait. With the library's own 30 and 15 seconds, followers would get
   * shared facts that much later.
   */
  consumerRequestMs: 2_000,
  consumerHeartbeatMs: 1_000,
  /**
   * Time after which the server forgets an idle consumer. With the library's own five minutes, three consumers of each opened unit would
   * stay, even those of a worker that died, and the server checks every stored message against all of them.
   */
  consumerIdleMs: 60_000,
  /** Messages of a restored journal that are sent at once. */
  filledInFlight: 256,
  /** How long the server may take to acknowledge one of them: every two minutes it writes gigabytes to its disk. */
  filledAckMs: 300_000,
  /** How long a reading of a whole stream waits for the next message. */
  wholeReadSilenceMs: 30_000,
  /** How often the end of a shard is read again before acknowledged records count as lost, and milliseconds between two readings. */
  lossLooks: 3,
  lossLookMs: 300,
  /** How long the lease of a writer that has found a loss is waited for before it leaves the shard without a mark, in milliseconds. */
  lossLeaseMs: 5_000,
  /** Pause between two tries to fence shards for which the stream had no room. */
  fenceAgainMs: 500,
  /** How long a stream recognizes a message that is sent again. */
  duplicateWindowMs: 120_000,
  /** How long the server may take to acknowledge an event that is published. */
  eventAckMs: 5_000,
  /** Age and size of the stream of published events where this program creates it. */
  eventStreamAgeMs: 7 * 24 * 3_600_000,
  eventStreamBytes: 10 * 1024 ** 3,
  /** On a server with less room the size is halved until it fits, but not below this. */
  smallestEventStreamBytes: 64 * 1024 ** 2,
  /** How long the stream of deliveries keeps an entry that nobody writes again: longer than the log of deliveries does. */
  outboxAgeMs: 100 * 24 * 3_600_000,
  /** Its entries that are sent at once, and those that are read at once. */
  outboxInFlight: 500,
  /** Pause before the deliveries of a cluster are taken over again after a failure. */
  outboxRetryMs: 1_000,
  /** Bytes of the largest message that are reserved for headers. */
  messageHeaderBytes: 1_024,
  /** How long an answer of the shared key-value store is waited for. */
  keyValueMs: 2_000,
  /** Tries of a start before it gives up. */
  startTries: 5,
  /** Pause of a watch before it looks for changes without a notice. */
  watchEveryMs: 500,
  /** The same after a notice, which can come before the change is stored. */
  watchSoonMs: 10,
  /** How long the owner of a unit may take to store a snapshot that it is asked for. */
  snapshotAskMs: 10 * 60 * 1_000,
  /** Chunks of an object: one message of the server each, at its standard size of messages. */
  objectChunkBytes: 512 * 1024,
  /** Longest time of one call to a bucket of documents. */
  blobMs: 20_000,
  /** Enough for the heads of 1,300 shards. */
  headerBytes: 64 * 1024,
  /** Preallocation writes steps of this size, so that appends can use the disk between them. */
  allocationStepBytes: 1024 * 1024,
  /** Longest file of blocks in an export, unless one block is longer; the reader has one in memory. */
  exportPartBytes: 32 * 1024 * 1024,
  /** Bytes that one write of an export, or one append of a restore, collects. */
  exportWriteBytes: 1024 * 1024,
  /** Data keys that a restore makes durable at once. */
  adoptedKeys: 1_000,
  /** Pause before a full disk is tried again. */
  allocationRetryMs: 1_000,
  /** Tries to make a segment that an append needs, before the append fails. */
  allocationAttempts: 5,
  /** Part of a segment that `hasRoom` reserves for what is decided next. */
  roomWhilePreparing: 1 / 4,
  /** Slots at the end of the key file that opening writes once more: more than one flush ever adds. */
  settledKeySlots: 8 * 1024,
  /**
   * Free slots that are kept ready in the key file, and how many must be free before a command is decided: more than a command ever
   * creates keys.
   */
  keySlotsAhead: 8 * 1024,
  keySlotsFree: 1024,
  /** Most data keys kept unwrapped in memory; those that were used longest ago are unwrapped again when needed. */
  unwrappedKeys: 100_000,
  /** Data keys that are written to the cluster's bucket, or read from it, at once. */
  keysInFlight: 1_000,
  /** Tries to change the record of the cluster while others change it. */
  identityTries: 5,
  /**
   * Data keys that an image of them may lack before the next one is stored, or the part of all of them: a takeover reads these one by one,
   * which takes 20 microseconds each.
   */
  unimagedKeys: 1_024,
  unimagedPart: 1 / 16,
  /** Milliseconds between checks whether an image of data keys lacks too many. */
  keyImageLookMs: 5_000,
  /** Keys that are added to an image between two pauses for other work. */
  imageSliceKeys: 2_000,
  /** Keys that a rotation wraps between two pauses for other work. */
  rotationSliceKeys: 200,
  /** LMDB's limit at its page size. */
  snapshotKeyBytes: 1978,
  /**
   * Address space that an LMDB environment is mapped into from the start. An environment that outgrows it gets a new map, and the pages of
   * all earlier maps stay in memory until the process ends.
   */
  snapshotMapBytes: 64 * 1024 ** 3,
  /** Bytes that the disk must have free for a transaction: for each byte of its entries, since pages are copied, and in all. */
  snapshotRoomFactor: 2,
  snapshotRoomBytes: 256 * 1024,
  /** Entries that are prepared for a transaction between two readings of the clock, and milliseconds until a pause for other work. */
  preparedSlice: 200,
  preparedSliceMs: 10,
  /** Bytes of a buffer in which a transaction is prepared, and buffers that an environment keeps for the next one. */
  arenaPieceBytes: 1024 ** 2,
  arenaPieces: 16,
  /** A process that ends before this time counts as a short life, whatever ended it. */
  shortLifeMs: 5_000,
  /** Short lives, or lives of any length without an orderly end, within this time, after which environments are checked whole. */
  shortLives: 3,
  uncleanLives: 10,
  uncleanLivesWithinMs: 60 * 60 * 1_000,
  /** A check that takes longer than this follows a cycle of damaged pages. */
  environmentCheckMs: 10 * 60 * 1_000,
  /** Damaged copies kept of each environment. */
  damagedKept: 2,
  /** Milliseconds between two tries to reach a server again. */
  natsReconnectMs: 250,
  /** How long a server may stay silent after it accepted a connection: a stopped server accepts it and sends nothing. */
  natsGreetingMs: 2_000,
  /** Such waits of a start before it gives up. */
  natsGreetings: 10,
  /** How often a stream or bucket is made that other members make at the same moment, and milliseconds between two tries. */
  makingTries: 10,
  makingAgainMs: 100,
  /** Milliseconds between two pings: a server that misses two is lost. */
  natsPingMs: 2_000,
  /** Requests of one process that wait for answers over a bus; further ones are refused. */
  busWaiting: 20_000,
  /** Longest request or answer over a bus: a body at its largest, and as much again. */
  busMessageBytes: 32 * 1024 * 1024,
  /** Milliseconds after which the pieces of an incomplete message are dropped. */
  busPiecesMs: 30_000,
  /** Milliseconds between checks for requests that have waited too long. */
  busLookMs: 50,
  /** How long an answer is waited for until its address is probed, and between two probes. */
  busProbeMs: 500,
} as const;

/** The machine's clock. Business time never comes from it: it is data (`DayClosed`). */
export const systemClock: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() };
