import { gunzipSync, gzipSync } from 'node:zlib';
import { amountText, csvLine } from '../../../engine/index.js';
import type { Figure } from '../actor.js';
import { LIMITS } from '../limits.js';

/**
 * The differences that a dry run has found: a line of CSV for each actor, compressed as it grows, and totals of all amounts. Lines beyond
 * `LIMITS.reportBytes` are left out and counted.
 */
export class DifferenceReport {
  readonly #parts: Buffer[] = [];
  readonly #totals = new Map<string, { beforeCents: number; afterCents: number }>();
  #gathering = '';
  #bytes = 0;
  #rows = 0;
  #leftOut = 0;

  get rows(): number {
    return this.#rows;
  }

  get rowsLeftOut(): number {
    return this.#leftOut;
  }

  /** Of the figures that are amounts, in the order of the columns. */
  get totals(): readonly AmountTotal[] {
    return [...this.#totals].map(([name, total]) => ({ name, ...total }));
  }

  get partCount(): number {
    return this.#parts.length + (this.#gathering === '' ? 0 : 1);
  }

  part(index: number): string {
    const packed = this.#parts[index];
    return packed ? gunzipSync(packed).toString('utf8') : index === this.#parts.length ? this.#gathering : '';
  }

  /** Drops the lines; the totals stay. */
  drop(): void {
    this.#leftOut += this.#rows;
    this.#rows = 0;
    this.#parts.length = 0;
    this.#gathering = '';
  }

  /** Returns whether anything differs. */
  add({ id, before, after, fault }: Compared): boolean {
    const isChanged = after !== null && before.some(([, value], at) => value !== after[at]?.[1]);
    for (const [at, [name, value]] of before.entries()) {
      if (typeof value !== 'number') continue;
      const total = this.#totals.get(name) ?? { beforeCents: 0, afterCents: 0 };
      const then = after?.[at]?.[1];
      total.beforeCents += value;
      total.afterCents += typeof then === 'number' ? then : value;
      this.#totals.set(name, total);
    }
    this.#write(before, after, [id, fault === null ? (isChanged ? 'changed' : 'unchanged') : 'failed'], fault);
    return isChanged;
  }

  #write(before: readonly Figure[], after: readonly Figure[] | null, head: readonly string[], fault: string | null): void {
    if (this.#bytes >= LIMITS.reportBytes) {
      this.#leftOut += 1;
      return;
    }
    if (this.#rows === 0) this.#line([...HEAD, ...before.flatMap(([name]) => [`${name}Before`, `${name}After`]), 'message']);
    this.#rows += 1;
    this.#line([
      ...head,
      ...before.flatMap(([, value], at) => [textOf(value), after === null ? '' : textOf(after[at]?.[1] ?? null)]),
      fault ?? '',
    ]);
  }

  #line(values: readonly string[]): void {
    this.#gathering += `${csvLine(values)}\r\n`;
    if (this.#gathering.length < LIMITS.reportPart) return;
    const packed = gzipSync(this.#gathering, { level: 1 });
    this.#parts.push(packed);
    this.#bytes += packed.length;
    this.#gathering = '';
  }
}

/** Totals of the differences: of each amount, before and after, in cents. */
export interface AmountTotal {
  readonly name: string;
  readonly beforeCents: number;
  readonly afterCents: number;
}

/** The present figures of one actor, and the figures that the work would lead to; null: they could not be computed. */
export interface Compared {
  readonly id: string;
  readonly before: readonly Figure[];
  readonly after: readonly Figure[] | null;
  readonly fault: string | null;
}

const HEAD = ['id', 'outcome'];

const textOf = (value: Figure[1]): string => (typeof value === 'number' ? amountText(value) : (value ?? ''));
