import { test } from 'tap';
import { balancesAsOf, compareLines, type LedgerLine, ledgerLines, type LoanState } from '../../../actors/index.js';
import { must } from '../../../engine/index.js';
import { itemsOf } from '../harness.js';
import { external, openPaySetting } from './transactions/setting.js';

type Setting = Awaited<ReturnType<typeof openPaySetting>>;

/** The loan's ledger through its last finished day, as it was known at a moment. */
function linesOf({ h, loanId }: Setting, knownAt: number | null = null): readonly LedgerLine[] {
  const tenant = { company: h.company, mode: 'test' as const };
  const state = must(h.engine.stateOf<LoanState>(tenant, 'loan', loanId), 'the loan is there');
  return ledgerLines(state, h.scope(loanId), { through: must(state.servicing, 'it is active').summary.through, knownAt });
}

const centsOf = (text: string): number => Math.round(Number(text) * 100);

test('each cent of a payment is listed with its fact, its rule and its buckets', async (t) => {
  const setting = await openPaySetting();
  const { post, pass, h, loanId } = setting;
  await pass('2024-02-20');
  const { id } = await post(external({ status: 'succeeded' }));
  const lines = linesOf(setting);
  const paid = must(
    lines.find(({ entryType }) => entryType === 'payment'),
    'the payment has a line',
  );
  t.match(paid, { rule: 'servicing-behaviour 13.2', fact: { number: 1, type: 'payment', transactionId: id, supersededBy: null } });
  t.same(
    paid.movements.map(({ bucket, component, amount }) => [bucket, component, centsOf(amount)]),
    [
      ['overdue', 'principal', -25725],
      ['overdue', 'interest', -4247],
    ],
  );
  t.same(
    paid.allocations.map(({ bucket, amount }) => [bucket, centsOf((amount as unknown as { text: string }).text)]),
    [
      ['overdueInterest', 4247],
      ['overduePrincipal', 25725],
    ],
  );
  t.ok(paid.allocations.every(({ obligationId }) => obligationId?.startsWith('OB-')));
  t.match(lines[0], { entryType: 'disbursement', fact: null, balanceAfter: '10000.0000000000' });
  t.match(await h.query('loan.balances', loanId), { outstandingBalances: { outstandingPrincipalAmount: 9742.75 } });
});

test('the balance after the last line is what is outstanding', async (t) => {
  const setting = await openPaySetting();
  const { post, pass, h, loanId } = setting;
  await pass('2024-03-20');
  await post(external({ amount: 500 }));
  await pass('2024-04-02');
  const last = must(linesOf(setting).at(-1), 'there are lines');
  const tenant = { company: h.company, mode: 'test' as const };
  const state = must(h.engine.stateOf<LoanState>(tenant, 'loan', loanId), 'the loan is there');
  const balances = must(
    balancesAsOf(state, h.scope(loanId), { through: must(state.servicing, 'active').summary.through, knownAt: null }),
    'it has balances',
  );
  const { outstandingPrincipalAmount, outstandingInterestAmount, outstandingFeesAmount } = balances.outstandingBalances;
  const sum = [outstandingPrincipalAmount, outstandingInterestAmount, outstandingFeesAmount].map((value) =>
    Number(String((value as { text?: string }).text ?? value)),
  );
  t.equal(Number(last.balanceAfter).toFixed(8), sum.reduce((total, value) => total + value, 0).toFixed(8));
});

test('a backdated payment shows which fact has moved it, and a comparison shows how the past has changed', async (t) => {
  const setting = await openPaySetting();
  const { post, pass, act, h, loanId } = setting;
  await pass('2024-02-25');
  const { id } = await post(external({ status: 'succeeded' }));
  const before = h.nowMs;
  await pass('2024-03-01');
  await act('backdate', id, { effectiveDate: '2024-02-15' });
  const paid = must(
    linesOf(setting).find(({ entryType }) => entryType === 'payment'),
    'the payment has a line',
  );
  t.match(paid, { effectiveDate: '2024-02-15', fact: { number: 1, supersededBy: 2 } });
  const changed = compareLines(linesOf(setting, before), linesOf(setting));
  t.ok(
    changed.some(({ in: where, line }) => where === 'before' && line.entryType === 'movedToOverdue'),
    'it was overdue',
  );
  t.notOk(
    changed.some(({ in: where, line }) => where === 'after' && line.entryType === 'movedToOverdue'),
    'and no longer is',
  );
  t.same(compareLines(linesOf(setting), linesOf(setting)), [], 'a ledger does not differ from itself');
  const activity = itemsOf(await h.query('loan.activity', loanId));
  const payment = must(
    activity.find(({ action }) => action === 'payment'),
    'the payment is in the timeline',
  );
  const moved = must(
    activity.find(({ action }) => action === 'paymentMoved'),
    'and what has moved it',
  );
  t.equal(payment['supersededBy'], moved['id']);
  t.notOk(
    activity.some(({ type }) => type === 'ledger'),
    'the daily work only when asked for',
  );
  const daily = itemsOf(await h.query('loan.activity', loanId, { types: ['ledger'], limit: 100 }));
  t.ok(daily.some(({ action }) => action === 'movedToDue') && daily.every(({ type }) => type === 'ledger'));
});
