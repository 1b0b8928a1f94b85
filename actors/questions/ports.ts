import type { Cell, ColumnShape } from './view.js';

/** What holds the views and answers SQL over them. `persistence/` implements it, in a process of its own. */
export interface ViewStore {
  /** Another number: what was put before is gone. */
  readonly generation: number;
  /** An empty database in place of one of that name. */
  open(database: string): Promise<void>;
  /** Empty tables in place of those of these names, filled and followed together. */
  add(database: string, group: TableGroup): Promise<void>;
  put(database: string, batch: ViewBatch): Promise<void>;
  /** How many actors a group has. */
  count(database: string, group: string): Promise<number>;
  drop(database: string): Promise<void>;
  /** How often data was erased of which a copy may be kept. */
  readonly erasures: number;
  /** What is kept from before, of all databases. */
  allKept(): readonly KeptGroup[];
  /**
   * Keeps a group as it is now, for the next start; what is put behind this call is not in it. Resolves when it is kept or was reported to
   * have failed; to false where something was erased since `erasures`: nothing is kept then.
   */
  keep(group: KeptGroup, erasures: number): Promise<boolean>;
  /** Adds a group as it was kept. False where it cannot be read, or was erased. */
  restore(database: string, group: string): Promise<boolean>;
  /** Erases a group that is kept, and is not to be used. */
  dropKept(database: string, group: string): void;
  /** Erases all that is kept, and what is being kept. Throws where something could not be erased. */
  eraseKept(): void;
  /** What a question reads of the tables. Throws `QuestionFailed` (`refused`) for what is not one SELECT over them. */
  check(tables: readonly AskedTable[], sql: string): Promise<AskedTables>;
  /** Throws `QuestionFailed`. */
  ask(database: string, sql: string, bounds: AnswerBounds): Promise<Answer>;
  /** The answer as a Parquet file, in which amounts, dates and times have their types. Throws `QuestionFailed`. */
  parquet(database: string, sql: string, bounds: AnswerBounds): Promise<ParquetFile>;
  /** The answer of a section of a file. Throws `QuestionFailed`. */
  section(database: string, sql: string, bounds: SectionBounds): Promise<FileSection>;
  /** One Parquet file of others with the same columns, in pieces. Throws `QuestionFailed`. */
  merged(sections: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** A group of tables that outlives the service. */
export interface KeptGroup {
  readonly database: string;
  readonly group: string;
  /** A text that is found with it. */
  readonly marks: string;
}

/** Part of a file. */
export interface FileSection {
  readonly content: Uint8Array;
  readonly rowCount: number;
}

export interface SectionBounds extends AnswerBounds {
  readonly format: 'csv' | 'parquet';
  /** Of CSV: whether its first line names the columns. */
  readonly hasHead: boolean;
}

export type ParquetFile = FileSection;

export interface AnswerBounds {
  readonly mostRows: number;
  readonly limitMs: number;
}

/** A table that questions may name. */
export interface AskedTable {
  readonly name: string;
  readonly personalColumns: readonly string[];
}

/** What a question reads. */
export interface AskedTables {
  readonly tables: readonly string[];
  /** False: it would have the same answer from tables without their personal columns. */
  readonly readsPersonalData: boolean;
}

interface TableShape {
  readonly name: string;
  readonly columns: readonly ColumnShape[];
}

/** Tables about the same actors. */
export interface TableGroup {
  readonly name: string;
  readonly tables: readonly TableShape[];
}

/** Rows of some actors of a group: all that its tables had of these before is replaced. */
export interface ViewBatch {
  readonly group: string;
  /** False: none of the actors is there yet. */
  readonly replaces: boolean;
  readonly pieces: readonly RowsPiece[];
  /** More rows of the group follow: these may be put together with them, and be seen no earlier. */
  readonly hasMore: boolean;
  /** Milliseconds: up to when the tables know everything, once this is in. */
  readonly watermark: number;
}

/** All rows of some actors. */
export interface RowsPiece {
  readonly actors: readonly string[];
  /** In all tables together. */
  readonly rowCount: number;
  /**
   * For each table of the group, in its order, JSON of its columns: `{"actor": ["LN-…"], "0": [1999], …}`, each with a cell for each row.
   * A column without a value is null. Null in place of the text: no row.
   */
  readonly tables: readonly (string | null)[];
}

/** Rows as lists of cells; amounts, dates and times are text. */
export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Counts questions, and how long views take to be filled. */
export interface QuestionMeasure {
  asked(outcome: 'answered' | QuestionFault, seconds: number): void;
  filled(seconds: number): void;
}

/** `refused`: the text is none that is answered. `closed`: nobody can answer now, and the same may be asked again. */
type QuestionFault = 'refused' | 'failed' | 'late' | 'tooLarge' | 'closed';

export class QuestionFailed extends Error {
  override readonly name = 'QuestionFailed';

  constructor(
    readonly type: QuestionFault,
    message: string,
  ) {
    super(message);
  }
}
