import type { QueryEnv } from '../kernel/actor.js';

/** `MONEY`: an amount with two decimals; its cells are cents. Cells of `DATE` are days since 1970, of `TIMESTAMP` milliseconds. */
export type ColumnType = 'VARCHAR' | 'BOOLEAN' | 'INTEGER' | 'MONEY' | 'DATE' | 'TIMESTAMP';

export type Cell = string | number | boolean | null;

/** A column of a view, as all that only carry rows know it. */
export interface ColumnShape {
  readonly name: string;
  readonly type: ColumnType;
}

export interface Column<Item> extends ColumnShape {
  readonly meaning: string;
  /** Absent where who asks may not read personal data: the view has no such column then. */
  readonly isPersonal?: true;
  of(item: Item): Cell;
}

/** The kinds of actors that views show. */
export type ViewedKind = 'person' | 'loan' | 'case' | 'interaction';

/**
 * A view: its table, what fills it, and its page of the documentation are made from one declaration. An actor has any number of rows in
 * it, which are all replaced when it has changed.
 */
export interface View {
  readonly name: string;
  readonly meaning: string;
  readonly kind: ViewedKind;
  readonly columns: readonly Omit<Column<never>, 'of'>[];
  /** The rows of one actor, a cell for each column that the access shows. */
  rowsOf(state: unknown, env: QueryEnv, seesPersonalData: boolean): readonly (readonly Cell[])[];
}

interface Declared<State, Item> {
  readonly name: string;
  readonly meaning: string;
  readonly kind: ViewedKind;
  items(state: State, env: QueryEnv): readonly Item[];
  readonly columns: readonly Column<Item>[];
}

export const view = <State, Item>({ items, columns, ...named }: Declared<State, Item>): View => ({
  ...named,
  columns,
  rowsOf(state, env, seesPersonalData) {
    const shown = seesPersonalData ? columns : columns.filter(({ isPersonal }) => isPersonal !== true);
    return items(state as State, env).map((item) => shown.map((column) => column.of(item)));
  },
});

/** The columns that an access shows. */
export const shownColumns = ({ columns }: View, seesPersonalData: boolean): readonly ColumnShape[] =>
  columns.filter(({ isPersonal }) => seesPersonalData || isPersonal !== true).map(({ name, type }) => ({ name, type }));
