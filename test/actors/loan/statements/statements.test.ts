import { test } from 'tap';
import { type Data, itemsOf } from '../../harness.js';
import { external, openPaySetting, type PaySetting } from '../transactions/setting.js';

const statementsOf = async ({ h, loanId }: PaySetting, query: object = {}): Promise<readonly Data[]> =>
  itemsOf(await h.query('statement.list', loanId, query));

const detailsOf = ({ h, loanId }: PaySetting, statement: Data | undefined): Promise<Data> =>
  h.query('statement.details', loanId, {}, { params: { statementId: String(statement?.id) } });

/** The identity of a statement, in cents. */
function unbalancedCents(details: Data): number {
  const cents = (name: string): number => Math.round(Number(details[name]) * 100);
  const raised = [
    'previousBalance',
    'totalAdvancesForThisPeriod',
    'totalInterestForThisPeriod',
    'totalFeesForThisPeriod',
    'totalPaymentReversalsForThisPeriod',
    'totalCreditReversalsForThisPeriod',
    'totalAdjustmentsForThisPeriod',
  ];
  const lowered = ['totalPaymentsForThisPeriod', 'totalCreditsForThisPeriod', 'totalRefundsForThisPeriod', 'newBalanceAmount'];
  const sum = (names: readonly string[]): number => names.reduce((total, name) => total + cents(name), 0);
  return sum(raised) - sum(lowered);
}

test('each due date has its statement, on that date, with an event', async (t) => {
  const s = await openPaySetting();
  await s.goTo('2024-02-14');
  t.same(await statementsOf(s), []);
  await s.goTo('2024-03-20');
  const [second, first] = await statementsOf(s);
  t.match(first, {
    version: 1,
    billingCycleStartDate: '2024-01-15',
    billingCycleEndDate: '2024-02-14',
    paymentDueDate: '2024-02-15',
    statementDate: '2024-02-15',
    documentDescriptorId: /^DD-/,
    minimumDueAmount: 299.72,
    remainingAmount: 299.72,
    overdueAmount: 0,
    isExternal: false,
    isTest: false,
  });
  t.match(second, { paymentDueDate: '2024-03-15', overdueAmount: 299.72 });
  const events = itemsOf(await s.h.query('event.list', null, { loanId: s.loanId, order: 'asc', limit: 100 }));
  t.match(
    events.filter((event) => event['eventType'] === 'statement.created').map((event) => event['data']),
    [
      {
        statementId: first?.id,
        periodId: first?.['periodId'],
        dueDate: '2024-02-15',
        amountDue: 299.72,
        documentId: first?.['documentDescriptorId'],
      },
      { statementId: second?.id },
    ],
  );
});

test('the figures of a statement make its new balance from the previous one', async (t) => {
  const s = await openPaySetting();
  await s.goTo('2024-02-15');
  await s.post(external({ amount: 299.72 }));
  await s.goTo('2024-03-15');
  const [second, first] = await statementsOf(s);
  const start = await detailsOf(s, first);
  t.match(start, {
    previousBalance: 0,
    totalAdvancesForThisPeriod: 10_000,
    totalPaymentsForThisPeriod: 0,
    year: '2024',
    daysInBillingCycle: 31,
  });
  t.equal(unbalancedCents(start), 0);
  const next = await detailsOf(s, second);
  t.match(next, { previousBalance: start['newBalanceAmount'], totalPaymentsForThisPeriod: 299.72, totalAdjustmentsForThisPeriod: 0 });
  t.equal(unbalancedCents(next), 0);
  t.match(next, { lastPeriodPrincipalPaid: 257.25, lastPeriodInterestPaid: 42.47, lastPeriodFeesPaid: 0 });
  t.same(
    (next['activities'] as readonly Data[]).map((line) => line['type']),
    ['payment', 'interest'],
  );
});

test('an issued statement never changes: a late payment adjusts the next, a reversal is listed as one', async (t) => {
  const s = await openPaySetting();
  await s.goTo('2024-02-15');
  const paid = await s.post(external({ amount: 299.72 }));
  await s.goTo('2024-03-20');
  const before = await statementsOf(s);
  const issued = await detailsOf(s, before[0]);
  await s.post(external({ amount: 100, status: 'succeeded', effectiveDate: '2024-02-20' }));
  await s.act('update', paid.id, { status: 'failed', failureReason: 'insufficientFunds' });
  t.same(await detailsOf(s, before[0]), issued);
  await s.goTo('2024-04-15');
  const next = await detailsOf(s, (await statementsOf(s))[0]);
  t.match(next, { previousBalance: issued['newBalanceAmount'], totalPaymentReversalsForThisPeriod: 299.72, totalPaymentsForThisPeriod: 0 });
  t.ok(Number(next['totalAdjustmentsForThisPeriod']) < -99, 'the backdated payment adjusts');
  t.equal(unbalancedCents(next), 0);
});

