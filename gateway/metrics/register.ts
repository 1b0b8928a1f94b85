import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { namesOf } from '../../engine/index.js';
import { type MetricOf, type MetricRow, METRICS } from './table.js';

type Labels = Readonly<Record<string, string>>;

/** One value, or one for each combination of labels; null where there is none. */
export type Reading = number | null | readonly (readonly [Labels, number])[];

/** Values that are read when metrics are collected; those of counters are the sums so far. */
export type Readings = { readonly [Name in MetricOf<'counter' | 'gauge'>]?: () => Reading | Promise<Reading> };

export function registerReadings(registry: Registry, readings: Readings): void {
  for (const name of namesOf(readings)) {
    const read = readings[name];
    if (read === undefined) continue;
    const { type, labels, meaning }: MetricRow = METRICS[name];
    const options = { name, help: meaning, labelNames: [...labels], registers: [registry] };
    if (type === 'counter')
      new Counter({
        ...options,
        collect() {
          return setFrom(this, read);
        },
      });
    else
      new Gauge({
        ...options,
        collect() {
          return setFrom(this, read);
        },
      });
  }
}

interface ReadMetric {
  reset(): void;
  remove(): void;
  inc(labels: Labels, value: number): void;
  inc(value: number): void;
}

async function setFrom(metric: ReadMetric, read: () => Reading | Promise<Reading>): Promise<void> {
  const reading = await read();
  metric.reset();
  if (reading === null) metric.remove();
  else if (typeof reading === 'number') metric.inc(reading);
  else for (const [labels, value] of reading) metric.inc(labels, value);
}

export function registerHistogram(registry: Registry, name: MetricOf<'histogram'>): Histogram {
  const { labels, meaning, buckets }: MetricRow = METRICS[name];
  return new Histogram({ name, help: meaning, labelNames: [...labels], buckets: [...(buckets ?? [])], registers: [registry] });
}

/** Sums by the value of a label. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(value: string, more = 1): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + more);
  }

  get sum(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  by(label: string): readonly (readonly [Labels, number])[] {
    return [...this.#counts].map(([value, count]) => [{ [label]: value }, count]);
  }
}

/** How long a value that several metrics share is fresh, in milliseconds. */
const FRESH_MS = 500;

/** The last value while it is fresh, else a new one. */
export function recently<Value>(read: () => Value): () => Value {
  let last: { readonly value: Value; readonly atMs: number } | null = null;
  return () => {
    if (last === null || performance.now() - last.atMs > FRESH_MS) last = { value: read(), atMs: performance.now() };
    return last.value;
  };
}
