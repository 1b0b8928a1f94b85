/** What stands in `docs/metrics.md` of a metric. */
export interface MetricRow {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** What one is one of. */
  readonly unit: string;
  readonly meaning: string;
  /** What to do when it is odd. */
  readonly whenOdd: string;
  /** Bounds of a histogram. */
  readonly buckets?: readonly number[];
}

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * Every metric of the service. No label takes what a caller has sent or what grows with use: operations, statuses, error types,
 * states, units and kinds of mass work are lists in the code.
 */
export const METRICS = {
  tenor_ready: {
    type: 'gauge',
    labels: [],
    unit: '0 or 1',
    meaning: 'whether the process takes writes, as `/health/ready` says',
    whenOdd: 'ask `/health/ready` which part is not ready, and `tenor shards` why',
  },

  tenor_http_requests_total: {
    type: 'counter',
    labels: ['operation', 'status'],
    unit: 'requests',
    meaning: 'requests answered, by operation of the interface and status',
    whenOdd: 'many 5xx: look at `tenor_http_refusals_total` for the reason, and into the log by the request ids',
  },
  tenor_http_request_seconds: {
    type: 'histogram',
    labels: ['operation'],
    unit: 'seconds',
    buckets: LATENCY_SECONDS,
    meaning: 'time to the answer',
    whenOdd: 'compare with `tenor_journal_flush_seconds` (the disk) and `nodejs_eventloop_lag_p99_seconds` (the processor)',
  },
  tenor_http_refusals_total: {
    type: 'counter',
    labels: ['reason'],
    unit: 'requests',
    meaning: 'requests refused, by error type of `docs/errors.md`',
    whenOdd:
      '`unavailable`: the parts below; `rateLimited`: a client is too fast, or the limit too low; `unauthenticated`: a key has ended; `internalError`: a bug, see the log',
  },
  tenor_http_requests_in_flight: {
    type: 'gauge',
    labels: [],
    unit: 'requests',
    meaning: 'requests under way',
    whenOdd: 'grows without end: what they wait for is slow, see flush and bus',
  },
  tenor_event_streams: {
    type: 'gauge',
    labels: [],
    unit: 'streams',
    meaning: 'event streams open',
    whenOdd: 'near 1,000, the bound: more gateways, or readers that share a stream',
  },
  tenor_event_streams_cut_total: {
    type: 'counter',
    labels: [],
    unit: 'streams',
    meaning: 'readers that were cut: they took nothing for 30 seconds, or reading for them failed',
    whenOdd: 'grows: runbooks/slow-consumer.md; with errors in the log, what is behind the events',
  },

  tenor_journal_flush_seconds: {
    type: 'histogram',
    labels: [],
    unit: 'seconds',
    buckets: LATENCY_SECONDS,
    meaning: 'time until a batch was durable',
    whenOdd: 'the disk, or the NATS server and its disk, are slow: nothing is answered faster than this',
  },
  tenor_journal_batch_records: {
    type: 'histogram',
    labels: [],
    unit: 'records',
    buckets: [1, 4, 16, 64, 256, 1024, 4096, 16384],
    meaning: 'facts, events and replies of a batch; its sum is what was appended',
    whenOdd: 'small batches at a high rate of requests: look at what reaches this process',
  },
  tenor_journal_bytes: {
    type: 'gauge',
    labels: [],
    unit: 'bytes',
    meaning: 'size of the journal on the disk, or of its stream',
    whenOdd: 'grows as loans and events do; compare with what is free',
  },
  tenor_disk_free_bytes: {
    type: 'gauge',
    labels: [],
    unit: 'bytes',
    meaning: 'what the file system of the data folder has left for this process',
    whenOdd: 'make room before it is full: runbooks/disk-full.md',
  },
  tenor_events_total: {
    type: 'counter',
    labels: [],
    unit: 'events',
    meaning: 'events that became durable here',
    whenOdd: 'none at all while payments come: see `tenor_units`',
  },
  tenor_persons_erased_total: {
    type: 'counter',
    labels: [],
    unit: 'persons',
    meaning: 'data keys destroyed since the start: personal data that nobody can read any more',
    whenOdd: 'more than were asked for: find the erasures among the events of the day, and who has ordered them',
  },

  tenor_webhook_attempts_total: {
    type: 'counter',
    labels: ['outcome'],
    unit: 'tries',
    meaning: 'calls of receivers of webhooks: `delivered` or `failed`; by the owner of companies',
    whenOdd: 'many `failed`: `tenor webhooks` tells whose',
  },
  tenor_webhook_messages_waiting: {
    type: 'gauge',
    labels: [],
    unit: 'messages',
    meaning: 'messages in memory that are not delivered; behind 1,000 of one webhook events wait in the log',
    whenOdd: 'grows: a receiver is slower than its events come',
  },
  tenor_webhook_oldest_seconds: {
    type: 'gauge',
    labels: [],
    unit: 'seconds',
    meaning: 'since the oldest message was made that is not delivered yet',
    whenOdd: 'above an hour: runbooks/webhook-failing.md',
  },
  tenor_webhooks_failing: {
    type: 'gauge',
    labels: [],
    unit: 'webhooks',
    meaning: 'webhooks whose last try has failed',
    whenOdd: 'for long: runbooks/webhook-failing.md',
  },

  tenor_messages_total: {
    type: 'counter',
    labels: ['channel', 'outcome'],
    unit: 'tries',
    meaning:
      'tries to hand messages over: `handedOver`, `refused` by the provider for good, `failed`; `givenUp` counts messages whose tries are used up; by the owner of companies',
    whenOdd:
      '`failed` grows: the provider is away or the settings are wrong, see the log; `givenUp`: `tenor messages list`, runbooks/messages-undelivered.md',
  },
  tenor_messages_waiting: {
    type: 'gauge',
    labels: ['channel'],
    unit: 'messages',
    meaning: 'messages whose time has come and that no provider has, as the last look found them; 100 of a company at most',
    whenOdd: 'does not go down: what hands them over is slower than they come; 50 a second of a company is the bound',
  },

  tenor_units: {
    type: 'gauge',
    labels: ['state'],
    unit: 'units',
    meaning: 'units of shards that this process owns, by state',
    whenOdd: 'any but `serving` and, for a moment, `recovering`: `tenor shards` tells the reason',
  },
  tenor_unit_unstored_records: {
    type: 'gauge',
    labels: ['unit'],
    unit: 'records',
    meaning: 'records of the journal that no snapshot has: what a start or a takeover reads',
    whenOdd: 'above 300,000 for minutes: snapshots do not keep up, see the log and the disk',
  },
  tenor_unit_snapshot_age_seconds: {
    type: 'gauge',
    labels: ['unit'],
    unit: 'seconds',
    meaning: 'since the last snapshot began; 0 while there is nothing to store',
    whenOdd: 'above 300: snapshots hang or fail, see the log',
  },
  tenor_unit_recovery_seconds: {
    type: 'gauge',
    labels: ['unit'],
    unit: 'seconds',
    meaning: 'what the last opening took until the first answer',
    whenOdd: 'above the budget (5 s for a million loans): the snapshots were behind, or were rebuilt',
  },
  tenor_unit_recovered_records: {
    type: 'gauge',
    labels: ['unit'],
    unit: 'records',
    meaning: 'records of the journal that the last opening has read',
    whenOdd: 'all that there are: the snapshots were set aside or are on another machine',
  },

  tenor_loans: {
    type: 'gauge',
    labels: [],
    unit: 'loans',
    meaning: 'loans of this process, asleep or awake; none while the list index is read',
    whenOdd: 'other than before a move or restore: `tenor verify`',
  },
  tenor_actors_awake: {
    type: 'gauge',
    labels: [],
    unit: 'objects',
    meaning: 'borrowers, loans and companies in memory as objects',
    whenOdd: 'far above `TENOR_RESIDENT_ACTORS`: what changed is not stored yet, see the snapshots',
  },
  tenor_actors_quarantined: {
    type: 'gauge',
    labels: [],
    unit: 'objects',
    meaning: 'those left out since the start because computing them met a bug',
    whenOdd: 'any: the log names them with a trace; all others go on, report it with the journal',
  },
  tenor_clock_ahead_seconds: {
    type: 'gauge',
    labels: [],
    unit: 'seconds',
    meaning: 'how far the newest time stamp is ahead of the clock of this machine',
    whenOdd: 'above 1: clocks run apart, this one is late or another ahead; look at NTP on all machines',
  },

  tenor_day_closing_late_seconds: {
    type: 'gauge',
    labels: [],
    unit: 'seconds',
    meaning: 'since when the oldest day that is not closed is over; 0 while all are closed; told by the owner of companies',
    whenOdd: 'above 300: runbooks/day-behind.md',
  },
  tenor_day_work_waiting: {
    type: 'gauge',
    labels: [],
    unit: 'objects',
    meaning: 'those whose day has come and who are not brought up to date yet',
    whenOdd: 'does not shrink: a closing is paused (`tenor operations`), or the journal has no room',
  },
  tenor_mass_works: {
    type: 'gauge',
    labels: ['kind', 'state'],
    unit: 'operations',
    meaning: 'mass work known here, by kind: running, paused, succeeded or failed',
    whenOdd: '`failed`: `tenor operations show` names the loans; `paused`: somebody has paused it',
  },
  tenor_mass_remaining: {
    type: 'gauge',
    labels: ['kind'],
    unit: 'loans',
    meaning: 'loans that wait for their turn',
    whenOdd: 'stands still while it runs: the journal or the snapshots hold it up',
  },
  tenor_mass_rate: {
    type: 'gauge',
    labels: ['kind'],
    unit: 'loans a second',
    meaning: 'how fast mass work goes while it is under way',
    whenOdd: 'far below the figures of `docs/performance.md`: the processor is busy with requests, or the disk is slow',
  },

  tenor_leases_held: {
    type: 'gauge',
    labels: [],
    unit: 'units',
    meaning: 'units whose leases this worker holds',
    whenOdd: 'none on one worker: it was taken for dead, or has just come',
  },
  tenor_lease_beat_age_seconds: {
    type: 'gauge',
    labels: [],
    unit: 'seconds',
    meaning: 'since the last beat that was acknowledged; at 2 the worker serves nothing, at 2.5 others take over',
    whenOdd: 'above 1: the NATS server is slow, or this process hangs (event loop lag)',
  },
  tenor_lease_beats_missed_total: {
    type: 'counter',
    labels: [],
    unit: 'beats',
    meaning: 'beats that were not acknowledged',
    whenOdd: 'grows: the way to the NATS server, or its disk',
  },
  tenor_units_without_owner: {
    type: 'gauge',
    labels: [],
    unit: 'units',
    meaning: 'units of the cluster that no living worker owns, as a gateway sees it',
    whenOdd: 'for more than 10 s: runbooks/takeover-does-not-come.md',
  },
  tenor_workers: {
    type: 'gauge',
    labels: [],
    unit: 'workers',
    meaning: 'workers that live, as a gateway sees it',
    whenOdd: 'fewer than there should be: start the missing ones',
  },
  tenor_bus_asks_waiting: {
    type: 'gauge',
    labels: [],
    unit: 'asks',
    meaning: 'asks to workers that wait for an answer',
    whenOdd: 'grows: a worker is slow, see its event loop lag and flush time',
  },
  tenor_bus_asks_unanswered_total: {
    type: 'counter',
    labels: ['reason'],
    unit: 'asks',
    meaning: 'asks without an answer: `nobody` serves the unit, it came too `late`, who took them is `lost`, the server is `away`',
    whenOdd: '`nobody`: units without an owner; `late`: slow workers; `lost`: workers that died; `away`: NATS',
  },
  tenor_nats_connected: {
    type: 'gauge',
    labels: [],
    unit: '0 or 1',
    meaning: 'whether the NATS server is connected',
    whenOdd: 'runbooks/nats-away.md',
  },
  tenor_redis_connected: {
    type: 'gauge',
    labels: [],
    unit: '0 or 1',
    meaning: 'whether Redis answers; without it each gateway counts requests for itself',
    whenOdd: 'runbooks/redis-away.md',
  },
} as const satisfies Readonly<Record<string, MetricRow>>;

export type MetricName = keyof typeof METRICS;

/** The metrics of one type. */
export type MetricOf<Type extends MetricRow['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];
