/** Every bound of the runtime, in one place. */
export const LIMITS = {
  /** Virtual shards of borrowers and all that hangs on them; part of every id, so fixed for the installation's life. */
  shards: 64,
  /**
   * Ids of each shard that a restore steps over, since they may have been given behind the end of its export; there is room for two
   * thousand restores.
   */
  idsSteppedOver: 2 ** 24,
  /** Records that may wait for a flush before new commands are answered 503. */
  pendingRecords: 200_000,
  /**
   * Records that may wait for a flush before mass work stands aside: whoever reads what it has computed waits until they are durable. A
   * worker of a cluster has as many such batches as units, and all of them go through one stream.
   */
  pendingBackgroundRecords: 2_048,
  /** Types and targets of commands that are tried on a copy first, since one of them has failed after its facts were applied. */
  failedLate: 1_000,
  /** Milliseconds until a sweep looks for room again. */
  roomRetryMs: 50,
  /** Times that a command has a calendar opened and is tried again: each wait may end with facts that are not the wanted one. */
  sharedTries: 3,
  /** Answers of other parts of the cluster that a command or query may need, one after the other. */
  guestTries: 32,
  /** How long such an answer counts for decisions, in milliseconds. */
  guestMs: 2_000,
  /** Such answers kept. */
  guests: 20_000,
  /**
   * How long an external id is kept for the command that claimed it, in milliseconds; a new owner of claims waits as long before it gives
   * any.
   */
  claimMs: 5_000,
  /** Claims that one process keeps at once. */
  claims: 20_000,
  /** Longest wait of a `sync` call, and for a test clock that is made later than today, in milliseconds. */
  syncWaitMs: 20_000,
  /** Longest wait of a read for the flush of what it saw, in milliseconds. */
  readWaitMs: 5_000,
  /** Actors kept awake after their snapshot is stored. */
  cachedActors: 30_000,
  /** Actors looked at in one step of laying down; other work passes between steps. */
  restingStep: 512,
  /** Longest stretch of work that can wait (packing for a snapshot, reading rows after a start) before others have their turn. */
  sliceMs: 2,
  /** The same of mass work, beside others who take as long or longer. */
  longSliceMs: 25,
  /** The same of a snapshot: a bulk load has rounds of a quarter of a second, and each slice waits for one. */
  snapshotSliceMs: 100,
  /** Milliseconds between two slices of a snapshot taken in passing: what is asked for meanwhile waits for one slice, not for all. */
  snapshotPauseMs: 8,
  /** Changed actors above which a snapshot no longer pauses, so that it keeps up with what changes. */
  snapshotHurryActors: 10_000,
  /** Actors of one transaction of a snapshot: more hold the thread up when they are handed over, fewer write each page more often. */
  snapshotBatch: 400,
  /** The same where the transaction before it takes its time: many small ones would fall behind a bulk load. */
  longSnapshotBatch: 4_000,
  /** The same while a start stores what a long journal has changed, and serves nobody. */
  recoveryBatch: 8_000,
  /** Events, and replies, stored in a shortest slice of a snapshot: a transaction each. */
  eventSlice: 256,
  replySlice: 128,
  /** The most of a longer slice. */
  longStoreSlice: 4_096,
  /** Replies that reading the journal may hold before a start stores them. */
  recoveryReplies: 20_000,
  /** Milliseconds between snapshots while there is something to store. */
  snapshotEveryMs: 5_000,
  /** A snapshot rests so many times as long as the one before took, up to these milliseconds. */
  snapshotRests: 2,
  snapshotRestMs: 30_000,
  /** Records of the journal after which the next snapshot does not wait for its time: a start reads no more than about these. */
  snapshotEveryRecords: 150_000,
  /**
   * Records of the journal after which a snapshot that is still being taken no longer pauses: without this one that never ends would let a
   * start read ever more.
   */
  snapshotHurryRecords: 300_000,
  /** Milliseconds between looks whether a snapshot is due. */
  snapshotLookMs: 250,
  /** Actors that reading the journal may change before a start stores them: it needs no more memory than serving. */
  recoveryActors: 20_000,
  /** Records that a start reads beside others of its process; one that has more to read goes on when no other has. */
  longTailRecords: 10_000,
  /** Forms of stored objects; one of another form lies with its names. */
  forms: 4_096,
  /** Names of one form: an object with more is a list of somebody's own. */
  formNames: 100,
  /** Objects of a form after which reading it is compiled. */
  formReads: 16,
  /** Rows below a parent from which on the list index keeps orders of them, and parents of a kind for which it does. */
  keptFrom: 64,
  keptLists: 4_096,
  /** Texts (statuses, dates, ids of loan types) that the rows of the list index share. */
  sharedTexts: 100_000,
  /** Loans that one slice of mass work computes at most, however quick they are. */
  massSlice: 256,
  /** Of those whose day has come, how many a sweep takes up together. */
  sweepLook: 4_096,
  /** Pieces of mass work that are known at once; closed days make room first. */
  massWorks: 200,
  /** Loans that a piece of mass work could not compute and names. */
  namedFailures: 100,
  /** Milliseconds between looks whether paused work goes on. */
  pauseLookMs: 50,
  /** Changed actors above which mass work waits for a snapshot: what is changed stays awake until it is stored. */
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
  /** Persons whose data cannot be read and of whom the operator is told. */
  toldUnreadable: 1_000,
  /** Chunks of old replies that are forgotten while one is stored. */
  replyChunksForgotten: 4,
  /** Commands remembered in memory as accepted, be their replies on the disk or not. */
  recentCommands: 50_000,
  /** Newest events kept in memory for streams. */
  recentEvents: 20_000,
  /** How long a finished operation can be asked for, in milliseconds. */
  operationMs: 3_600_000,
  /**
   * How long the parts of a cluster keep their shares of mass work, in milliseconds from its order: one may be done a day before another.
   */
  shareMs: 25 * 3_600_000,
  /** Operations remembered at most. */
  operations: 100_000,
  /** Milliseconds between two tries to open a journal that has failed. */
  reopenEveryMs: 1_000,
  /** Milliseconds between looks at the wall clock for closed days. */
  clockTickMs: 1_000,
  /** A worker of which nobody has heard for so long is dead to the others, in milliseconds. */
  leaseTtlMs: 2_500,
  /** Milliseconds after which a worker of which no beat was acknowledged owns nothing. */
  leaseHoldMs: 2_000,
  /** Milliseconds between two beats of a worker. */
  leaseBeatMs: 400,
  /** How much longer a worker waits for the others after an outage of the store, in milliseconds: not all are back at once. */
  leaseGraceMs: 6_000,
  /** For how long a worker whose thread is busy without a turn for anything else is kept alive, in milliseconds. */
  workerStallMs: 10_000,
  /** Milliseconds for which shards stay where they are after a worker has come: others come with it. */
  leaseSettleMs: 500,
  /** What was done with a company's test clock and is answered to a retry, and found by the operation of an advance: the newest so many. */
  clockRequests: 1_000,
  /** Days that one advance of a test clock may span. */
  advanceDays: 366 * 50,
  /** Days that a test clock may stand ahead of the machine's. */
  clockAheadDays: 366 * 100,
  /** Milliseconds between looks whether the other parts of a cluster have done the work of a closed day: the first, and the longest. */
  closedLookMs: 5,
  closedLongestLookMs: 250,
  /**
   * How long the next day of real time waits for parts of a cluster that have not done the work of this one, in milliseconds. A test clock
   * waits as long as it takes.
   */
  closedWaitMs: 60_000,
} as const;

/**
 * The shard of what all others need: companies with their configuration, and the calendars. It is recovered before
 * them, so that nothing is computed again without what it was computed with. Newer configuration than that does no harm:
 * what is computed from it says itself up to where.
 */
export const SHARED_SHARD = LIMITS.shards;
