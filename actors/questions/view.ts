import { centsOf, Decimal, orNull } from '../wire.js';

/**
 * `MONEY`: an amount with two decimals; its cells are cents. `EXACT`: one with ten; its cells are texts with all ten. Cells of `DATE` are
 * days since 1970, of `TIMESTAMP` milliseconds, perhaps with a fraction.
 */
type ColumnType = 'VARCHAR' | 'BOOLEAN' | 'INTEGER' | 'MONEY' | 'EXACT' | 'DATE' | 'TIMESTAMP';

export type Cell = string | number | boolean | null;

/** The cell of an amount or rate that is printed already, as replies have it. */
export const printed = (value: unknown): string | null => (value instanceof Decimal ? value.text : null);

/** The cell of an amount that is printed already. */
export const printedCents = (value: unknown): number | null => orNull((text) => centsOf(Number(text)), printed(value));

/** A column of a view, as all that only carry rows know it. */
export interface ColumnShape {
  readonly name: string;
  readonly type: ColumnType;
}

interface Column<Item> extends ColumnShape {
  readonly meaning: string;
  /** Absent where who asks may not read personal data: the view has no such column then. */
  readonly isPersonal?: true;
  readonly of: (item: Item) => Cell;
}

/** The kinds of actors that views show. */
export const ACTOR_KINDS = ['company', 'person', 'loan', 'case', 'interaction'] as const;
type ActorKind = (typeof ACTOR_KINDS)[number];

/** What the rows of a view are about: actors, or the events of the log. */
export type ViewedKind = ActorKind | 'event';

/**
 * A view: its table, what fills it, and its page of the documentation are made from one declaration. An actor has any number of rows in
 * it, which are all replaced when it has changed.
 */
export interface View {
  readonly name: string;
  readonly meaning: string;
  readonly kind: ViewedKind;
  readonly columns: readonly Omit<Column<never>, 'of'>[];
  /**
   * Of a view with very many rows, each of which costs a computation: it is filled and followed only for questions that name it. With more
   * rows it is refused.
   */
  readonly mostRows?: number;
  /** The rows of one subject of the kind (`subjects.ts`), a cell for each column that is shown. */
  rowsOf(subject: unknown, shown: Shown): readonly (readonly Cell[])[];
}

/** What is shown of a view. */
export interface Shown {
  readonly seesPersonalData: boolean;
  /** The columns that are wanted; absent: all. */
  readonly names?: readonly string[] | undefined;
}

interface Declared<Subject, Item> {
  readonly name: string;
  readonly meaning: string;
  readonly kind: ViewedKind;
  readonly mostRows?: number;
  readonly items: (subject: Subject) => readonly Item[];
  readonly columns: readonly Column<Item>[];
}

export function view<Subject, Item>({ items, columns, ...named }: Declared<Subject, Item>): View {
  const plain = columns.filter(({ isPersonal }) => isPersonal !== true);
  return {
    ...named,
    columns,
    rowsOf(subject: Subject, { seesPersonalData, names }) {
      const all = seesPersonalData ? columns : plain;
      const shown = names === undefined ? all : all.filter(({ name }) => names.includes(name));
      return items(subject).map((item) => shown.map((column) => column.of(item)));
    },
  };
}

/** The columns that are shown. */
export const shownColumns = ({ columns }: View, { seesPersonalData, names }: Shown): readonly ColumnShape[] =>
  columns
    .filter(({ name, isPersonal }) => (seesPersonalData || isPersonal !== true) && names?.includes(name) !== false)
    .map(({ name, type }) => ({ name, type }));