test('generating again makes a new version that counts; the older stays readable', async (t) => {
  const s = await openPaySetting();
  await s.goTo('2024-02-20');
  const [first] = await statementsOf(s);
  const ask = { params: { periodId: String(first?.['periodId']) } };
  const preview = await s.h.data('statement.generate', s.loanId, { previewMode: true }, ask);
  const made = await s.h.data('statement.generate', s.loanId, {}, ask);
  t.equal(made['version'], 2);
  t.equal(preview['newBalanceAmount'], made['newBalanceAmount']);
  t.same(
    (await statementsOf(s)).map(({ id }) => id),
    [made.id],
  );
  t.same(
    (await statementsOf(s, { includeAllVersions: true })).map((one) => one['version']),
    [2, 1],
  );
  await s.h.data('statement.generate', s.loanId, { isTest: true }, ask);
  t.equal((await statementsOf(s, { includeAllVersions: true })).length, 2);
  t.equal((await statementsOf(s, { includeTestVersions: true })).length, 2);
  const periods = await s.h.query('loan.periods', s.loanId, {});
  const coming = (periods as unknown as readonly Data[])[5];
  const refusal = await s.h.refusal('statement.generate', s.loanId, {}, { params: { periodId: String(coming?.id) } });
  t.equal(refusal.statusCode, 409);
});

test('a product may state some days before the end of the period', async (t) => {
  const s = await openPaySetting({ schedule: { statementOffsetDays: 10 } });
  await s.goTo('2024-02-03');
  t.same(await statementsOf(s), []);
  await s.goTo('2024-02-04');
  t.match(await statementsOf(s), [{ statementDate: '2024-02-04', paymentDueDate: '2024-02-15', minimumDueAmount: 299.72 }]);
  await s.goTo('2024-03-31');
  t.same(
    (await statementsOf(s)).map((one) => one['statementDate']),
    ['2024-03-04', '2024-02-04'],
  );
});

test('a statement from outside is recorded, corrected, and never mistaken for one of ours', async (t) => {
  const s = await openPaySetting();
  await s.goTo('2024-02-20');
  const [ours] = await statementsOf(s);
  const body = { periodId: ours?.['periodId'], documentDescriptorId: 'DD-AAAA-AAAA', minimumDueAmount: 300, newBalanceAmount: 10_000 };
  const made = await s.h.command('statement.record', s.loanId, body);
  t.equal(made.status, 201);
  const { id } = made.data as Data;
  const update = (statementId: string, changes: object): Promise<Data> =>
    s.h.data('statement.update', s.loanId, changes, { params: { statementId } });
  t.match(await update(id, { minimumDueAmount: 301 }), { version: 2, isExternal: true, minimumDueAmount: 301, newBalanceAmount: 10_000 });
  t.match(await update(String(ours?.id), { documentDescriptorId: 'DD-BBBB-BBBB', metaData: { a: 'b' } }), {
    documentDescriptorId: 'DD-BBBB-BBBB',
  });
  const ask = { params: { statementId: String(ours?.id) } };
  t.equal((await s.h.refusal('statement.update', s.loanId, { minimumDueAmount: 1 }, ask)).statusCode, 409);
});

test('statements survive a restart, and the days after it go on with them', async (t) => {
  const s = await openPaySetting();
  await s.goTo('2024-03-20');
  const before = await statementsOf(s);
  await s.h.restart();
  t.same(await statementsOf(s), before);
  s.h.forgetSnapshots();
  await s.h.restart();
  t.same(await statementsOf(s), before);
  await s.goTo('2024-04-15');
  t.equal((await statementsOf(s)).length, 3);
});

test('a late fee is warned of, with the largest amount that it can be', async (t) => {
  const s = await openPaySetting();
  await s.h.command(
    'feeType.create',
    s.h.company,
    {
      name: { displayName: 'Late fee', apiName: 'late' },
      feeType: 'lateFee',
      amountLogic: 'greaterOf',
      amount: 10,
      percentage: 0.05,
      percentageBase: 'overdueAmount',
    },
    { params: { loanTypeId: s.loanTypeId } },
  );
  await s.goTo('2024-02-15');
  const [first] = await statementsOf(s);
  t.match(await detailsOf(s, first), { isDisplayLatePaymentWarning: true, lateFeeUpToAmount: 14.99 });
  const page = await s.h.query('statement.page', s.loanId, { statementId: String(first?.id) });
  t.match(String(page['html']), /Minimum payment due<\/th><td>299.72/);
});
