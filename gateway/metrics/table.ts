import { OUTGOING_METRICS } from './outgoing-table.js';

/** A row of `docs/metrics.md`. */
export interface MetricRow {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** What is counted or measured. */
  readonly unit: string;
  readonly meaning: string;
  /** Which values are a sign of trouble, and what to do then. */
  readonly whenOdd: string;
  /** Upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
}

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * Every metric of the service. Values of labels come from lists in the code (operations, statuses, error types, states, units, kinds of
 * mass work), never from a caller's input.
 */
export const METRICS = {
  tenor_ready: {
    type: 'gauge',
    labels: [],
    unit: '0 or 1',
    meaning: '1 while the process takes writes, as `/health/ready` says',
    whenOdd: '0: `/health/ready` names the part that is not ready, `tenor shards` the reason',
  },

  tenor_http_requests_total: {
    type: 'counter',
    labels: ['operation', 'status'],
    unit: 'requests',
    meaning: 'requests that were answered, by operation of the interface and status',
    whenOdd: 'many 5xx: see `tenor_http_refusals_total` for the reason, and the log by request id',
  },
  tenor_http_request_seconds: {
    type: 'histogram',
    labels: ['operation'],
    unit: 'seconds',
    buckets: LATENCY_SECONDS,
    meaning: 'time from the request to its reply',
    whenOdd: 'high: compare with `tenor_journal_flush_seconds` (the disk) and `nodejs_eventloop_lag_p99_seconds` (the processor)',
  },
  tenor_http_refusals_total: {
    type: 'counter',
    labels: ['reason'],
    unit: 'requests',
    meaning: 'requests that were refused, by error type of `docs/errors.md`',
    whenOdd:
      '`unavailable`: see the other metrics; `rateLimited`: a client is too fast, or the limit too low; ' +
      '`unauthenticated`: a key was revoked; `internalError`: a bug, see the log',
  },
  tenor_http_requests_in_flight: {
    type: 'gauge',
    labels: [],
    unit: 'requests',
    meaning: 'requests under way',
    whenOdd: 'keeps rising: requests wait for the journal (`tenor_journal_flush_seconds`) or for workers (`tenor_bus_asks_waiting`)',
  },
  tenor_event_streams: {
    type: 'gauge',
    labels: [],
    unit: 'streams',
    meaning: 'open event streams',
    whenOdd: 'near the limit of 1,000: add gateways, or let readers share a stream',
  },
  tenor_event_streams_cut_total: {
    type: 'counter',
    labels: [],
    unit: 'streams',
    meaning: 'streams that were disconnected, because the reader took nothing for 30 seconds or because reading events failed',
    whenOdd: 'rises: runbooks/slow-consumer.md. With errors in the log: the event log cannot be read',
  },

  tenor_journal_flush_seconds: {
    type: 'histogram',
    labels: [],
    unit: 'seconds',
    buckets: LATENCY_SECONDS,
    meaning: 'time until a batch is durable. No write is answered faster',
    whenOdd: 'high: the disk, or the NATS server and its disk, are slow',
  },
  tenor_journal_batch_records: {
    type: 'histogram',
    labels: [],
    unit: 'records',
    buckets: [1, 4, 16, 64, 256, 1024, 4096, 16384],
    meaning: 'facts, events and replies in a batch; its sum is the number of records that were appended',
    whenOdd: 'small batches at a high rate of requests: few of the requests reach this process',
  },
  tenor_journal_bytes: {
    type: 'gauge',
    labels: [],
    unit: 'bytes',
    meaning: 'size of the journal on disk, or of its stream',
    whenOdd: 'rises with loans and events: compare with `tenor_disk_free_bytes`',
  },
  tenor_disk_free_bytes: {
    type: 'gauge',
    labels: [],
    unit: 'bytes',
    meaning: 'free space of the file system of the data folder, for this process',
    whenOdd: 'low: make room before it is full, runbooks/disk-full.md',
  },
  tenor_events_total: {
    type: 'counter',
    labels: [],
    unit: 'events',
    meaning: 'events that became durable in this process',
    whenOdd: 'does not rise while payments arrive: see `tenor_units`',
  },
  tenor_persons_erased_total: {
    type: 'counter',
    labels: [],
    unit: 'persons',
    meaning: 'data keys that were destroyed since the start; the personal data of these people cannot be read any more',
    whenOdd: 'more than you ordered: find the erasures in the events of the day, with the caller of each',
  },

  ...OUTGOING_METRICS,

  tenor_units: {
    type: 'gauge',
    labels: ['state'],
    unit: 'units',
    meaning: 'units of shards that this process owns, by state',
    whenOdd: 'a state other than `serving` or, for a moment, `recovering`: `tenor shards` shows the reason',
  },
  tenor_unit_unstored_records: {
    type: 'gauge',
    labels: ['unit'],
    unit: 'records',
    meaning: 'records of the journal that no snapshot contains; a start or takeover reads them',
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
    meaning: 'time from the last opening to the first reply',
    whenOdd: 'above the budget (5 s for a million loans): the snapshots were behind, or were rebuilt',
  },
  tenor_unit_recovered_records: {
    type: 'gauge',
    labels: ['unit'],
    unit: 'records',
    meaning: 'records of the journal that the last opening read',
    whenOdd: 'the whole journal: the snapshots were set aside, or are on another machine',
  },

  tenor_loans: {
    type: 'gauge',
    labels: [],
    unit: 'loans',
    meaning: 'loans of this process; 0 while the list index is loading',
    whenOdd: 'differs from the number before a move or restore: run `tenor verify`',
  },
  tenor_actors_awake: {
    type: 'gauge',
    labels: [],
    unit: 'objects',
    meaning: 'borrowers, loans and companies in the actor cache',
    whenOdd: 'far above `TENOR_CACHED_ACTORS`: changed actors are not stored yet, see the snapshots',
  },
  tenor_actors_quarantined: {
    type: 'gauge',
    labels: [],
    unit: 'objects',
    meaning: 'actors that are left out since the start because computing them met a bug',
    whenOdd: 'above 0: the log names them with a stack trace. All others continue. Report it with the journal',
  },
  tenor_clock_ahead_seconds: {
    type: 'gauge',
    labels: [],
    unit: 'seconds',
    meaning: 'how far the newest stamp is ahead of the clock of this machine',
    whenOdd: 'above 1: the clocks of the machines differ. Check NTP on all machines',
  },

  tenor_day_closing_late_seconds: {
    type: 'gauge',
    labels: [],
    unit: 'seconds',
    meaning: 'time since the end of the oldest day that is not closed; 0 while all are closed. Reported by the owner of the shared unit',
    whenOdd: 'above 300: runbooks/day-behind.md',
  },
  tenor_day_work_waiting: {
    type: 'gauge',
    labels: [],
    unit: 'objects',
    meaning: 'actors with work of a closed day that is not done yet',
    whenOdd: 'does not fall: a closing is paused (`tenor operations`), or the journal has no room',
  },
  tenor_mass_works: {
    type: 'gauge',
    labels: ['kind', 'state'],
    unit: 'operations',
    meaning: 'mass work that this process knows, by kind and state (running, paused, succeeded, failed)',
    whenOdd: '`failed`: `tenor operations show` names the loans. `paused`: a user has paused it',
  },
  tenor_mass_remaining: {
    type: 'gauge',
    labels: ['kind'],
    unit: 'loans',
    meaning: 'loans that mass work has not computed yet',
    whenOdd: 'does not fall while the work runs: the journal or the snapshots are slow',
  },
  tenor_mass_rate: {
    type: 'gauge',
    labels: ['kind'],
    unit: 'loans a second',
    meaning: 'speed of mass work while it runs',
    whenOdd: 'far below the figures of [performance](performance.md): requests use the processor, or the disk is slow',
  },

  tenor_late_works: {
    type: 'gauge',
    labels: ['work', 'mode'],
    unit: 'works',
    meaning:
      'automatic work of companies that has failed or is not done in time, and was due within two days, by name and mode. ' +
      'Reported by the owner of the shared unit',
    whenOdd: 'above 0: `tenor days` shows which, runbooks/work-late.md',
  },

  tenor_leases_held: {
    type: 'gauge',
    labels: [],
    unit: 'units',
    meaning: 'units whose leases this worker holds',
    whenOdd: '0: other workers believe that this one is dead, or it has just joined',
  },
  tenor_lease_beat_age_seconds: {
    type: 'gauge',
    labels: [],
    unit: 'seconds',
    meaning: 'time since the last acknowledged heartbeat. At 2 the worker serves nothing, at 2.5 others take over',
    whenOdd: 'above 1: the NATS server is slow, or this process hangs (see the event loop lag)',
  },
  tenor_lease_beats_missed_total: {
    type: 'counter',
    labels: [],
    unit: 'heartbeats',
    meaning: 'heartbeats that were not acknowledged',
    whenOdd: 'rises: the network to the NATS server, or its disk, is slow',
  },
  tenor_units_without_owner: {
    type: 'gauge',
    labels: [],
    unit: 'units',
    meaning: 'units that no living worker owns, as a gateway sees it',
    whenOdd: 'above 0 for more than 10 s: runbooks/takeover-does-not-come.md',
  },
  tenor_workers: {
    type: 'gauge',
    labels: [],
    unit: 'workers',
    meaning: 'living workers, as a gateway sees it',
    whenOdd: 'fewer than you run: start the missing ones',
  },
  tenor_bus_asks_waiting: {
    type: 'gauge',
    labels: [],
    unit: 'requests',
    meaning: 'requests to workers that wait for a reply',
    whenOdd: 'rises: a worker is slow, see its event loop lag and flush time',
  },
  tenor_bus_asks_unanswered_total: {
    type: 'counter',
    labels: ['reason'],
    unit: 'requests',
    meaning:
      'requests to workers without a reply, by reason: `nobody` serves the unit, the reply was too `late`, ' +
      'the worker was `lost`, the NATS server is `away`',
    whenOdd: '`nobody`: units without an owner; `late`: slow workers; `lost`: workers that died; `away`: NATS',
  },
  tenor_nats_connected: {
    type: 'gauge',
    labels: [],
    unit: '0 or 1',
    meaning: '1 while the NATS server is connected',
    whenOdd: '0: runbooks/nats-away.md',
  },
  tenor_redis_connected: {
    type: 'gauge',
    labels: [],
    unit: '0 or 1',
    meaning: '1 while Redis answers; without it each gateway counts requests for itself',
    whenOdd: '0: runbooks/redis-away.md',
  },
} as const satisfies Readonly<Record<string, MetricRow>>;

type MetricName = keyof typeof METRICS;

/** The metrics of one type. */
export type MetricOf<Type extends MetricRow['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];
