/** Every bound of this folder, in one place. */
export const CLUSTER_LIMITS = {
  /** How long a command may take to be answered by the owner of its shard; a `sync` one waits 20 s by itself. In milliseconds. */
  commandMs: 25_000,
  /** The same of a query. */
  queryMs: 10_000,
  /** Between two tries to reach a unit that nobody serves at the moment: it is being taken over. */
  ownerlessRetryMs: 50,
  /** How long a change of what all share waits for the units that follow it, before its reply leaves all the same. */
  followMs: 2_000,
  /** How long a unit without an owner is waited for. */
  ownerlessMs: 8_000,
  /**
   * How long an answer is kept while the lease of its unit has lapsed, which the next beat may bring back, and between two looks at it:
   * less than whoever asked waits.
   */
  heldAgainMs: 5_000,
  heldLookMs: 50,
  /** Between two tries to open a unit that is owned, the first time and at most. */
  reopenMs: 200,
  reopenMostMs: 5_000,
  /** Between two looks for units of its own that an engine serves no more. */
  reviveMs: 1_000,
  /** Between two rounds that fetch new events for those who tail them: after one that brought some, and after one that brought none. */
  feedBusyMs: 10,
  feedIdleMs: 60,
  /** After a round in which a unit did not answer. */
  feedRetryMs: 250,
  /** Events of one tenant that a unit tells in one round. */
  feedEvents: 2_000,
  /** Newest events of a tenant kept in memory for those who tail them. */
  feedKept: 20_000,
  /** How long a worker is waited for that is asked how it stands. */
  statusMs: 1_500,
  /**
   * How far what a unit may tell of its events is written down ahead: once in half of that time, while somebody asks. Less than a lease,
   * so that it has passed when the unit of a dead worker is taken over.
   */
  toldAheadMs: 2_000,
  /** Tries to take over what was told of a unit, while whoever had it before writes it as well. */
  stampTries: 20,
} as const;
