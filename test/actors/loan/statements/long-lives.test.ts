import { test } from 'tap';
import { FactList } from '../../../../actors/loan/ledger/fact-list.js';
import { type Harness, itemsOf } from '../../harness.js';
import { openLine } from '../purchases/setting.js';
import { external, openPaySetting } from '../transactions/setting.js';

/* The statement of a loan with a long history begins at the cut of the one before, and is the one that all facts make. */

/** More than a page of facts holds. */
const PAYMENTS = 150;
const MONTHS = ['2024-02', '2024-03', '2024-04', '2024-05'] as const;

/** A loan whose statements are compared. */
interface Life {
  readonly h: Harness;
  readonly loanId: string;
  goTo(date: string): Promise<void>;
  /** Its long history. */
  begin(): Promise<void>;
  /** What a month brings, its statement included. */
  each(month: string): Promise<void>;
}

async function installmentLife(keeping: object, payments = PAYMENTS): Promise<Life> {
  const s = await openPaySetting(keeping, { atOrigination: { duration: 60 } });
  return {
    ...s,
    begin: async () => {
      for (let paid = 0; paid < payments; paid += 1) await s.post(external({ amount: 0.1 }));
    },
    each: async (month) => {
      await s.goTo(`${month}-10`);
      for (let paid = 0; paid < 3; paid += 1) await s.post(external({ amount: 1.23 }));
      await s.goTo(`${month}-27`);
      await s.post(external({ amount: 40 }));
    },
  };
}

async function lineLife(): Promise<Life> {
  const s = await openLine(0.2);
  await s.on(0, 'draw.activate', {});
  const buy = (amount: number) => s.on(0, 'purchase.create', { amount });
  return {
    ...s,
    loanId: s.lineId,
    begin: async () => {
      for (let bought = 0; bought < PAYMENTS; bought += 1) await buy(2);
    },
    each: async (month) => {
      await s.goTo(`${month}-03`);
      await buy(7.5);
      await s.h.data('transaction.create', s.lineId, external({ amount: 30, status: 'succeeded' }), { permissions: ['*'] });
      await s.goTo(`${month}-27`);
      await buy(3.25);
    },
  };
}

/** What all statements say, but for ids. */
async function statementsOf(h: Harness, loanId: string): Promise<string> {
  const listed = itemsOf(await h.query('statement.list', loanId, { limit: 100 }));
  const details = await Promise.all(listed.map(({ id }) => h.query('statement.details', loanId, {}, { params: { statementId: id } })));
  return JSON.stringify(details).replace(/[A-Z]{2}-[A-Z1-9]{4}-[A-Z1-9]{4}/g, 'id');
}

/** Where the money of the last payments went. */
async function allocationsOf(h: Harness, loanId: string): Promise<string> {
  const listed = itemsOf(await h.query('transaction.list', loanId, { limit: 20 }));
  const found = await Promise.all(listed.map(({ id }) => h.query('transaction.allocation', loanId, {}, { params: { transactionId: id } })));
  return JSON.stringify(found).replace(/[A-Z]{2}-[A-Z1-9]{4}-[A-Z1-9]{4}/g, 'id');
}

/** Lives on from month to month, started again in each of them where it is to be; how often a month asked for all facts. */
async function live(
  { h, loanId, begin, each, goTo }: Life,
  isRestarted: boolean,
): Promise<{ readonly said: string; readonly asked: number }> {
  let asked = 0;
  await begin();
  for (const [number, month] of MONTHS.entries()) {
    await goTo(`${month}-01`);
    if (isRestarted) await h.restart();
    if (number === MONTHS.length - 1) asked = await readsOfAllFacts(() => each(month));
    else await each(month);
  }
  await goTo('2024-06-25');
  if (isRestarted) await h.restart();
  return { said: (await statementsOf(h, loanId)) + (await allocationsOf(h, loanId)), asked };
}

async function readsOfAllFacts(work: () => Promise<void>): Promise<number> {
  const { all } = FactList.prototype;
  let reads = 0;
  FactList.prototype.all = function counted(this: FactList<unknown>) {
    reads += 1;
    return all.call(this);
  };
  await work().finally(() => (FactList.prototype.all = all));
  return reads;
}

const BY_INSTALLMENT = { byInstalment: { interestMethod: 'periodic', recalculation: 'progressive', amountsIn: 'cents' } };

for (const [name, open] of Object.entries({
  'an installment loan': () => installmentLife({}),
  'a loan with scheduled interest': () => installmentLife(BY_INSTALLMENT),
  'a loan with scheduled interest and few payments': () => installmentLife(BY_INSTALLMENT, 1),
  'a line of credit': () => lineLife(),
})) {
  test(`statements of ${name} are made from what came since the one before, and say what all facts say`, async (t) => {
    const [kept, restarted] = [await live(await open(), false), await live(await open(), true)];
    t.equal(kept.said, restarted.said);
    t.ok(kept.said.includes('previousBalance') && kept.said.includes('appliedAmount'));
    t.equal(kept.asked, 0, 'no month goes through all facts');
  });
}
