import { test } from 'tap';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { type Data, type LedgerLender, openGeneralLedger, rowsOf } from './lender.js';

const clearing = async ({ ask, root }: LedgerLender): Promise<readonly Data[]> =>
  rowsOf(dataOf(await ask('GET', `${root}/reports/clearing`)));

const payoutsOf = async ({ ask, loan }: LedgerLender): Promise<readonly Data[]> => listOf(await ask('GET', `${loan}/payouts`));

test('a month with payouts is closed once the bank has paid them', async (t) => {
  const lender = await openGeneralLedger(t);
  const { ask, root, loan, sealTo, failures } = lender;
  await sealTo('2026-04-02');
  const [sent] = await payoutsOf(lender);
  t.match(sent, { id: /^LN-....-....-0$/, status: 'inProcessing', payoutDate: '2026-03-02', amount: 1200, bankAmount: 0, advanceId: null });
  const payout = `${loan}/payouts/${String(sent?.['id'])}`;
  t.match(await ask('POST', `${root}/periods/2026-03/close`), {
    status: 409,
    json: {
      errors: [{ path: new RegExp(`^clearingOutgoing .*${String(sent?.['id'])}$`), message: '1200.00 has not been met since 2026-03-02' }],
    },
  });
  t.match(await ask('POST', `${payout}/return`, {}), { status: 409 }, 'nothing was paid that could come back');
  t.match(await ask('POST', `${payout}/confirm`, { amount: 1200.01, bankDate: '2026-03-01' }), {
    status: 422,
    json: { errors: [{ path: 'amount' }, { path: 'bankDate', expected: 'a day from 2026-03-02 to 2026-04-02' }] },
  });
  t.equal((await ask('POST', `${loan}/payouts/LN-AAAA-AAAA-0/confirm`, {})).status, 404);
  t.match(await ask('POST', `${payout}/confirm`, { amount: 1000, bankDate: '2026-03-03' }), {
    status: 200,
    json: { data: { status: 'inProcessing', bankAmount: 1000, bankDate: '2026-03-03' } },
  });
  t.match(await ask('POST', `${payout}/confirm`, { bankDate: '2026-03-04' }), { json: { data: { status: 'paid', bankAmount: 1200 } } });
  t.match(await ask('POST', `${payout}/confirm`, {}), { status: 409 }, 'the bank has paid all');
  await sealTo('2026-04-03');
  const booked = listOf(await ask('GET', `${root}/entries?basis=accrual&role=clearingOutgoing&fromDate=2026-04-02`));
  t.match(booked, [
    {
      accountingDate: '2026-04-02',
      effectiveDate: '2026-03-03',
      rule: 'payoutSettledAtBank',
      factType: 'payoutBooked',
      lines: [
        { role: 'bank', credit: '1000.00' },
        { role: 'clearingOutgoing', debit: '1000.00' },
      ],
    },
    { effectiveDate: '2026-03-04', rule: 'payoutSettledAtBank', lines: [{ credit: '200.00' }, { debit: '200.00' }] },
  ]);
  t.match(dataOf(await ask('GET', `${root}/entries/${String(booked[0]?.['id'])}`)), { by: { descriptor: /./ } });
  t.strictSame(await clearing(lender), []);
  t.match(await ask('POST', `${root}/periods/2026-03/close`), { status: 200, json: { data: { status: 'closed' } } });
  t.strictSame(failures, []);
});

