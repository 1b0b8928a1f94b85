import type { EncryptedFiles } from './kept-views.js';
import type {
  Answer,
  AskedTable,
  AskedTables,
  Cell,
  ColumnShape,
  FileSection,
  ParquetFile,
  RowsPiece,
  TableGroup,
  ViewBatch,
} from '../ports.js';

/** What the service asks of the process that holds the views. */
export type Ask =
  | { readonly type: 'open'; readonly database: string }
  | { readonly type: 'add'; readonly database: string; readonly group: TableGroup }
  | { readonly type: 'put'; readonly database: string; readonly batch: ViewBatch }
  | { readonly type: 'count'; readonly database: string; readonly group: string }
  | { readonly type: 'drop'; readonly database: string }
  | { readonly type: 'check'; readonly tables: readonly AskedTable[]; readonly sql: string }
  | {
      readonly type: 'ask' | 'parquet';
      readonly database: string;
      readonly sql: string;
      readonly mostRows: number;
      readonly limitMs: number;
    }
  | {
      readonly type: 'section';
      readonly database: string;
      readonly sql: string;
      readonly mostRows: number;
      readonly limitMs: number;
      readonly format: 'csv' | 'parquet';
      readonly hasHead: boolean;
    }
  | { readonly type: 'keep' | 'restore'; readonly database: string; readonly group: string; readonly files: EncryptedFiles }
  /** Files in the folder of the process. */
  | { readonly type: 'merge'; readonly sections: readonly string[]; readonly whole: string };

/** Begins the names of folders that the process makes, one a database, in its folder. */
export const DATABASE_FOLDER = 'database-';

export interface Request {
  readonly id: number;
  readonly ask: Ask;
}

export type Response = { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly fault: Fault };

/** Why a question has no answer. */
export interface Fault {
  readonly type: 'refused' | 'failed' | 'late' | 'tooLarge' | 'closed';
  readonly message: string;
}

export type { Answer, AskedTable, AskedTables, Cell, ColumnShape, FileSection, ParquetFile, RowsPiece, TableGroup, ViewBatch };
