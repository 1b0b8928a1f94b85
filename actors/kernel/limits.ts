/** All limits of the runtime. */
export const LIMITS = {
  /** Virtual shards of borrowers and everything below them; part of every id, so fixed for the installation's life. */
  shards: 64,
  /**
   * Ids of each shard that a restore skips, since they may have been given after the end of its export; there is room for two thousand
   * restores.
   */
  idsSteppedOver: 2 ** 24,
  /** Records that may wait for a flush before new commands are answered 503. */
  pendingRecords: 200_000,
  /**
   * Records that may wait for a flush before mass work pauses: a reader of what it has computed waits until they are durable. A worker of a
   * cluster has as many such batches as units, and all of them go through one stream.
   */
  pendingBackgroundRecords: 2_048,
  /** Types and targets of commands that are simulated on a copy first, since one of them failed after its facts were applied. */
  failedLate: 1_000,
  /** Milliseconds until a sweep checks for room again. */
  roomRetryMs: 50,
  /** Attempts of a command that has a calendar opened: each wait may end with other facts than the needed one. */
  sharedTries: 3,
  /** Answers of other units of the cluster that a command or query may need, one after the other. */
  remoteTries: 32,
  /** How long such an answer is valid for decisions, in milliseconds. */
  remoteMs: 2_000,
  /** Number of such answers kept. */
  remoteEntries: 20_000,
  /**
   * How long an external id is kept for the command that claimed it, in milliseconds; a new owner of claims waits as long before it grants
   * any.
   */
  claimMs: 5_000,
  /** Claims that one process keeps at once. */
  claims: 20_000,
  /** Longest wait of a `sync` call, and for a test clock that is created with a later date, in milliseconds. */
  syncWaitMs: 20_000,
  /** Longest wait of a read for the flush of its data, in milliseconds. */
  readWaitMs: 5_000,
  /** Actors kept in memory after their snapshot is stored. */
  cachedActors: 30_000,
  /** Actors examined in one step of cache eviction; other work runs between steps. */
  restingStep: 512,
  /** Longest time slice of work that can wait (packing for a snapshot, reading rows after a start) before other work runs. */
  sliceMs: 2,
  /** Milliseconds between two time slices of views and campaigns while the heap is marked. */
  markingPauseMs: 25,
  /** The same of mass work, beside other work that takes as long or longer. */
  longSliceMs: 25,
  /** The same of a snapshot: a bulk load has rounds of a quarter of a second, and each time slice waits for one. */
  snapshotSliceMs: 100,
  /** Milliseconds between two time slices of a snapshot beside other work: requests meanwhile wait for one slice, not for all. */
  snapshotPauseMs: 8,
  /** Changed actors above which a snapshot no longer pauses, so that it keeps up with the changes. */
  snapshotHurryActors: 10_000,
  /** Actors of one transaction of a snapshot: more block the thread when they are handed over, fewer write each page more often. */
  snapshotBatch: 400,
  /** The same when the transaction before it is slow: many small ones would fall behind a bulk load. */
  longSnapshotBatch: 4_000,
  /** The same while a start stores the changes of a long journal and serves no requests. */
  recoveryBatch: 8_000,
  /** Events, and replies, stored in a shortest time slice of a snapshot: a transaction each. */
  eventSlice: 256,
  replySlice: 128,
  /** The most in a longer time slice. */
  longStoreSlice: 4_096,
  /** Replies that a start may hold while it reads the journal before it stores them. */
  recoveryReplies: 20_000,
  /** Milliseconds between snapshots while there is something to store. */
  snapshotEveryMs: 5_000,
  /** A snapshot pauses so many times as long as the one before took, up to these milliseconds. */
  snapshotRests: 2,
  snapshotRestMs: 30_000,
  /** Records of the journal after which the next snapshot does not wait for its time: a start reads no more than about these. */
  snapshotEveryRecords: 150_000,
  /**
   * Records of the journal after which a running snapshot no longer pauses: otherwise a snapshot that never ends would let a start read
   * ever more.
   */
  snapshotHurryRecords: 300_000,
  /** Milliseconds between checks whether a snapshot is due. */
  snapshotLookMs: 250,
  /** Actors that reading the journal may change before a start stores them: it needs no more memory than serving. */
  recoveryActors: 20_000,
  /** Records that a start reads while other starts of its process run; one with more to read waits until no other runs. */
  longTailRecords: 10_000,
  /** Shapes of stored objects; an object of any other shape is stored with its names. */
  recordShapes: 4_096,
  /** Names of one shape: an object with more of them is a list with keys chosen by a user. */
  shapeNames: 100,
  /** Objects of a shape after which reading it is compiled. */
  shapeReads: 16,
  /** Rows of a list that are looked at at once, in about a millisecond; more of them in time slices. */
  rowsAtOnce: 10_000,
  /** Lists of a tenant with more rows that are read at a time, where each holds its rows, and those that wait. */
  longLists: 4,
  waitingLists: 100,
  /** Rows below a parent from which on the list index keeps orders of them, and parents of a kind for which it does. */
  keptFrom: 64,
  keptLists: 4_096,
  /** Texts (statuses, dates, ids of loan types) that the rows of the list index share. */
  sharedTexts: 100_000,
  /** Lists (statuses, numbers of transactions by status) that they share. */
  sharedLists: 100_000,
  /** Loans that one batch of mass work computes at most, however quick they are. */
  massBatch: 256,
  /** How often mass work may meet a bug, each of which makes the service compute its memory again, until it waits for the next start. */
  massBugs: 3,
  /** Actors whose day has come that a sweep takes up together. */
  sweepLook: 4_096,
  /** Pieces of mass work that are known at once; closed days make room first. */
  massWorks: 200,
  /** Loans that mass work could not compute and lists by id. */
  namedFailures: 100,
  /** Milliseconds between checks whether paused work goes on. */
  pauseLookMs: 50,
  /** Changed actors above which mass work waits for a snapshot: changed actors stay in memory until they are stored. */
  dirtyInBackground: 60_000,
  /** The same for commands, which are answered 503 until a snapshot has caught up. */
  dirty: 150_000,
  /** Longest wait of a command for a loan that mass work is computing, in milliseconds. */
  lockWaitMs: 5_000,
  /** Bytes of a report of differences, compressed; rows beyond them count in its totals alone. */
  reportBytes: 64 * 1024 ** 2,
  /** Characters of a report that are compressed, and sent, together. */
  reportPart: 256 * 1024,
  /** Reports kept at a time. */
  reports: 8,
  /** Longest life of a dry run, in milliseconds: nothing of it is stored, so that a start computes it again. */
  dryRunMs: 24 * 3_600_000,
  /** How long a stored reply answers a retry, in milliseconds. */
  storedReplyMs: 24 * 3_600_000,
  /** Bytes of stored replies on the disk; the oldest make room for the newest. */
  storedReplyBytes: 4 * 1024 ** 3,
  /** Rows of a list whose last changes are remembered, so that a reader who follows them looks at no others. */
  changedRows: 20_000,
  /** Persons with unreadable data that are reported to the operator. */
  reportedUnreadable: 1_000,
  /** Chunks of old replies that are removed while one is stored. */
  replyChunksForgotten: 4,
  /** Accepted commands remembered in memory, whether their replies are on the disk or not. */
  recentCommands: 50_000,
  /** Newest events of a tenant, and of all tenants, kept in memory for streams. */
  recentEvents: 20_000,
  recentEventsOfAll: 60_000,
  /** How long a finished operation can be asked for, in milliseconds. */
  operationMs: 3_600_000,
  /**
   * How long the units of a cluster keep their shares of mass work, in milliseconds from its order: one unit may finish a day before
   * another.
   */
  shareMs: 25 * 3_600_000,
  /** Operations remembered at most. */
  operations: 100_000,
  /** Milliseconds between two attempts to open a journal that has failed. */
  reopenEveryMs: 1_000,
  /** Milliseconds between checks of the wall clock for closed days. */
  clockTickMs: 1_000,
  /** A worker without a beat for this long is dead to the others, in milliseconds. */
  leaseTtlMs: 2_500,
  /** Milliseconds after its last acknowledged beat at which a worker owns nothing. */
  leaseHoldMs: 2_000,
  /** Milliseconds between two beats of a worker. */
  leaseBeatMs: 400,
  /** How much longer a worker waits for the others after an outage of the store, in milliseconds: not all are back at once. */
  leaseGraceMs: 6_000,
  /** For how long a worker is kept alive whose thread is too busy for anything else, in milliseconds. */
  workerStallMs: 10_000,
  /** Milliseconds for which shards stay where they are after a worker has come: others come with it. */
  leaseSettleMs: 500,
  /** Longest time for which the list indexes of opened units wait for units that are still being opened, in milliseconds. */
  openingWaitMs: 10_000,
  /** Requests for a company's test clock that are kept to answer retries, and for the operation of an advance: the newest. */
  clockRequests: 1_000,
  /** Days that one advance of a test clock may span. */
  advanceDays: 366 * 50,
  /** Days that a test clock may be ahead of the machine's clock. */
  clockAheadDays: 366 * 100,
  /** Milliseconds between checks whether the other units of a cluster have done the work of a closed day: the first, and the longest. */
  closedLookMs: 5,
  closedLongestLookMs: 250,
  /**
   * How long the next day of real time waits for units of a cluster that have not done the work of this one, in milliseconds. A test clock
   * waits as long as it takes.
   */
  closedWaitMs: 60_000,
} as const;

/**
 * The shard that all others need: companies with their configuration, and the calendars. It is recovered before all others, so that they
 * are computed with the same configuration as before. Newer configuration is safe: results that depend on it record up to where they used
 * it.
 */
export const SHARED_SHARD = LIMITS.shards;
