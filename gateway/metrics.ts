import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Bounds of the latency histogram in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What the gateway counts: operations and statuses, never ids or anything that a caller sent. */
export class GatewayMetrics {
  readonly #requests: Counter<'operation' | 'status'>;
  readonly #seconds: Histogram<'operation'>;

  constructor(registry: Registry, current: { readonly inFlight: () => number; readonly streams: () => number }) {
    const registers = [registry];
    this.#requests = new Counter({
      name: 'tenor_http_requests_total', help: 'Requests answered', labelNames: ['operation', 'status'], registers,
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
    this.#requests.inc({ operation, status });
    this.#seconds.observe({ operation }, seconds);
  }
}
