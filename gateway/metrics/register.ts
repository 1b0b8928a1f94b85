import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type MetricName, type MetricOf, type MetricRow, METRICS } from './table.js';

type Labels = Readonly<Record<string, string>>;

/** One value, one for each combination of labels, or null where there is nothing to tell. */
export type Reading = number | null | readonly (readonly [Labels, number])[];

/** Values that are read when somebody asks for them; those of counters are the sums so far. */
export type Readings = { readonly [Name in MetricOf<'counter' | 'gauge'>]?: () => Reading | Promise<Reading> };

export function registerReadings(registry: Registry, readings: Readings): void {
  for (const [name, read] of Object.entries(readings)) {
    const { type, labels, meaning }: MetricRow = METRICS[name as MetricName];
    const options = { name, help: meaning, labelNames: [...labels], registers: [registry] };
    const told = (metric: {
      reset(): void;
      remove(): void;
      inc(labels: Labels, value: number): void;
      inc(value: number): void;
    }): Promise<void> => tell(metric, read);
    if (type === 'counter')
      new Counter({
        ...options,
        collect() {
          return told(this);
        },
      });
    else
      new Gauge({
        ...options,
        collect() {
          return told(this);
        },
      });
  }
}

async function tell(
  metric: { reset(): void; remove(): void; inc(labels: Labels, value: number): void; inc(value: number): void },
  read: () => Reading | Promise<Reading>,
): Promise<void> {
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

/** A sum so far by a word. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(word: string, more = 1): void {
    this.#counts.set(word, (this.#counts.get(word) ?? 0) + more);
  }

  get sum(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** As a label says it. */
  by(label: string): readonly (readonly [Labels, number])[] {
    return [...this.#counts].map(([word, count]) => [{ [label]: word }, count]);
  }
}

/** What is read at once for several metrics: at most once in this many milliseconds. */
const SAME_LOOK_MS = 500;

/** The last value while it is fresh. */
export function recently<Value>(read: () => Value): () => Value {
  let last: { readonly value: Value; readonly atMs: number } | null = null;
  return () => {
    if (last === null || performance.now() - last.atMs > SAME_LOOK_MS) last = { value: read(), atMs: performance.now() };
    return last.value;
  };
}
