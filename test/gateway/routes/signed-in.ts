import type { Test } from 'tap';
import type { HttpAnswer } from '../harness.js';
import { type HttpLender, dataOf, idOf, openHttpLender } from './http-lender.js';

/** Waits for the message number `count`, which is sent after the answer; returns its code. */
export async function arrived({ sent }: HttpLender, count: number): Promise<string> {
  while (sent.length < count) await new Promise((resolve) => setImmediate(resolve));
  return sent[count - 1]?.code ?? '';
}

export const PASSWORD = 'correct horse battery';

export interface LenderWithAda extends HttpLender {
  readonly adaId: string;
  signIn(username: string, password: string, more?: object): Promise<HttpAnswer>;
  /** Signs Ada in; returns the token. */
  token(): Promise<string>;
  exchangeTokenOf(userId?: string): Promise<string>;
}

/** A company with an agent, Ada, who signs in by password and has the given permissions. */
export async function openWithAda(t: Test, permissions: readonly string[]): Promise<LenderWithAda> {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const role = idOf(await ask('POST', '/roles', { alias: 'Agents', permissions }));
  const auths = [{ authType: 'basic', authValueType: 'email', value: 'ada@northwind.example' }];
  const adaId = idOf(await ask('POST', '/users', { type: 'agent', userName: 'ada', auths, roleIds: [role], password: PASSWORD }));
  const signIn = (username: string, password: string, more: object = {}): Promise<HttpAnswer> =>
    ask('POST', '/auth/token?mode=test', { username, password, ...more }, { key: false });
  return {
    ...lender,
    adaId,
    signIn,
    token: async () => String((await signIn('ada', PASSWORD)).json['token']),
    exchangeTokenOf: async (userId = adaId) => String(dataOf(await ask('POST', '/auth/exchange-token', { userId }))['exchangeToken']),
  };
}
