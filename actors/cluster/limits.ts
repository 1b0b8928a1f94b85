/** Every bound of this folder, in one place. */
export const CLUSTER_LIMITS = {
  /** How long a command may take to be answered by the owner of its shard; a `sync` one waits 20 s by itself. In milliseconds. */
  commandMs: 25_000,
  /** The same of a query. */
  queryMs: 10_000,
  /** Between two tries to reach a unit that nobody serves at the moment: it is being taken over. */
  ownerlessRetryMs: 50,
  /** How long a unit without an owner is waited for. */
  ownerlessMs: 8_000,
  /** Between two tries to open a unit that is owned. */
  reopenMs: 200,
} as const;
