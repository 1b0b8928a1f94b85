import { test } from 'tap';
import { type BankReturn, loanModule, type SettlementPort, reportReturns, type Verdict } from '../../../../actors/loan/index.js';
import { refusalOf } from '../../harness.js';
import { openPaySetting, type PaySetting } from './setting.js';

interface PartSetting extends PaySetting {
  /** The bank returns a payment. */
  reportReturn(transactionId: string, returnCode: string): Promise<void>;
}

/** A loan whose money is moved by a part that answers as the test says. */
async function openPart(verdict: Verdict): Promise<PartSetting> {
  const settlement: SettlementPort = { verdict: () => verdict };
  const loan = await openPaySetting({}, {}, loanModule({ settlement }));
  const { h, loanId } = loan;
  const reportReturn = reportReturns(h.engine);
  return {
    ...loan,
    reportReturn(transactionId, returnCode) {
      const notice: BankReturn = { company: h.company, mode: 'test', loanId, transactionId, returnCode };
      return reportReturn(notice);
    },
  };
}

const SETTLED: Verdict = { type: 'settled', lateReturnCode: null };

test('a part that returns a payment makes it fail on its settlement day', async (t) => {
  const { pay, pass, get, loan } = await openPart({ type: 'returned', returnCode: 'R16' });
  await pass('2024-02-15');
  const { id } = await pay();
  await pass('2024-02-21');
  t.match(await get(id), { status: 'failed', failureReason: 'accountFrozen', achReturnCode: 'R16', paidPrincipalAmount: 0 });
  t.match(await loan(), { current: { isOverdue: true, daysOverdue: 6 } });
});

test('a part that declines a payment names the reason alone', async (t) => {
  const { pay, pass, get } = await openPart({ type: 'failed', failureReason: 'cardDeclined' });
  const { id } = await pay();
  await pass('2024-01-19');
  t.match(await get(id), {
    status: 'failed',
    failureReason: 'cardDeclined',
    achReturnCode: null,
    failureDescriptionShort: 'Card declined',
  });
});

test('a bank’s late return fails a settled payment, however often it is reported', async (t) => {
  const { pay, pass, get, loan, reportReturn, events } = await openPart(SETTLED);
  await pass('2024-02-15');
  const { id } = await pay();
  await pass('2024-03-01');
  t.match(await get(id), { status: 'succeeded' });
  await events();
  await reportReturn(id, 'R10');
  const returned = await get(id);
  t.match(returned, { status: 'failed', failureReason: 'unauthorizedDebit', achReturnCode: 'R10', paidPrincipalAmount: 0 });
  t.match(await loan(), { current: { isOverdue: true, daysOverdue: 15, overdueAmount: 299.72 } });
  const seen = await events();
  t.match(seen.find(({ eventType }) => eventType === 'payment.failed')?.data, { transactionId: id, failureCode: 'R10' });
  t.ok(seen.some(({ eventType, data }) => eventType === 'loan.overdue' && data['isReplay'] === true));
  await reportReturn(id, 'R10');
  t.same(await get(id), returned);
  t.same(await events(), []);
});

test('a return may come before the settlement day, and not for money that was never collected', async (t) => {
  const { pay, get, reportReturn, act } = await openPart(SETTLED);
  const { id } = await pay();
  await reportReturn(id, 'R01');
  t.match(await get(id), { status: 'failed', failureReason: 'insufficientFunds' });
  const { id: later } = await pay({ scheduledDate: '2024-02-15' });
  t.match(await refusalOf(reportReturn(later, 'R01')), { errorType: 'invalidState' });
  await act('cancel', later);
  t.match(await refusalOf(reportReturn(later, 'R01')), { errorType: 'invalidState' });
  t.match(await refusalOf(reportReturn('TX-NONE-NONE', 'R01')), { errorType: 'notFound' });
});
