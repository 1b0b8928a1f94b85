import { test } from 'tap';
import { loanBody } from '../../../actors/loan/setting.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { openLineOverHttp } from '../line-over-http.js';
import { openGeneralLedger, rowsOf } from './lender.js';
import { SMALL } from '../loan-over-http.js';

test('a line of credit: purchases, payments and fees are booked as the line owes them', async (t) => {
  const { ask, company, line, draw, goTo, h, failures } = await openLineOverHttp(t);
  const root = `/companies/${company}/general-ledger`;
  const first = await draw();
  await ask('POST', `${first}/purchases`, { amount: 1_000 });
  await goTo('2026-03-20');
  const paid = { type: 'oneTime', amount: 300, isExternal: true, status: 'succeeded', effectiveDate: '2026-03-16' };
  t.equal((await ask('POST', `${line}/transactions`, paid)).status, 201);
  await goTo('2026-04-20');
  for (let tries = 0; tries < 200; tries += 1) {
    await h.campaigns.ledgerSettled();
    if (listOf(await ask('GET', `${root}/batches?fromDate=2026-04-19`)).length > 0) break;
    h.nowMs += 2_000;
  }
  for (const date of ['2026-03-02', '2026-03-19', '2026-03-20', '2026-04-15', '2026-04-19'])
    for (const basis of ['accrual', 'cash']) {
      const report = dataOf(await ask('GET', `${root}/reports/subledger?basis=${basis}&date=${date}`));
      for (const row of rowsOf(report)) t.match(row, { difference: '0.00' }, `${date} ${basis} ${String(row['component'])}`);
    }
  const purchase = listOf(await ask('GET', `${root}/entries?role=networkPayable&basis=accrual`));
  t.match(purchase, [
    {
      drawId: first.split('/').at(-1),
      lines: [
        { role: 'principalReceivable', debit: '1000.00' },
        { role: 'networkPayable', credit: '1000.00' },
      ],
    },
  ]);
  t.match(await ask('GET', `${root}/entries?drawId=${String(purchase[0]?.['drawId'])}&limit=5`), { json: { count: 5 } });
  t.same(failures, []);
});

test('a day is sealed when the last zone of the company has closed it', async (t) => {
  const { ask, root, h, company } = await openGeneralLedger(t);
  const { id } = await h.data('loanType.create', company, { type: 'installment', name: 'Islands', timezone: 'Pacific/Honolulu' });
  const made = await ask('POST', '/people/ext-ann-1/loans', loanBody(id, { atOrigination: SMALL }));
  t.equal((await ask('POST', `/people/ext-ann-1/loans/${idOf(made)}/activate`, {})).status, 200);
  const to = async (moment: string): Promise<unknown> => {
    h.nowMs = Date.parse(moment);
    await h.engine.sweeper.advance({ company: h.company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
    for (let tries = 0; tries < 20; tries += 1) await h.campaigns.ledgerSettled();
    return (await ask('GET', `${root}/batches?basis=accrual`)).json['total'];
  };
  t.equal(await to('2026-03-03T09:00:00Z'), 0, 'it is still the 2nd on the islands');
  t.equal(await to('2026-03-03T10:30:00Z'), 1);
});

test('fees, a payment that fails, too much money and the payoff of a loan keep the books equal to the loan', async (t) => {
  const { ask, root, loan, sealTo, failures, batches } = await openGeneralLedger(t, {}, { ...SMALL, fees: { originationFeeAmount: 30 } });
  const pay = async (amount: number, effectiveDate: string, { force = '', status = 'succeeded' } = {}): Promise<string> => {
    const body = { type: 'oneTime', amount, isExternal: true, status, effectiveDate };
    const made = await ask('POST', `${loan}/transactions${force}`, body);
    t.equal(made.status, 201, made.text.slice(0, 300));
    return idOf(made);
  };
  await sealTo('2026-03-20');
  const first = await pay(110.01, '2026-03-15', { status: 'pending' });
  await sealTo('2026-03-25');
  t.equal((await ask('PUT', `${loan}/transactions/${first}`, { status: 'failed', failureReason: 'insufficientFunds' })).status, 200);
  await sealTo('2026-04-02');
  await pay(50, '2026-03-31');
  await sealTo('2026-04-20');
  await pay(1_300, '2026-04-18', { force: '?force=true' });
  await sealTo('2026-04-25');
  for (const basis of ['accrual', 'cash'])
    for (const date of ['2026-03-19', '2026-03-20', '2026-03-25', '2026-04-02', '2026-04-20', '2026-04-24']) {
      const report = dataOf(await ask('GET', `${root}/reports/subledger?basis=${basis}&date=${date}`));
      for (const row of rowsOf(report)) t.match(row, { difference: '0.00' }, `${date} ${basis} ${String(row['component'])}`);
    }
  const months = new Set((await batches()).map(({ accountingDate }) => String(accountingDate).slice(0, 7)));
  t.strictSame([...months], ['2026-03', '2026-04']);
  const restated = rowsOf(dataOf(await ask('GET', `${root}/reports/restated?date=2026-03-31`)));
  t.ok(restated.some(({ bookedLater, recordedOn }) => bookedLater !== '0.00' && String(recordedOn).includes('2026-04-02')));
  const rolled = rowsOf(dataOf(await ask('GET', `${root}/reports/rollForward?date=2026-04-24`)));
  t.ok(rolled.some(({ movement }) => movement === 'closing'));
  const credit = rowsOf(dataOf(await ask('GET', `${root}/reports/borrowerCredit`)));
  const deferred = rowsOf(dataOf(await ask('GET', `${root}/reports/deferredFees`)));
  t.match(deferred, [{ role: 'deferredFees', original: '30.00', recognized: '30.00', rest: '0.00' }]);
  const half = rowsOf(dataOf(await ask('GET', `${root}/reports/deferredFees?date=2026-03-19`)));
  t.match(half, [{ original: '30.00', recognized: /^[12]\.\d\d$/ }]);
  t.match(credit, [{ role: 'borrowerCredit', since: '2026-04-20', ageDays: 4 }]);
  t.same(failures, []);
});
