import { test, type Test } from 'tap';
import { bai2, day, line, openStatements, type StatementsOverHttp } from '../ach/statements-over-http.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { type Data, rowsOf, sealingOf } from './lender.js';

interface Bank extends StatementsOverHttp {
  readonly root: string;
  sealTo(date: string): Promise<void>;
  /** Imports a statement of a day and waits until it is matched; returns its id. */
  report(date: string, openingCents: number, lines: Parameters<typeof bai2>[2]): Promise<string>;
  clearing(): Promise<readonly Data[]>;
  entriesOf(query: string): Promise<readonly Data[]>;
}

async function openBank(t: Test): Promise<Bank> {
  const lender = await openStatements(t);
  const { ask, company, upload, matched } = lender;
  const root = `/companies/${company}/general-ledger`;
  return {
    ...lender,
    root,
    sealTo: sealingOf(lender),
    async report(date, openingCents, lines) {
      const made = await upload(bai2(date, openingCents, lines));
      t.equal(made.status, 201, made.text);
      await matched();
      return idOf(made);
    },
    clearing: async () => rowsOf(dataOf(await ask('GET', `${root}/reports/clearing`))),
    entriesOf: async (query) => listOf(await ask('GET', `${root}/entries?${query}`)),
  };
}

test('a bank statement that names a payout takes it out of the clearing account, and a withdrawn one puts it back', async (t) => {
  const lender = await openBank(t);
  const { ask, loan, sealTo, report, clearing, entriesOf, entries, differences, matched, goTo, failures } = lender;
  const payoutId = `${loan.split('/').at(-1) ?? ''}-0`;
  await goTo('2026-03-03');
  const out = line({ cents: -1200_00, code: '495', bankReference: 'B1', customerReference: payoutId, text: 'WIRE OUT' });
  const statement = await report('2026-03-03', 5000_00, [out]);
  t.match(await entries(statement), [{ status: 'matched', matchedBy: 'reference', payoutId, loanId: /^LN-/, amount: -1200 }]);
  t.same(await differences(), []);
  t.match(listOf(await ask('GET', `${loan}/payouts`)), [{ id: payoutId, status: 'paid', bankAmount: 1200, bankDate: '2026-03-03' }]);
  await sealTo('2026-03-04');
  t.strictSame(await clearing(), []);
  t.match(await entriesOf('basis=accrual&role=bank'), [
    { rule: 'payoutSettledAtBank', accountingDate: '2026-03-03', recordedBy: 'system:system' },
  ]);

  // The bank brings a part of it back, and less than the rest of another transfer.
  const back = line({
    day: day('2026-03-04'),
    cents: 200_00,
    code: '195',
    bankReference: 'B2',
    customerReference: payoutId,
    text: 'RETURN',
  });
  const second = await report('2026-03-04', 3800_00, [back]);
  t.match(await entries(second), [{ status: 'differentAmount', payoutId, amount: 200, expectedAmount: 1200 }]);
  t.match(listOf(await ask('GET', `${loan}/payouts`)), [{ status: 'inProcessing', bankAmount: 1000, returnDate: '2026-03-04' }]);
  t.equal((await ask('DELETE', `/bank-statements/${second}`)).status, 204);
  await matched();
  t.match(listOf(await ask('GET', `${loan}/payouts`)), [{ status: 'paid', bankAmount: 1200 }]);
  t.equal((await ask('DELETE', `/bank-statements/${statement}`)).status, 204);
  await matched();
  t.match(listOf(await ask('GET', `${loan}/payouts`)), [{ status: 'inProcessing', bankAmount: 0 }]);
  await sealTo('2026-03-06');
  t.match(await clearing(), [{ role: 'clearingOutgoing', factId: payoutId, amount: '1200.00' }]);
  t.same(failures, []);
});

test('a payout that was recorded by hand is not paid twice by the statement, and a person names one that no reference names', async (t) => {
  const { ask, loan, report, entries, matched, goTo } = await openBank(t);
  const payoutId = `${loan.split('/').at(-1) ?? ''}-0`;
  await goTo('2026-03-03');
  t.equal((await ask('POST', `${loan}/payouts/${payoutId}/confirm`, { amount: 500 })).status, 200);
  const statement = await report('2026-03-03', 5000_00, [line({ cents: -1200_00, code: '495', customerReference: 'OUT' })]);
  t.match(await entries(statement), [{ status: 'unexpected', payoutId: null }]);
  const match = (id: string): ReturnType<typeof ask> => ask('POST', `/bank-statements/${statement}/entries/1/match`, { payoutId: id });
  t.match(await match('LN-AAAA-AAAA-0'), { status: 404 });
  t.match(await match(payoutId.replace(/-0$/, '-7')), { status: 400, json: { errors: [{ path: 'payoutId' }] } });
  t.equal((await match(payoutId)).status, 200);
  await matched();
  t.match(await entries(statement), [{ status: 'matched', matchedBy: 'hand', payoutId }]);
  t.match(listOf(await ask('GET', `${loan}/payouts`)), [{ status: 'paid', bankAmount: 1200 }]);
  t.equal((await ask('POST', `/bank-statements/${statement}/entries/1/unmatch`)).status, 200);
  await matched();
  t.match(listOf(await ask('GET', `${loan}/payouts`)), [{ status: 'inProcessing', bankAmount: 500 }]);
});

