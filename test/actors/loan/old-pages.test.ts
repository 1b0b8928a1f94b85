import { test } from 'tap';
import type { KeyValue } from '../../../actors/index.js';
import { loanParts } from '../../../actors/loan/packing.js';
import type { LoanState } from '../../../actors/loan/state.js';
import { setTimeout as pause } from 'node:timers/promises';
import { DamagedRecord } from '../../../persistence/index.js';
import { must } from '../../../engine/index.js';
import { collectGarbage } from '../../garbage-collection.js';
import { openSetting, type Setting } from './setting.js';

const PAYMENT = { type: 'oneTime', amount: 0.01, isExternal: true, status: 'succeeded' } as const;
/** More than two pages of each list that grows with the payments. */
const PAYMENTS = 300;

/** A loan with many payments, all of them stored, and the parts of it that are read from the snapshots from now on. */
async function oldLoan(
  setting: Setting,
  body: object = {},
): Promise<{ readonly id: string; readonly ids: readonly string[]; readonly reads: string[] }> {
  const { h } = setting;
  const { id } = await setting.active(body);
  const ids: string[] = [];
  for (let payment = 0; payment < PAYMENTS; payment += 1) ids.push((await pay(setting, id)).id);
  await h.engine.snapshot();
  const reads: string[] = [];
  beforeEachLook(h.stores.actors, (key) => {
    if (key.startsWith('p/')) reads.push(key.slice(key.lastIndexOf('/') + 1));
  });
  return { id, ids, reads };
}

/** A part of the snapshots cannot be read any more, until its environment is rebuilt. */
function damage({ h }: Setting, part: string): void {
  beforeEachLook(h.stores.actors, (key) => {
    if (key.endsWith(`/${part}`)) throw new DamagedRecord('actors', key);
  });
}

function beforeEachLook(store: KeyValue, see: (key: string) => void): void {
  const look: KeyValue['look'] = store.look.bind(store);
  store.look = (key, read) => {
    see(key);
    return look(key, read);
  };
}

async function onceServing<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (cause) {
      if ((cause as { readonly errorType?: string }).errorType !== 'unavailable') throw cause;
      await pause(5);
    }
  }
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

void test('a page that is damaged on the disk costs a rebuilding of the snapshots, and no answer', async (t) => {
  const setting = await openSetting();
  const { id, ids } = await oldLoan(setting);
  const { h } = setting;
  const ask = (): Promise<unknown> => h.query('transaction.get', id, {}, { params: { transactionId: ids[3] ?? '' } });
  const sound = await ask();
  await setting.goTo('2024-03-20');
  await h.engine.snapshot();
  const requests = [
    ['transactions-0', ask],
    ['facts-0', () => pay(setting, id, { effectiveDate: '2024-02-01' })],
  ] as const;
  for (const [part, request] of requests) {
    await collectGarbage();
    damage(setting, part);
    await t.rejects(request(), { errorType: 'unavailable' } as unknown as Error, part);
    await onceServing(request);
    await h.engine.snapshot();
  }
  t.strictSame(await ask(), sound);
  t.equal(((await h.query('transaction.list', id, { limit: 1 })) as unknown as { readonly total: number }).total, PAYMENTS + 1);
  await h.engine.close();
});

void test('mass work that meets a damaged page does every loan in the end', async (t) => {
  const [sound, damaged] = [await openSetting(), await openSetting()];
  const [expected, actual] = [await rateApplied(sound, null), await rateApplied(damaged, 'facts-0')];
  t.strictSame(actual, expected);
  const reported = (text: string): boolean => damaged.h.reports.some((report) => report.includes(text));
  t.ok(reported('memory is computed again'), 'the page was read');
  t.notOk(reported('it stays as it was'), 'the loan has no fault');
  for (const { h } of [sound, damaged]) await h.engine.close();
});

/** The balances of an old loan after mass work has applied a rate of its past. */
async function rateApplied(setting: Setting, damagedPart: string | null): Promise<unknown> {
  const { h, loanTypeId, goTo } = setting;
  const index = (body: object): Promise<unknown> => h.data('indexRate.create', h.company, body, { params: { loanTypeId } });
  await index({ annualRate: 0.03, startDate: '2024-01-01' });
  const { id } = await oldLoan(setting, { atOrigination: { interestRates: [{ interestType: 'spread', days: null, rate: 0.02 }] } });
  await goTo('2024-03-20');
  await h.engine.snapshot();
  await collectGarbage();
  if (damagedPart !== null) damage(setting, damagedPart);
  await index({ annualRate: 0.05, startDate: '2024-02-01' });
  return onceServing(async () => {
    await h.engine.mass.idle();
    await h.engine.settled();
    return (await h.query('loan.balances', id))['outstandingBalances'];
  });
}
