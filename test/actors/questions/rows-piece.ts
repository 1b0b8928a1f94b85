import type { Cell, RowsPiece } from '../../../actors/index.js';
import { RowsText } from '../../../actors/questions/rows-text.js';

type Rows = readonly (readonly (readonly Cell[])[])[];

/** Actors with their rows of each table. */
export function piece(actors: readonly (readonly [actor: string, rows: Rows])[]): RowsPiece {
  const text = new RowsText(actors[0]?.[1].length ?? 0);
  for (const [actor, rows] of actors) text.add(actor, rows);
  return text.print();
}

/** The rows of an actor of a piece, for tables with so many columns. */
export const rowsIn = ({ tables }: RowsPiece, actor: string, widths: readonly number[]): Rows =>
  tables.map((text, at) => {
    const columns = JSON.parse(text ?? '{"actor": []}') as { readonly actor: readonly string[] } & Readonly<
      Record<string, readonly Cell[]>
    >;
    const rowOf = (row: number): Cell[] => Array.from({ length: widths[at] ?? 0 }, (_, place) => columns[place]?.[row] ?? null);
    return columns.actor.flatMap((of, row) => (of === actor ? [rowOf(row)] : []));
  });
