import { collectDefaultMetrics, Registry } from 'prom-client';
import type { EngineMeasure, LateWorkMeasure, MessageMeasure, UnitStatus } from '../../actors/index.js';
import type { RunnerMeasure } from '../runners/shared-runners.js';
import { type Backlog, type DeliveryMeasure, NO_BACKLOG } from '../webhooks/services.js';
import { type Reading, recently, registerHistogram, registerReadings, type Readings, Tally } from './register.js';

const CHANNELS = ['email', 'text', 'mail'] as const;

/** The metrics of the engines of a process, with a gateway or without. */
export class ProcessMetrics {
  readonly registry = new Registry();
  #events = 0;
  #erased = 0;

  /** With those of Node.js. The timers and observers behind them stay until the process ends, so a process makes them once. */
  static withNode(): ProcessMetrics {
    const metrics = new ProcessMetrics();
    collectDefaultMetrics({ register: metrics.registry });
    return metrics;
  }

  /** Counts what the engines of this process report. */
  measure(): EngineMeasure {
    const seconds = registerHistogram(this.registry, 'tenor_journal_flush_seconds');
    const records = registerHistogram(this.registry, 'tenor_journal_batch_records');
    registerReadings(this.registry, { tenor_events_total: () => this.#events, tenor_persons_erased_total: () => this.#erased });
    return {
      flushed: (count, took) => {
        records.observe(count);
        seconds.observe(took);
      },
      published: (events) => void (this.#events += events),
      erased: (persons) => void (this.#erased += persons),
    };
  }

  /** Counts what the deliveries of this process report. */
  deliveries(): DeliveryMeasure {
    const attempts = new Tally();
    let backlog: (() => Backlog) | null = null;
    const now = recently(() => backlog?.() ?? NO_BACKLOG);
    this.read({
      tenor_webhook_attempts_total: () => attempts.by('outcome'),
      tenor_webhook_messages_waiting: () => now().waiting,
      tenor_webhook_oldest_seconds: () => now().oldestSeconds,
      tenor_webhooks_failing: () => now().failing,
    });
    return {
      tried: (isDelivered) => attempts.add(isDelivered ? 'delivered' : 'failed'),
      delivering: (from) => void (backlog = from),
    };
  }

  /** Counts the messages that this process hands over, and the mails that report of them. */
  messages(): MessageMeasure {
    const tries = new Map<string, number>();
    const reports = new Tally();
    let waiting: ReadonlyMap<string, number> = new Map();
    this.read({
      tenor_messages_total: () =>
        [...tries].map(([key, count]) => {
          const [channel = '', outcome = ''] = key.split(' ');
          return [{ channel, outcome }, count];
        }),
      tenor_messages_waiting: () => CHANNELS.map((channel) => [{ channel }, waiting.get(channel) ?? 0]),
      tenor_mail_reports_total: () => reports.by('outcome'),
    });
    return {
      count: (channel, outcome) => void tries.set(`${channel} ${outcome}`, (tries.get(`${channel} ${outcome}`) ?? 0) + 1),
      waiting: (counts) => void (waiting = counts),
      reported: (outcome) => reports.add(outcome),
    };
  }

  /** Counts runs of campaigns, the questions that this process answers, and servers of files that were refused. */
  campaigns(): RunnerMeasure {
    const [runs, rows, questions, refused] = [new Tally(), new Tally(), new Tally(), new Tally()];
    const seconds = registerHistogram(this.registry, 'tenor_question_seconds');
    const fillSeconds = registerHistogram(this.registry, 'tenor_views_fill_seconds');
    this.read({
      tenor_campaign_runs_total: () => runs.by('status'),
      tenor_campaign_rows_total: () => rows.by('status'),
      tenor_questions_total: () => questions.by('outcome'),
      tenor_server_keys_refused_total: () => refused.by('mode'),
    });
    return {
      ended: (status) => runs.add(status),
      rows: (statuses) => {
        for (const [status, count] of Object.entries(statuses)) rows.add(status, count);
      },
      asked: (outcome, took) => {
        questions.add(outcome);
        seconds.observe(took);
      },
      filled: (took) => fillSeconds.observe(took),
      serverKeyRefused: (mode) => refused.add(mode),
    };
  }

  /** Late automatic work, as this process has seen it last. */
  lateWork(): LateWorkMeasure {
    let late: ReadonlyMap<string, number> = new Map();
    this.read({
      tenor_late_works: () =>
        [...late].map(([key, count]) => {
          const [work = '', mode = ''] = key.split(' ');
          return [{ work, mode }, count];
        }),
    });
    return { late: (counts) => void (late = counts) };
  }

  /** Registers values that are read when metrics are collected. */
  read(readings: Readings): void {
    registerReadings(this.registry, readings);
  }

  /** Registers the state of the engines of this process. */
  readUnits(status: () => readonly UnitStatus[]): void {
    const units = recently(status);
    const sum =
      (value: (unit: UnitStatus) => number): (() => number) =>
      () =>
        units().reduce((total, unit) => total + value(unit), 0);
    const each =
      (value: (unit: UnitStatus) => number): (() => Reading) =>
      () =>
        units().map((unit) => [{ unit: unit.unit }, value(unit)]);
    const most =
      (value: (unit: UnitStatus) => number): (() => number) =>
      () =>
        Math.max(0, ...units().map(value));
    const works =
      (value: (work: UnitStatus['massWorks'][number]) => number): (() => Reading) =>
      () =>
        [...grouped(units().flatMap(({ massWorks }) => massWorks.map((work) => [work.kind, value(work)] as const)))].map(
          ([kind, total]) => [{ kind }, total],
        );
    this.read({
      tenor_units: () => [...grouped(units().map(({ state }) => [state, 1] as const))].map(([state, count]) => [{ state }, count]),
      tenor_unit_unstored_records: each(({ unstoredRecords }) => unstoredRecords),
      tenor_unit_snapshot_age_seconds: each(({ snapshotAgeSeconds }) => snapshotAgeSeconds),
      tenor_unit_recovery_seconds: each(({ recoverySeconds }) => recoverySeconds),
      tenor_unit_recovered_records: each(({ recoveredRecords }) => recoveredRecords),
      tenor_loans: () => (units().some(({ loans }) => loans === null) ? null : sum(({ loans }) => loans ?? 0)()),
      tenor_actors_awake: sum(({ awake }) => awake),
      tenor_actors_quarantined: sum(({ quarantined }) => quarantined),
      tenor_clock_ahead_seconds: most(({ clockAheadSeconds }) => clockAheadSeconds),
      tenor_day_closing_late_seconds: most(({ dayClosingLateSeconds }) => dayClosingLateSeconds),
      tenor_day_work_waiting: sum(({ dayWorkWaiting }) => dayWorkWaiting),
      tenor_mass_works: () =>
        [
          ...grouped(units().flatMap(({ massWorks }) => massWorks.map(({ kind, state, count }) => [`${kind} ${state}`, count] as const))),
        ].map(([key, count]) => {
          const [kind = '', state = ''] = key.split(' ');
          return [{ kind, state }, count];
        }),
      tenor_mass_remaining: works(({ remaining }) => remaining),
      tenor_mass_rate: works(({ perSecond }) => perSecond),
    });
  }
}

function grouped(values: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [key, value] of values) sums.set(key, (sums.get(key) ?? 0) + value);
  return sums;
}
