import { OutsideFault, type QueryList } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import type { AddressRules } from '../outgoing.js';
import { callForText } from '../outgoing-text.js';

/** Asks a query tool for a list: a GET with the key as a bearer token, which answers JSON. Throws `OutsideFault`. */
export async function fetchQueryList(
  rules: AddressRules,
  { url, apiKey }: { readonly url: string; readonly apiKey: string | null },
): Promise<QueryList> {
  const { status, text } = await callForText(rules, {
    name: 'query tool',
    method: 'GET',
    url,
    headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
    timeoutMs: LIMITS.queryToolMs,
    mostBytes: LIMITS.queryToolBytes,
  });
  if (status !== 200) throw new OutsideFault(`The query tool has answered ${status === 0 ? 'nothing' : status}.`);
  return listOf(text);
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** `[{…}, …]`, or the same under `data` or `rows`, or `{"columns": […], "rows": [[…], …]}`. */
function listOf(text: string): QueryList {
  const answer = parsed(text);
  if (isTable(answer)) return { columns: answer.columns.map(String), rows: answer.rows.map((row) => row.map(cellOf)) };
  const rows = rowsOf(answer);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { columns, rows: rows.map((row) => columns.map((name) => cellOf(row[name]))) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OutsideFault('The answer of the query tool is no JSON.', { cause });
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTable = (answer: unknown): answer is { readonly columns: readonly unknown[]; readonly rows: readonly (readonly unknown[])[] } =>
  isObject(answer) && Array.isArray(answer['columns']) && Array.isArray(answer['rows']) && answer['rows'].every(Array.isArray);

function rowsOf(answer: unknown): Rows {
  const rows = isObject(answer) ? (answer['data'] ?? answer['rows']) : answer;
  if (Array.isArray(rows) && rows.every(isObject)) return rows;
  throw new OutsideFault('The answer of the query tool is no list of rows.');
}

const cellOf = (value: unknown): QueryList['rows'][number][number] =>
  value === undefined || value === null
    ? null
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : JSON.stringify(value);
