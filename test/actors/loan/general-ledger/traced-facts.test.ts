import { test } from 'tap';
import type { AccountingEntriesOfLoan, AccountingFact } from '../../../../actors/loan/index.js';
import { type Day, dayOf, type generalLedger } from '../../../../engine/index.js';
import { external, openPaySetting } from '../transactions/setting.js';

const PAYMENTS = 32;

test('an entry of the daily work names no fact of the loan, however many facts the loan has', async (t) => {
  const s = await openPaySetting();
  const { h, loanId } = s;
  t.teardown(() => h.engine.close());
  const paid = new Set<string>();
  for (let count = 0; count < PAYMENTS; count += 1) paid.add((await s.post(external({ amount: 1, status: 'succeeded' }))).id);
  await s.pass('2024-02-28');
  const entries: generalLedger.Entry[] = [];
  for (let from: Day | null = dayOf(2024, 1, 15); from !== null; ) {
    const span = { bases: ['accrual'], from, through: dayOf(2024, 2, 27) };
    const page = (await h.query('loan.accountingEntriesOf', loanId, span)) as unknown as AccountingEntriesOfLoan;
    entries.push(...page.entries);
    from = page.next;
  }
  const traced = async (factId: string): Promise<AccountingFact> =>
    (await h.query('loan.accountingFact', loanId, { factId })) as unknown as AccountingFact;
  const found = new Set<string | null>();
  let days = 0;
  for (const { factId, factType, rule } of entries) {
    const { transactionId, by } = await traced(factId);
    if (factType === 'payment') found.add(transactionId);
    else t.strictSame({ transactionId, by }, { transactionId: null, by: null }, `${factId}, ${rule}`);
    if (factType === 'dayClosed') days += 1;
  }
  t.ok(days > 31, `${days} entries of days`);
  t.same([...found].sort(), [...paid].sort(), 'each payment is named by its own entry');
});
