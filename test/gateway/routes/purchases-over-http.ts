import type { Test } from 'tap';
import { apiKeyAuthenticator, RESOURCE_ROUTES } from '../../../gateway/index.js';
import { ask, gatewayFor, type HttpAnswer, keyRecord } from '../harness.js';
import { dataOf, idOf } from './http-lender.js';
import { type LineOverHttp, openLineOverHttp } from './line-over-http.js';

export interface PurchasesOverHttp extends Omit<LineOverHttp, 'draw'> {
  /** The path of a draw of the line, originated. */
  readonly draw: string;
  newDraw(body?: object): Promise<string>;
  /** What is owed on a draw. */
  owed(of: string): Promise<number>;
  /** Asks with a key that has these permissions alone. */
  askWith(permissions: readonly string[], method: string, path: string, body?: object): Promise<HttpAnswer>;
}

/** A line of 1,000.00 at 18 %, due on the 15th, with one draw; the first day is 2026-03-02. */
export async function openPurchases(t: Test, product: object = {}): Promise<PurchasesOverHttp> {
  const lender = await openLineOverHttp(t, product, { creditLimitAmount: 1000 });
  const { h, line } = lender;
  const newDraw = async (body: object = {}): Promise<string> =>
    `${line}/draws/${idOf(await lender.ask('POST', `${line}/draws`, { status: 'originated', ...body }))}`;
  return {
    ...lender,
    draw: await newDraw(),
    newDraw,
    owed: async (of) => (dataOf(await lender.ask('GET', of))['current'] as { readonly balanceAmount: number }).balanceAmount,
    askWith: async (permissions, method, path, body) => {
      const key = `test_${permissions.join('_').replace(/\W/g, '_')}_0123456789abcdef`;
      const record = keyRecord(key, { company: lender.company, userId: lender.userId, permissions: new Set(permissions) });
      const { gateway } = await gatewayFor(t, {
        routes: RESOURCE_ROUTES,
        engine: h.engine,
        authenticator: apiKeyAuthenticator(() => record),
      });
      return ask(gateway.port, `/api${path}`, { method, key, ...(body === undefined ? {} : { body }) });
    },
  };
}
