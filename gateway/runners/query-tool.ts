import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { OutsideFault, type QueryList } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import { type AddressRules, faultOf, hostOf, lookupWithin } from '../outgoing.js';

/** Asks a query tool for a list: a GET with the key as a bearer token, which answers JSON. Throws `OutsideFault`. */
export async function fetchQueryList(
  rules: AddressRules,
  { url: text, apiKey }: { readonly url: string; readonly apiKey: string | null },
): Promise<QueryList> {
  const fault = rules.faultOf(text);
  if (fault !== null) throw new OutsideFault(`The address of the query ${fault}.`);
  const url = new URL(text);
  const isEncrypted = url.protocol === 'https:';
  const host = hostOf(url);
  if (isIP(host) !== 0 && !rules.allows(host, isEncrypted))
    throw new OutsideFault('The address of the query must not be a private address.');
  const response = await ask(rules, url, apiKey).catch((cause: unknown) => {
    throw new OutsideFault(`The query tool could not be asked: ${faultOf(cause as Error)}.`, { cause });
  });
  if (response.statusCode !== 200) {
    response.destroy();
    throw new OutsideFault(`The query tool has answered ${response.statusCode ?? 'nothing'}.`);
  }
  return listOf(await textOf(response));
}

function ask(rules: AddressRules, url: URL, apiKey: string | null): Promise<IncomingMessage> {
  const isEncrypted = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isEncrypted ? httpsRequest : httpRequest)(url, {
      method: 'GET',
      agent: false,
      maxHeaderSize: LIMITS.outgoingHeaderBytes,
      signal: AbortSignal.timeout(LIMITS.queryToolMs),
      lookup: lookupWithin(rules, isEncrypted),
      headers: { accept: 'application/json', ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }) },
    });
    request.on('response', resolve);
    request.on('error', reject);
    request.end();
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > LIMITS.queryToolBytes) throw new OutsideFault(`The query tool has answered more than ${LIMITS.queryToolBytes} bytes.`);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof OutsideFault) throw cause;
    throw new OutsideFault(`The answer of the query tool broke off: ${faultOf(cause as Error)}.`, { cause });
  }
  return Buffer.concat(chunks).toString('utf8');
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
