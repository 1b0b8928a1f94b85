import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Bounds of the latency histogram in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What the gateway counts: operations and statuses, never ids or anything that a caller sent. */
export class GatewayMetrics {
  readonly #seconds: Histogram<'operation'>;
  readonly #operations = new Map<string, Operation>();

  constructor(registry: Registry, current: { readonly inFlight: () => number; readonly streams: () => number }) {
    const registers = [registry];
    const operations = this.#operations;
    new Counter({
      name: 'tenor_http_requests_total', help: 'Requests answered', labelNames: ['operation', 'status'], registers,
      collect() {
        for (const [operation, { fresh }] of operations) {
          for (const [status, count] of fresh) this.inc({ operation, status }, count);
          fresh.clear();
        }
      },
    });
    this.#seconds = new Histogram({
      name: 'tenor_http_request_seconds', help: 'Time to the answer', labelNames: ['operation'], buckets: BUCKETS, registers,
    });
    new Gauge({
      name: 'tenor_http_requests_in_flight', help: 'Requests under way', registers,
      collect() {
        this.set(current.inFlight());
      },
    });
    new Gauge({
      name: 'tenor_event_streams', help: 'Event streams open', registers,
      collect() {
        this.set(current.streams());
      },
    });
  }

  answered(operation: string, status: number, seconds: number): void {
    const known = this.#operations.get(operation) ?? this.#first(operation);
    known.fresh.set(status, (known.fresh.get(status) ?? 0) + 1);
    known.observe(seconds);
  }

  #first(operation: string): Operation {
    const { observe } = this.#seconds.labels({ operation });
    const added: Operation = { observe, fresh: new Map() };
    this.#operations.set(operation, added);
    return added;
  }
}

/** What is counted of one operation: looking labels up for each request would cost more than the counting. */
interface Operation {
  readonly observe: (seconds: number) => void;
  /** Requests by status that the counter does not know yet. */
  readonly fresh: Map<number, number>;
}
