import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { type CompanyState, SHARED_SHARD, usersOf } from '../../../../actors/index.js';
import { must } from '../../../../engine/index.js';
import { hashOfKey } from '../../../../gateway/index.js';
import { dataOf, type HttpLender } from '../http-lender.js';

/** The rows of an answer, a cell for each column. */
export type Rows = readonly (readonly unknown[])[];

export const rowsOf = async ({ ask }: Pick<HttpLender, 'ask'>, sql: string, key?: string): Promise<Rows> => {
  const answer = await ask('POST', '/questions', { sql }, key === undefined ? {} : { key });
  if (answer.status !== 200) throw new Error(answer.text);
  return dataOf(answer)['rows'] as Rows;
};

/** How often views were filled since the start. */
export async function fills(h: HttpLender['h']): Promise<number> {
  const [, count] = /tenor_views_fill_seconds_count (\d+)/.exec(await h.metrics.registry.metrics()) ?? [];
  return Number(count ?? 0);
}

/** A key with all permissions at another company of the same service. */
async function foreignKey({ h }: HttpLender): Promise<string> {
  const key = `test_${randomBytes(32).toString('base64url')}`;
  const company = h.engine.world.ids.encode('CP', SHARED_SHARD, 4_000);
  const body = { name: 'Southwind Lending', timezone: 'America/New_York' };
  await h.command('company.create', null, body, { system: true, company, params: { newId: company } });
  const state = must(h.engine.stateOf<CompanyState>({ company, mode: 'test' }, 'company', company), 'the other company');
  const userId = must([...usersOf(state).keys()][0], 'its user');
  await h.data('apiKey.create', company, { userId, hash: hashOfKey(key) }, { company, permissions: ['*'] });
  return key;
}

/** The key at the other company, made once for each lender. */
const FOREIGN_KEYS = new WeakMap<object, string>();

/** Of the rows of a view, the other mode and another company find none. */
export async function othersFindNone(t: Test, lender: HttpLender, view: string, id: string): Promise<void> {
  const own = (await rowsOf(lender, `SELECT DISTINCT ${id} FROM ${view}`)).flat();
  t.ok(own.length > 0, `${view} has rows`);
  const foreign = FOREIGN_KEYS.get(lender) ?? (await foreignKey(lender));
  FOREIGN_KEYS.set(lender, foreign);
  for (const key of [lender.keys.live, foreign]) {
    const found = (await rowsOf(lender, `SELECT ${id} FROM ${view}`, key)).flat();
    t.same(
      found.filter((each) => own.includes(each)),
      [],
      view,
    );
  }
}
