import { test } from 'tap';
import { loanParts } from '../../../actors/loan/packing.js';
import type { LoanState } from '../../../actors/loan/state.js';
import { must } from '../../../engine/index.js';
import { collectGarbage } from '../../garbage-collection.js';
import { openSetting, type Setting } from './setting.js';

const PAYMENT = { type: 'oneTime', amount: 0.01, isExternal: true, status: 'succeeded' } as const;
/** More than two pages of each list that grows with the payments. */
const PAYMENTS = 300;

/** A loan with many payments, all of them stored, and the parts of it that are read from the snapshots from now on. */
async function oldLoan(setting: Setting): Promise<{ readonly id: string; readonly ids: readonly string[]; readonly reads: string[] }> {
  const { h } = setting;
  const { id } = await setting.active();
  const ids: string[] = [];
  for (let payment = 0; payment < PAYMENTS; payment += 1) ids.push((await pay(setting, id)).id);
  await h.engine.snapshot();
  const reads: string[] = [];
  const store = h.stores.actors;
  const get = store.get.bind(store);
  store.get = (key) => {
    if (key.startsWith('p/')) reads.push(key.slice(key.lastIndexOf('/') + 1));
    return get(key);
  };
  return { id, ids, reads };
}

const pay = ({ h }: Setting, id: string, body: object = {}): Promise<{ readonly id: string }> =>
  h.data('transaction.create', id, { ...PAYMENT, ...body }, { permissions: ['*'] });

void test('the full pages of a stored loan leave memory, and a payment today and its reads need none of them', async (t) => {
  const setting = await openSetting();
  const { id, reads } = await oldLoan(setting);
  const { h } = setting;
  const state = must(h.engine.stateOf<LoanState>({ company: h.company, mode: 'test' }, 'loan', id), 'the loan');
  const pages = loanParts(state).filter(({ evict }) => evict !== undefined);
  t.strictSame(pages.map(({ name }) => name).sort(), ['facts-0', 'facts-1', 'transactions-0', 'transactions-1']);
  const values = pages.map(({ value }) => new WeakRef(value));
  await collectGarbage();
  t.strictSame(
    values.map((value) => value.deref()),
    values.map(() => undefined),
  );
  reads.length = 0;
  await pay(setting, id);
  await h.query('loan.balances', id);
  await h.query('transaction.list', id, { limit: 10 });
  await h.engine.snapshot();
  t.strictSame(reads, []);
  await h.engine.close();
});

void test('old transactions, a replay and a later start give the same with the pages in memory and on the disk', async (t) => {
  const setting = await openSetting();
  const { id, ids, reads } = await oldLoan(setting);
  const { h } = setting;
  const all = async (): Promise<unknown> => [
    await h.query('transaction.list', id, { limit: 100, startingAfter: ids[150] }),
    await h.query('transaction.get', id, {}, { params: { transactionId: ids[3] ?? '' } }),
    await h.query('loan.balances', id),
  ];
  const inMemory = await all();
  await collectGarbage();
  reads.length = 0;
  t.strictSame(await all(), inMemory);
  t.ok(reads.includes('transactions-0') && reads.includes('transactions-1'), 'old pages were read');

  await setting.goTo('2024-03-20');
  await collectGarbage();
  reads.length = 0;
  const late = { effectiveDate: '2024-02-01' };
  await pay(setting, id, late);
  t.ok(reads.includes('facts-0'), 'a payment in the past replays the loan');
  const [after, beforeStart] = [
    await all(),
    h.engine.stateOf<LoanState>({ company: h.company, mode: 'test' }, 'loan', id)?.transactions.size,
  ];
  await h.restart();
  t.strictSame(await all(), after);
  t.equal(h.engine.stateOf<LoanState>({ company: h.company, mode: 'test' }, 'loan', id)?.transactions.size, beforeStart);
  await h.engine.close();
});
