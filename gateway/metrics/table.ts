/** A metric with its row of `docs/metrics.md`. */
export interface MetricRow {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly unit: string;
  readonly meaning: string;
  /** What to do about unusual values. */
  readonly whenOdd: string;
  /** Bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
}

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * Every metric of the service. The values of labels are lists in the code (operations, statuses, error types, states, units, kinds of mass
 * work), never anything that a caller has sent or that grows with use.
 */
export const METRICS = {
  tenor_ready: {
    type: 'gauge',
    labels: [],
    unit: '0 or 1',
    meaning: 'whether the process takes writes, as `/health/ready` says',
    whenOdd: '`/health/ready` shows which part is not ready, and `tenor shards` why',
  },

  tenor_http_requests_total: {
    type: 'counter',
    labels: ['operation', 'status'],
    unit: 'requests',
    meaning: 'requests answered, by operation of the interface and status',
    whenOdd: 'many 5xx: `tenor_http_refusals_total` shows the reason, the log has each request under its id',
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
      '`unavailable`: see the metrics below; `rateLimited`: a client is too fast, or the limit too low; `unauthenticated`: a key was ' +
      'revoked; `internalError`: a bug, see the log',
  },
  tenor_http_requests_in_flight: {
    type: 'gauge',
    labels: [],
    unit: 'requests',
    meaning: 'requests under way',
    whenOdd: 'grows without end: the journal or the bus is slow, see their metrics',
  },
  tenor_event_streams: {
    type: 'gauge',
    labels: [],
    unit: 'streams',
    meaning: 'event streams open',
    whenOdd: 'near the limit of 1,000: add gateways, or let readers share a stream',
  },
  tenor_event_streams_cut_total: {
    type: 'counter',
    labels: [],
    unit: 'streams',
    meaning: 'readers that were disconnected: they accepted nothing for 30 seconds, or reading the events failed',
    whenOdd: 'grows: runbooks/slow-consumer.md; with errors in the log, mend the source of the events',
  },

  tenor_journal_flush_seconds: {
    type: 'histogram',
    labels: [],
    unit: 'seconds',
    buckets: LATENCY_SECONDS,
    meaning: 'time until a batch was durable',
    whenOdd: 'high: the disk, or the NATS server and its disk, are slow; no write is answered faster than this',
  },
  tenor_journal_batch_records: {
    type: 'histogram',
    labels: [],
    unit: 'records',
    buckets: [1, 4, 16, 64, 256, 1024, 4096, 16384],
    meaning: 'facts, events and replies of a batch; the sum counts all that were appended',
    whenOdd: 'small batches at a high rate of requests: check how requests are spread over processes',
  },
  tenor_journal_bytes: {
    type: 'gauge',
    labels: [],
    unit: 'bytes',
    meaning: 'size of the journal on the disk, or of its stream',
    whenOdd: 'grows with loans and events; compare with the free space',
  },
  tenor_disk_free_bytes: {
    type: 'gauge',
    labels: [],
    unit: 'bytes',
    meaning: 'free space of the file system of the data folder',
    whenOdd: 'make room before it is full: runbooks/disk-full.md',
  },
  tenor_events_total: {
    type: 'counter',
    labels: [],
    unit: 'events',
    meaning: 'events that became durable here',
    whenOdd: 'none while payments come: see `tenor_units`',
  },
  tenor_persons_erased_total: {
    type: 'counter',
    labels: [],
    unit: 'persons',
    meaning: 'data keys destroyed since the start: personal data that nobody can read any more',
    whenOdd: 'more than were ordered: the events of the day show the erasures and who has ordered them',
  },

  tenor_webhook_attempts_total: {
    type: 'counter',
    labels: ['outcome'],
    unit: 'attempts',
    meaning: 'calls of receivers of webhooks: `delivered` or `failed`; counted by the owner of companies',
    whenOdd: 'many `failed`: `tenor webhooks` shows which receivers',
  },
  tenor_webhook_messages_waiting: {
    type: 'gauge',
    labels: [],
    unit: 'messages',
    meaning: 'undelivered messages in memory; beyond 1,000 of one webhook, events wait in the log',
    whenOdd: 'grows: a receiver is slower than its events',
  },
  tenor_webhook_oldest_seconds: {
    type: 'gauge',
    labels: [],
    unit: 'seconds',
    meaning: 'age of the oldest undelivered message',
    whenOdd: 'above an hour: runbooks/webhook-failing.md',
  },
  tenor_webhooks_failing: {
    type: 'gauge',
    labels: [],
    unit: 'webhooks',
    meaning: 'webhooks whose last attempt failed',
    whenOdd: 'for long: runbooks/webhook-failing.md',
  },

  tenor_units: {
    type: 'gauge',
    labels: ['state'],
    unit: 'units',
    meaning: 'units of shards that this process owns, by state',
    whenOdd: 'any but `serving` and, for a moment, `recovering`: `tenor shards` shows the reason',
  },
  tenor_unit_unstored_records: {
    type: 'gauge',
    labels: ['unit'],
    unit: 'records',
    meaning: 'records of the journal that are in no snapshot: a start or a takeover reads them',
    whenOdd: 'above 300,000 for minutes: snapshots do not keep up, see the log and the disk',
  },
  tenor_unit_snapshot_age_seconds: {
    type: 'gauge',
    labels: ['unit'],
    unit: 'seconds',
    meaning: 'time since the last snapshot began; 0 while there is nothing to store',
    whenOdd: 'above 300: snapshots hang or fail, see the log',
  },
  tenor_unit_recovery_seconds: {
    type: 'gauge',
    labels: ['unit'],
    unit: 'seconds',
    meaning: 'time of the last opening, until the first answer',
    whenOdd: 'above the budget (5 s for a million loans): the snapshots were old, or were rebuilt',
  },
  tenor_unit_recovered_records: {
    type: 'gauge',
    labels: ['unit'],
    unit: 'records',
    meaning: 'records of the journal that the last opening has read',
    whenOdd: 'all records: the snapshots were set aside or are on another machine',
  },

  tenor_loans: {
    type: 'gauge',
    labels: [],
    unit: 'loans',
    meaning: 'loans of this process, in memory or not; no value while the list index is read',
    whenOdd: 'changed by a move or restore: run `tenor verify`',
  },
  tenor_actors_awake: {
    type: 'gauge',
    labels: [],
    unit: 'objects',
    meaning: 'borrowers, loans and companies in memory as objects',
    whenOdd: 'far above `TENOR_CACHED_ACTORS`: changes are not stored yet, see the snapshots',
  },
  tenor_actors_quarantined: {
    type: 'gauge',
    labels: [],
    unit: 'objects',
    meaning: 'objects that are out of service since the start because computing them met a bug',
    whenOdd: 'any: the log names them with a trace, all others go on; report the bug with the journal',
  },
  tenor_clock_ahead_seconds: {
    type: 'gauge',
    labels: [],
    unit: 'seconds',
    meaning: 'how far the newest time stamp is ahead of the clock of this machine',
    whenOdd: 'above 1: this clock is late or another is ahead; check NTP on all machines',
  },

  tenor_day_closing_late_seconds: {
    type: 'gauge',
    labels: [],
    unit: 'seconds',
    meaning: 'time since the end of the oldest day that is not closed; 0 while all are closed; reported by the owner of companies',
    whenOdd: 'above 300: runbooks/day-behind.md',
  },
  tenor_day_work_waiting: {
    type: 'gauge',
    labels: [],
    unit: 'objects',
    meaning: 'objects that are due and not brought up to date yet',
    whenOdd: 'does not shrink: a closing is paused (`tenor operations`), or the journal has no space',
  },
  tenor_mass_works: {
    type: 'gauge',
    labels: ['kind', 'state'],
    unit: 'operations',
    meaning: 'mass work by kind and state: running, paused, succeeded or failed',
    whenOdd: '`failed`: `tenor operations show` names the loans; `paused`: an operator has paused it',
  },
  tenor_mass_remaining: {
    type: 'gauge',
    labels: ['kind'],
    unit: 'loans',
    meaning: 'loans that mass work has not done yet',
    whenOdd: 'does not shrink while the work runs: the journal or the snapshots are slow',
  },
  tenor_mass_rate: {
    type: 'gauge',
    labels: ['kind'],
    unit: 'loans a second',
    meaning: 'speed of mass work under way',
    whenOdd: 'far below the figures of `docs/performance.md`: the processor is busy with requests, or the disk is slow',
  },

  tenor_leases_held: {
    type: 'gauge',
    labels: [],
    unit: 'units',
    meaning: 'units whose leases this worker holds',
    whenOdd: 'none on one worker: it was considered dead, or has just started',
  },
  tenor_lease_beat_age_seconds: {
    type: 'gauge',
    labels: [],
    unit: 'seconds',
    meaning: 'time since the last heartbeat that was acknowledged; at 2 the worker serves nothing, at 2.5 others take over',
    whenOdd: 'above 1: the NATS server is slow, or this process hangs (event loop lag)',
  },
  tenor_lease_beats_missed_total: {
    type: 'counter',
    labels: [],
    unit: 'heartbeats',
    meaning: 'heartbeats that were not acknowledged',
    whenOdd: 'grows: check the network to the NATS server, and its disk',
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
    meaning: 'living workers, as a gateway sees it',
    whenOdd: 'fewer than expected: start the missing ones',
  },
  tenor_bus_asks_waiting: {
    type: 'gauge',
    labels: [],
    unit: 'requests',
    meaning: 'requests to workers that wait for an answer',
    whenOdd: 'grows: a worker is slow, see its event loop lag and flush time',
  },
  tenor_bus_asks_unanswered_total: {
    type: 'counter',
    labels: ['reason'],
    unit: 'requests',
    meaning:
      'requests to workers without an answer: `nobody` serves the unit, the answer came too `late`, the worker was `lost`, or the server ' +
      'is `away`',
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
