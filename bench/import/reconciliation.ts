import { Big } from 'big.js';
import { Decimal, type Fault } from '../../actors/index.js';
import { LIMITS } from './limits.js';
import type { CompiledFigure } from './mapping.js';
import type { Cells } from './template.js';

export interface Difference {
  readonly loan: string;
  readonly figure: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface FigureSummary {
  readonly figure: string;
  readonly compared: number;
  readonly matched: number;
  /** At most as many as the limit says; `compared - matched` is the whole number. */
  readonly differences: readonly Difference[];
}

/** Compares our figures with those that the lender's file carries, to the last digit that the file gives. */
export class Reconciliation {
  readonly #counts = new Map<string, { compared: number; matched: number; differences: Difference[] }>();

  constructor(private readonly figures: readonly CompiledFigure[]) {
    for (const { name } of figures) this.#counts.set(name, { compared: 0, matched: 0, differences: [] });
  }

  get isWanted(): boolean {
    return this.figures.length > 0;
  }

  /** `view` is the loan as `GET` shows it. A cell that cannot be read is a difference, an empty one is left out. */
  compare(loan: string, cells: Cells, view: unknown): void {
    for (const { name, ours, theirs } of this.figures) {
      const counts = this.#counts.get(name);
      const faults: Fault[] = [];
      const told = theirs(cells, faults);
      if (!counts || (told === undefined && faults.length === 0)) continue;
      const found = propertyOf(view, ours);
      counts.compared += 1;
      if (faults.length === 0 && isSame(found, told)) counts.matched += 1;
      else if (counts.differences.length < LIMITS.namedDifferences) {
        counts.differences.push({ loan, figure: name, ours: textOf(found), theirs: faults[0]?.message ?? textOf(told) });
      }
    }
  }

  summary(): readonly FigureSummary[] {
    return [...this.#counts].map(([figure, counts]) => ({ figure, ...counts }));
  }
}

function propertyOf(view: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined),
    view,
  );
}

function isSame(ours: unknown, theirs: unknown): boolean {
  const [left, right] = [numberOf(ours), numberOf(theirs)];
  return left && right ? left.eq(right) : textOf(ours) === textOf(theirs);
}

function numberOf(value: unknown): Big | null {
  if (value instanceof Decimal) return new Big(value.text);
  return typeof value === 'number' ? new Big(value) : null;
}

function textOf(value: unknown): string {
  if (value instanceof Decimal) return value.text;
  if (value === undefined || value === null) return '(none)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