test('a payout that comes back is in processing again, until it is paid once more or the loan is canceled', async (t) => {
  const lender = await openGeneralLedger(t);
  const { ask, root, loan, sealTo, batches, failures } = lender;
  const [sent] = await payoutsOf(lender);
  const payout = `${loan}/payouts/${String(sent?.['id'])}`;
  t.equal((await ask('POST', `${payout}/confirm`, {})).status, 200);
  await sealTo('2026-03-05');
  t.strictSame(await clearing(lender), []);
  t.match(await ask('POST', `${payout}/return`, { bankDate: '2026-03-04' }), {
    json: { data: { status: 'inProcessing', bankAmount: 0, returnDate: '2026-03-04' } },
  });
  await sealTo('2026-03-06');
  const before = await batches();
  t.match(await clearing(lender), [{ role: 'clearingOutgoing', factId: sent?.['id'], amount: '1200.00' }]);
  t.match(listOf(await ask('GET', `${root}/entries?basis=cash&fromDate=2026-03-05&role=bank`)), [
    {
      rule: 'payoutReturned',
      lines: [
        { role: 'clearingOutgoing', credit: '1200.00' },
        { role: 'bank', debit: '1200.00' },
      ],
    },
  ]);
  t.equal((await ask('POST', `${loan}/cancel`, { cancellationReason: 'fundsNotDisbursed' })).status, 200);
  await sealTo('2026-03-08');
  t.strictSame(await clearing(lender), [], 'nothing is sent and nothing is owed back');
  t.strictSame((await batches()).slice(0, before.length), before);
  t.strictSame(failures, []);
});

test('a reimbursement leaves the clearing account when it has arrived, and comes back where it fails', async (t) => {
  const lender = await openGeneralLedger(t);
  const { ask, root, loan, sealTo, failures } = lender;
  const [sent] = await payoutsOf(lender);
  const activation = [{ role: 'clearingOutgoing', factId: sent?.['id'], amount: '1200.00' }];
  const over = { type: 'oneTime', amount: 1300, isExternal: true, status: 'succeeded' };
  t.equal((await ask('POST', `${loan}/transactions?force=true`, over)).status, 201);
  const order = { reimbursementAmount: 60, isExternal: true, transactionStatus: 'pending' };
  const made = await ask('POST', `${loan}/reimburse`, order);
  t.equal(made.status, 200, made.text);
  const transactionId = idOf(made);
  await sealTo('2026-03-04');
  t.match(await clearing(lender), [...activation, { role: 'clearingOutgoing', amount: '60.00' }]);
  t.match(await payoutsOf(lender), [
    { transactionId, status: 'inProcessing', amount: 60 },
    { transactionId: null, status: 'inProcessing' },
  ]);
  t.equal((await ask('PUT', `${loan}/transactions/${transactionId}`, { status: 'succeeded' })).status, 200);
  await sealTo('2026-03-05');
  t.match(await clearing(lender), activation, 'each payout meets its own money');
  t.equal((await clearing(lender)).length, 1);
  t.match(listOf(await ask('GET', `${root}/entries?basis=accrual&fromDate=2026-03-04&role=bank`)), [
    {
      rule: 'payoutSettledAtBank',
      lines: [
        { role: 'bank', credit: '60.00' },
        { role: 'clearingOutgoing', debit: '60.00' },
      ],
    },
  ]);
  const failed = { status: 'failed', failureReason: 'invalidAccount' };
  const bounced = await ask('PUT', `${loan}/transactions/${transactionId}`, failed);
  t.equal(bounced.status, 200, bounced.text);
  await sealTo('2026-03-06');
  t.match(listOf(await ask('GET', `${root}/entries?basis=accrual&fromDate=2026-03-05`)), [
    {
      corrects: /./,
      lines: [
        { role: 'borrowerCredit', credit: '60.00' },
        { role: 'clearingOutgoing', debit: '60.00' },
      ],
    },
    {
      rule: 'payoutReturned',
      lines: [
        { role: 'clearingOutgoing', credit: '60.00' },
        { role: 'bank', debit: '60.00' },
      ],
    },
  ]);
  t.match(await clearing(lender), activation, 'each payout meets its own money');
  t.equal((await clearing(lender)).length, 1);
  t.match((await payoutsOf(lender))[0], { amount: 0, bankAmount: 0, status: 'canceled' });
  for (const row of rowsOf(dataOf(await ask('GET', `${root}/reports/subledger`))))
    t.match(row, { difference: '0.00' }, String(row['component']));
  t.strictSame(failures, []);
});
