import { test } from 'tap';
import { dataOf, idOf, listOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';

const LATE = {
  name: { apiName: 'late', displayName: 'Late' },
  feeType: 'lateFee',
  amountLogic: 'fixed',
  amount: 25,
  chargeLogic: 'immediate',
  trigger: 'overdueDays',
  triggerDays: 10,
};

test('a line that is late is charged, once an obligation, and the fee keeps its id', async (t) => {
  const { ask, line, draw, goTo, emitted, failures } = await openLineOverHttp(t);
  const loanTypeId = String(dataOf(await ask('GET', line))['loanTypeId']);
  const feeTypeId = idOf(await ask('POST', `/loan-types/${loanTypeId}/fee-types`, LATE));
  const path = await draw();
  await ask('POST', `${path}/purchases`, { amount: 1000, status: 'settled' });
  await goTo('2026-04-26');
  const [obligation] = (
    dataOf(await ask('GET', `${line}/obligations?status=overdue`)) as { obligations: readonly Record<string, unknown>[] }
  ).obligations;
  t.match(obligation, { dueDate: '2026-04-15', isOverdue: true });
  const [fee, ...more] = listOf(await ask('GET', `${line}/fees?apiName=late`));
  t.same(more, []);
  t.match(fee, { id: /^LF-/, amount: 25, status: 'booked', feeTypeId, dueDate: '2026-04-25' });
  t.match(await emitted('loan.latefee.booked'), [{ feeId: fee?.['id'], feeTypeId, amount: 25, effectiveDate: '2026-04-25', drawId: null }]);
  t.match(await ask('GET', `${line}/balances`), { json: { data: { outstandingBalances: { outstandingLateFeesAmount: 25 } } } });

  const feePath = `${line}/fees/${String(fee?.['id'])}`;
  t.match(await ask('GET', feePath), { status: 200, json: { data: { amount: 25 } } });
  t.match(await ask('PUT', feePath, { feeAmount: 15 }), { status: 200, json: { data: { amount: 15 } } });
  t.match(await emitted('loan.fee.changed'), [{ feeId: fee?.['id'], amount: 15 }]);
  t.match(await ask('PUT', `${feePath}/cancel`, { reason: 'courtesy' }), { status: 200, json: { data: { status: 'canceled' } } });
  t.match(await emitted('loan.fee.canceled'), [{ feeId: fee?.['id'], amount: 15, reason: 'courtesy' }]);
  await goTo('2026-05-26');
  t.equal((await emitted('loan.latefee.booked')).length, 2, 'another due date is missed');
  t.same(failures, []);
});

test('a payment that comes to light later takes the late fee of a line back', async (t) => {
  const { ask, line, draw, goTo, emitted } = await openLineOverHttp(t);
  await ask('POST', `/loan-types/${String(dataOf(await ask('GET', line))['loanTypeId'])}/fee-types`, LATE);
  await ask('POST', `${await draw()}/purchases`, { amount: 1000, status: 'settled' });
  await goTo('2026-04-26');
  const paid = await ask('POST', `${line}/transactions`, {
    type: 'oneTime',
    amount: 500,
    isExternal: true,
    status: 'succeeded',
    effectiveDate: '2026-04-10',
  });
  t.match(paid, { status: 201 });
  const [booked] = await emitted('loan.latefee.booked');
  t.match(await emitted('loan.fee.canceled'), [{ feeId: booked?.['feeId'], amount: 25, isReplay: true }]);
  t.match(await ask('GET', `${line}/balances`), { json: { data: { outstandingBalances: { outstandingLateFeesAmount: 0 } } } });
});

test('a late fee is expected of a line once it is charged: schedule, open obligation and next amount agree', async (t) => {
  const { ask, line, draw, goTo } = await openLineOverHttp(t);
  const late = { ...LATE, amount: 12.5, triggerDays: 5, chargeLogic: 'nextDueDate' };
  await ask('POST', `/loan-types/${String(dataOf(await ask('GET', line))['loanTypeId'])}/fee-types`, late);
  await ask('POST', `${await draw()}/purchases`, { amount: 300, status: 'settled' });
  type Row = Readonly<Record<string, unknown>>;
  const asked = async (): Promise<readonly unknown[]> => {
    const { schedule } = dataOf(await ask('GET', `${line}/expected-payments`)) as { schedule: readonly Row[] };
    const { obligations } = dataOf(await ask('GET', `${line}/obligations`)) as { obligations: readonly Row[] };
    const { current } = dataOf(await ask('GET', line)) as { current: Row };
    return [schedule.at(-1)?.['amount'], obligations.at(-1)?.['obligationAmount'], current['nextDueAmount'], obligations.length];
  };
  await goTo('2026-04-18');
  t.same(await asked(), [25, 25, 25, 2], 'the overdue obligation stays, the fee is not charged yet');
  await goTo('2026-04-20');
  t.same(await asked(), [37.5, 37.5, 37.5, 2], 'the fee is charged for the next due date');
});
