import type { RowsPiece } from './ports.js';
import type { Cell } from './view.js';

/**
 * Gathers the rows of some actors and prints them as JSON, column by column: one text a table costs less on its way through workers and
 * processes than rows of cells, and the process of the views gives it to DuckDB as it is.
 */
export class RowsText {
  readonly #actors: string[] = [];
  readonly #tables: TableText[];
  #rowCount = 0;

  /** `tables`: how many tables the actors have rows in. */
  constructor(tables: number) {
    this.#tables = Array.from({ length: tables }, () => new TableText());
  }

  get actorCount(): number {
    return this.#actors.length;
  }

  /** `rows`: for each table its rows, a cell for each column. */
  add(actor: string, rows: readonly (readonly (readonly Cell[])[])[]): void {
    this.#actors.push(actor);
    for (const [at, table] of this.#tables.entries())
      for (const cells of rows[at] ?? []) {
        table.add(actor, cells);
        this.#rowCount += 1;
      }
  }

  print(): RowsPiece {
    return { actors: this.#actors, rowCount: this.#rowCount, tables: this.#tables.map((table) => table.print()) };
  }
}

class TableText {
  readonly #actors: string[] = [];
  readonly #columns: Cell[][] = [];
  readonly #isFilled: boolean[] = [];

  add(actor: string, cells: readonly Cell[]): void {
    this.#actors.push(actor);
    for (let at = 0; at < cells.length; at += 1) {
      const cell = cells[at] ?? null;
      (this.#columns[at] ??= []).push(cell);
      if (cell !== null) this.#isFilled[at] = true;
    }
  }

  print(): string | null {
    if (this.#actors.length === 0) return null;
    const cells = this.#columns.map((each, at) => [String(at), this.#isFilled[at] === true ? each : null] as const);
    const columns = Object.fromEntries<readonly Cell[] | null>([['actor', this.#actors], ...cells]);
    const text = JSON.stringify(columns);
    return HALVES.test(text)
      ? JSON.stringify(columns, (_name, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value))
      : text;
  }
}

/** Halves of characters, which no text of a database may have: `JSON.stringify` escapes them. */
const HALVES = /\\ud[89a-f]/;
