import type { Test } from 'tap';
import { type HttpLender, listOf } from './http-lender.js';

/** Reads the second page after the only object of the first one has left the list, and the page before it. */
export async function followsAfter(t: Test, ask: HttpLender['ask'], list: string, change: (id: string) => Promise<unknown>): Promise<void> {
  const [, second] = listOf(await ask('GET', list));
  const more = (query: string): string => `${list}${list.includes('?') ? '&' : '?'}${query}`;
  const page = await ask('GET', more('limit=1'));
  t.type(page.json['nextUrl'], 'string', `${list} has a next page`);
  const { pathname, search } = new URL(String(page.json['nextUrl']));
  const left = String(listOf(page)[0]?.['id'] ?? listOf(page)[0]?.['operationId']);
  await change(left);
  const next = await ask('GET', pathname.replace(/^\/api/, '') + search);
  const name = second?.['id'] === undefined ? 'operationId' : 'id';
  t.match(next, { status: 200, json: { data: [{ [name]: second?.[name] }] } }, list);
  const last = String(listOf(next)[0]?.[name]);
  t.match(await ask('GET', more(`endingBefore=${last}`)), { status: 200, json: { data: [] } }, `${list}, back`);
  t.match(await ask('GET', more('startingAfter=XX-AAAA-AAAA')), { status: 400, json: { errors: [{ path: 'startingAfter' }] } });
}
