import { Counter, type Histogram, type Registry } from 'prom-client';
import { registerHistogram, registerReadings, Tally } from './register.js';
import { METRICS } from './table.js';

/** The metrics of the gateway, by operation and status, never by ids or anything that a caller sent. */
export class HttpMetrics {
  readonly #seconds: Histogram;
  readonly #operations = new Map<string, Operation>();
  readonly #refusals = new Tally();

  constructor(
    registry: Registry,
    current: {
      readonly inFlight: () => number;
      readonly streams: () => number;
      readonly cut: () => number;
      readonly isReady: () => boolean;
    },
  ) {
    const operations = this.#operations;
    const name = 'tenor_http_requests_total';
    new Counter({
      name,
      help: METRICS[name].meaning,
      labelNames: METRICS[name].labels,
      registers: [registry],
      collect() {
        for (const [operation, { fresh }] of operations) {
          for (const [status, count] of fresh) this.inc({ operation, status }, count);
          fresh.clear();
        }
      },
    });
    this.#seconds = registerHistogram(registry, 'tenor_http_request_seconds');
    registerReadings(registry, {
      tenor_ready: () => Number(current.isReady()),
      tenor_http_refusals_total: () => this.#refusals.by('reason'),
      tenor_http_requests_in_flight: current.inFlight,
      tenor_event_streams: current.streams,
      tenor_event_streams_cut_total: current.cut,
    });
  }

  answered(operation: string, status: number, seconds: number): void {
    const known = this.#operations.get(operation) ?? this.#first(operation);
    known.fresh.set(status, (known.fresh.get(status) ?? 0) + 1);
    known.observe(seconds);
  }

  refused(reason: string): void {
    this.#refusals.add(reason);
  }

  #first(operation: string): Operation {
    const series = this.#seconds.labels({ operation });
    const added: Operation = { observe: (seconds) => series.observe(seconds), fresh: new Map() };
    this.#operations.set(operation, added);
    return added;
  }
}

/** The counters of one operation, kept because a look-up by labels for each request would cost more than counting. */
interface Operation {
  readonly observe: (seconds: number) => void;
  /** Requests by status that the counter does not know yet. */
  readonly fresh: Map<number, number>;
}
