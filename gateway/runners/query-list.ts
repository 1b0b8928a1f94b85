import type { QueryList } from '../../actors/index.js';

/** What is wrong with the answer of a query tool. */
export class Unreadable extends Error {}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** `[{…}, …]`, or the same under `data` or `rows`, or `{"columns": […], "rows": [[…], …]}`. Throws `Unreadable`. */
export function queryListOf(text: string): QueryList {
  const answer = parsed(text);
  if (isTable(answer)) return { columns: answer.columns.map(String), rows: answer.rows.map((row) => row.map(cellOf)) };
  const rows = rowsOf(answer);
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  const columns = [...names];
  return { columns, rows: rows.map((row) => columns.map((name) => cellOf(row[name]))) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Unreadable('The answer of the query tool is no JSON.', { cause });
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTable = (answer: unknown): answer is { readonly columns: readonly unknown[]; readonly rows: readonly (readonly unknown[])[] } =>
  isObject(answer) && Array.isArray(answer['columns']) && Array.isArray(answer['rows']) && answer['rows'].every(Array.isArray);

function rowsOf(answer: unknown): Rows {
  const rows = isObject(answer) ? (answer['data'] ?? answer['rows']) : answer;
  if (Array.isArray(rows) && rows.every(isObject)) return rows;
  throw new Unreadable('The answer of the query tool is no list of rows.');
}

const cellOf = (value: unknown): QueryList['rows'][number][number] =>
  value === undefined || value === null
    ? null
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : JSON.stringify(value);
