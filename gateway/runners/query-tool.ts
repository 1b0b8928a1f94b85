import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { OutsideFault, type QueryList } from '../../actors/index.js';
import { fieldOf } from '../../engine/index.js';
import { LIMITS } from '../limits.js';
import type { AddressRules } from '../outgoing.js';
import { callForBytes } from '../outgoing-text.js';
import type { QueryListFound, QueryPiece } from './query-list-thread.js';

/** Asks a query tool for a list: a GET with the key as a bearer token, which answers JSON. Throws `OutsideFault`. */
export async function fetchQueryList(
  rules: AddressRules,
  { url, apiKey }: { readonly url: string; readonly apiKey: string | null },
): Promise<QueryList> {
  const { status, content } = await callForBytes(rules, {
    name: 'query tool',
    method: 'GET',
    url,
    headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
    timeoutMs: LIMITS.queryToolMs,
    mostBytes: LIMITS.queryToolBytes,
  });
  if (status !== 200) throw new OutsideFault(`The query tool has answered ${status === 0 ? 'nothing' : status}.`);
  return listIn(content);
}

/** Reads an answer on a thread of its own, and takes over its rows in pieces, between which other work runs. Throws `OutsideFault`. */
export async function listIn(content: Buffer<ArrayBuffer>): Promise<QueryList> {
  const { buffer, byteLength } = content;
  const thread = new Worker(new URL('./query-list-thread.js', import.meta.url), {
    workerData: content,
    // What does not share its memory is moved and not copied.
    transferList: buffer.byteLength === byteLength ? [buffer] : [],
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.queryToolMemoryMb },
  });
  try {
    const found: QueryListFound = await messageOf(thread);
    if ('fault' in found) throw new OutsideFault(found.fault);
    const rows: QueryList['rows'][number][] = [];
    while (rows.length < found.rowCount) {
      thread.postMessage({ from: rows.length, to: rows.length + LIMITS.queryToolPiece } satisfies QueryPiece);
      const piece: QueryList['rows'] = await messageOf(thread);
      rows.push(...piece);
    }
    return { columns: found.columns, rows };
  } catch (cause) {
    if (fieldOf(cause, 'code') !== 'ERR_WORKER_OUT_OF_MEMORY') throw cause;
    throw new OutsideFault('The answer of the query tool is too large to be read.', { cause });
  } finally {
    await thread.terminate();
  }
}

/** The next message. Throws what has ended the thread. */
async function messageOf<Message>(thread: Worker): Promise<Message> {
  const [message]: Message[] = await once(thread, 'message');
  if (message === undefined) throw new Error('the thread has sent nothing');
  return message;
}