test('money that no loan has is unapplied cash until something explains it', async (t) => {
  const lender = await openBank(t);
  const { ask, loan, root, sealTo, report, clearing, entriesOf, goTo, matched, h, failures } = lender;
  await goTo('2026-03-03');
  const statement = await report('2026-03-03', 500_00, [
    line({ cents: 70_00, customerReference: 'WHO', bankReference: 'B1', text: 'DEPOSIT' }),
    line({ cents: -12_00, code: '698', customerReference: 'FEE', bankReference: 'B2' }),
  ]);
  await sealTo('2026-03-05');
  const opened = await entriesOf('basis=accrual&role=unappliedCash');
  t.match(opened, [
    {
      id: /^GE-BS/,
      loanId: null,
      accountingDate: '2026-03-03',
      effectiveDate: '2026-03-03',
      rule: 'unidentifiedReceipt',
      factType: 'receiptUnidentified',
      factId: new RegExp(`^${statement}-1-1$`),
      lines: [
        { role: 'unappliedCash', credit: '70.00' },
        { role: 'bank', debit: '70.00', dimensions: { fundingAccount: /^PT-|^FI-|-/ } },
      ],
    },
  ]);
  t.match(await ask('GET', `${root}/entries/${String(opened[0]?.['id'])}`), { status: 200, json: { data: { personId: null } } });
  t.match(
    (await clearing()).filter(({ role }) => role === 'unappliedCash'),
    [{ loanId: null, factId: `${statement}-1`, since: '2026-03-03', ageDays: 1, amount: '70.00' }],
  );
  const cash = await entriesOf('basis=cash&role=unappliedCash');
  t.match(cash, [{ lines: [{ credit: '70.00' }, { debit: '70.00' }] }]);
  const whole = listOf(await ask('GET', `${root}/entries?basis=accrual&limit=100`));
  const at = whole.findIndex(({ id }) => id === opened[0]?.['id']);
  t.strictSame(
    listOf(await ask('GET', `${root}/entries?basis=accrual&limit=100&startingAfter=${String(opened[0]?.['id'])}`)),
    whole.slice(at + 1),
    'a list goes on behind money without a loan',
  );
  const sealed = listOf(await ask('GET', `${root}/batches?limit=100`));

  // The check of a borrower is recorded: it was this money.
  const check = [{ instrumentType: 'check', isExternal: true, payerName: 'Ann Example', checkNumber: '7' }];
  const [made] = listOf(await ask('POST', '/people/ext-ann-1/payment-instruments', check[0]));
  const paid = {
    type: 'oneTime',
    amount: 70,
    isExternal: true,
    status: 'succeeded',
    effectiveDate: '2026-03-03',
    paymentInstrumentId: made?.['id'],
  };
  const payment = await ask('POST', `${loan}/transactions`, paid);
  t.equal(payment.status, 201, payment.text);
  h.nowMs += 700_000;
  await matched();
  await sealTo('2026-03-06');
  const closed = await entriesOf('basis=accrual&role=unappliedCash&fromDate=2026-03-04');
  t.match(closed, [
    {
      accountingDate: '2026-03-05',
      rule: 'receiptIdentified',
      lines: [
        { role: 'bank', credit: '70.00' },
        { role: 'unappliedCash', debit: '70.00' },
      ],
    },
  ]);
  t.same(
    (await clearing()).filter(({ role }) => role === 'unappliedCash'),
    [],
  );
  const rows = rowsOf(dataOf(await ask('GET', `${root}/reports/trialBalance`)));
  t.match(
    rows.find(({ account }) => account === '1010'),
    { closing: '70.00' },
    'the bank has the money once',
  );
  t.strictSame(listOf(await ask('GET', `${root}/batches?limit=100`)).slice(0, sealed.length), sealed, 'sealed days stay');
  await h.restart();
  h.deliver();
  await h.campaigns.ledgerSettled();
  t.same(failures, []);
});

test('a receipt that a person has settled otherwise is no money of loans', async (t) => {
  const lender = await openBank(t);
  const { ask, root, sealTo, report, clearing, entriesOf, goTo, matched, differences, failures } = lender;
  await goTo('2026-03-03');
  const statement = await report('2026-03-03', 500_00, [line({ cents: 70_00, customerReference: 'RENT', bankReference: 'B1' })]);
  await sealTo('2026-03-04');
  t.match(await entriesOf('basis=accrual&role=unappliedCash'), [{ rule: 'unidentifiedReceipt' }]);
  const [difference] = await differences();
  const [found] = listOf(await ask('GET', '/reconciliations?status=differences'));
  const resolution = { itemId: difference?.['id'], resolution: 'Rent of the lender.' };
  const resolved = await ask('POST', `/reconciliations/${String(found?.['id'])}/resolve`, resolution);
  t.equal(resolved.status, 200, resolved.text);
  await matched();
  await sealTo('2026-03-05');
  t.match(await entriesOf('basis=accrual&role=unappliedCash&fromDate=2026-03-04'), [{ rule: 'receiptIdentified' }]);
  t.same(
    (await clearing()).filter(({ role }) => role === 'unappliedCash'),
    [],
  );
  t.match(await ask('GET', `/bank-statements/${statement}`), { status: 200 });
  const withdrawn = await report('2026-03-05', 570_00, [line({ day: day('2026-03-05'), cents: 10_00, customerReference: 'X' })]);
  t.equal((await ask('DELETE', `/bank-statements/${withdrawn}`)).status, 204);
  await matched();
  await sealTo('2026-03-06');
  t.match(await entriesOf('basis=accrual&role=unappliedCash&fromDate=2026-03-05'), [
    { rule: 'unidentifiedReceipt', factId: `${withdrawn}-1-1` },
    { rule: 'receiptIdentified', factId: `${withdrawn}-1-2` },
  ]);
  t.match(await ask('GET', `${root}/reports/clearing`), { status: 200 });
  t.same(failures, []);
});
