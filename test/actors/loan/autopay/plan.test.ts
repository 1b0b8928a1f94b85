import { test } from 'tap';
import { loanBody } from '../setting.js';
import { agreed, openAutopay } from './setting.js';

test('a plan on the due dates pays each row in the morning of its day', async (t) => {
  const s = await openAutopay();
  const plan = await s.create();
  t.match(plan, {
    status: 'active',
    isAlignedToDueDates: true,
    paymentFrequency: 'monthly',
    specificDays: ['15'],
    paymentInstrumentId: 'PT-CHEC-KING',
    agreementDocumentId: 'DD-SIGN-EDXX',
    amountType: 'scheduledAmount',
    isLocked: false,
    cancelReason: null,
    deltaTerms: { deltaInterestAmount: 0, deltaFeeAmount: 0, deltaDurationDays: 0, deltaDueDatesNumber: 0 },
  });
  t.match(plan.id, /^AP-/);
  const schedule = plan['schedule'] as readonly { readonly id: string }[];
  t.equal(schedule.length, 36);
  t.match(schedule[0], {
    id: /^AE-/,
    date: '2024-02-15',
    status: 'booked',
    amount: 299.72,
    originalAmount: 299.72,
    principalAmount: 257.25,
    interestAmount: 42.47,
    transactionId: null,
  });
  t.match(schedule[35], { paymentType: 'final' });
  t.match(await s.loan(), { current: { autopayEnabled: true } });
  t.match(await s.autopayEvents(), [
    {
      eventType: 'autopay.schedule.created',
      data: { autopayId: plan.id, type: 'alignedToDueDates', amountType: 'scheduledAmount', nextPaymentDate: '2024-02-15' },
    },
  ]);

  await s.pass('2024-02-14');
  t.same(await s.made(), []);
  await s.pass('2024-02-15');
  const [made] = await s.made();
  t.match(made, {
    status: 'initiated',
    actualAmount: 299.72,
    autopayPlanId: plan.id,
    autopayPaymentIds: [schedule[0]?.id],
    paymentDetails: { reason: 'autopay', fromInstrumentId: 'PT-CHEC-KING' },
    timestamps: { effectiveDate: '2024-02-15' },
    createdBy: { id: 'system' },
  });
  t.match(await s.payments('processing'), [{ id: schedule[0]?.id, amount: 299.72, transactionId: made?.id }]);
  await s.pass('2024-03-20');
  t.match(await s.payments('paid', 'processing'), [{ status: 'paid' }, { status: 'paid', date: '2024-03-15' }]);
  t.match(await s.loan(), { current: { isOverdue: false } });
});

test('what was shown is what is made, to the last row, and then the plan is completed', async (t) => {
  const s = await openAutopay({}, { atOrigination: { duration: 4 } });
  const plan = await s.create({ extraAmount: 25 });
  const shown = (plan['schedule'] as readonly { readonly date: string; readonly amount: number }[]).map(({ date, amount }) => ({
    date,
    amount,
  }));
  await s.pass('2024-06-20');
  const made = (await s.made()).map((one) => ({
    date: String((one['timestamps'] as Readonly<Record<string, unknown>>)['scheduledDate']),
    amount: one['actualAmount'],
  }));
  t.same(made, shown);
  t.match(await s.loan(), { status: 'paidOff', current: { autopayEnabled: false } });
  t.match(await s.history(), [{ id: plan.id, status: 'completed', cancelReason: 'loanPaidOff' }]);
});

test('an extra amount lowers principal alone and shortens the loan', async (t) => {
  const s = await openAutopay({ payments: { enablePrepayments: true } });
  const plan = await s.create({ extraAmount: 100 });
  const delta = plan['deltaTerms'] as Readonly<Record<string, number>>;
  t.ok((delta['deltaInterestAmount'] ?? 0) < -100, 'interest is saved');
  t.ok((delta['deltaDueDatesNumber'] ?? 0) < -5, 'the term is shorter');
  await s.pass('2024-02-15');
  t.match(await s.made(), [{ actualAmount: 399.72, paidPrincipalAmount: 357.25, paidInterestAmount: 42.47 }]);
  await s.pass('2024-03-15');
  t.match((await s.made())[1], { actualAmount: 399.72 });
});

test('a fee for the day of a payment counts from the end of that day: the payment of its morning does not ask for it', async (t) => {
  const s = await openAutopay({ payments: { enablePrepayments: true } });
  const paper = {
    name: { displayName: 'Paper', apiName: 'paper' },
    feeType: 'adHoc',
    amountLogic: 'fixed',
    amount: 15,
    chargeLogic: 'immediate',
  };
  await s.h.data('feeType.create', s.h.company, paper, { params: { loanTypeId: s.loanTypeId } });
  await s.create({ paymentFrequency: 'twiceMonthly', specificDays: [1, 15] });
  const amountsOf = async (): Promise<readonly unknown[]> =>
    (await s.made()).map(({ actualAmount, paidFeesAmount, paidOverAmount }) => ({ actualAmount, paidFeesAmount, paidOverAmount }));
  await s.h.command(
    'loanFee.charge',
    s.loanId,
    { apiName: 'paper', chargeDate: '2024-02-01' },
    { permissions: ['*'], params: { personId: s.personId } },
  );
  await s.pass('2024-02-01');
  t.match(await amountsOf(), [{ actualAmount: 149.86, paidFeesAmount: 0, paidOverAmount: 0 }]);
  await s.pass('2024-02-15');
  t.match(
    await amountsOf(),
    [{ actualAmount: 149.86 }, { actualAmount: 164.86, paidFeesAmount: 15, paidOverAmount: 0 }],
    'the next one does',
  );
});

test('a date that is no business day waits for the next one and counts from its own', async (t) => {
  const s = await openAutopay();
  await s.create();
  await s.pass('2024-06-14');
  await s.events();
  await s.pass('2024-06-15'); // a Saturday
  t.match((await s.made())[4], { status: 'scheduled', scheduledAmount: 299.72 });
  await s.pass('2024-06-17');
  t.match((await s.made())[4], { status: 'initiated', timestamps: { effectiveDate: '2024-06-15' } });
  t.match(await s.loan(), { current: { isOverdue: false } });
});

test('money paid before lowers the payment, and nothing is made when nothing is left', async (t) => {
  const s = await openAutopay({ payments: { enablePrepayments: true } });
  await s.create();
  await s.pay({ amount: 100 });
  t.match(await s.payments('booked'), [
    { date: '2024-02-15', amount: 199.72 },
    { date: '2024-03-15', amount: 299.72 },
  ]);
  await s.pass('2024-02-15');
  t.match(await s.made(), [{ actualAmount: 199.72 }]);
  await s.pay({ amount: 299.72 });
  await s.pass('2024-03-15');
  t.equal((await s.made()).length, 1);
  t.match(await s.loan(), { current: { isOverdue: false } });
});

test('what is overdue comes along when the product says so', async (t) => {
  for (const includeOverdue of [true, false]) {
    const s = await openAutopay({ autopay: { includeOverdue } });
    await s.pass('2024-02-20');
    await s.create();
    await s.pass('2024-03-15');
    t.match(await s.made(), [{ actualAmount: includeOverdue ? 599.44 : 299.72 }]);
  }
});

test('a plan of its own dates spreads each row over them, so that all of it is there in time', async (t) => {
  const s = await openAutopay();
  const plan = await s.create({ isAlignedToDueDates: false, paymentFrequency: 'weekly', specificDays: [5] });
  t.match(plan, { isAlignedToDueDates: false, paymentFrequency: 'weekly', specificDays: ['5'] });
  const schedule = plan['schedule'] as readonly { readonly date: string; readonly amount: number; readonly periodId: string }[];
  t.match(schedule.slice(0, 5), [
    { date: '2024-01-19', amount: 74.93 },
    { date: '2024-01-26', amount: 74.93 },
    { date: '2024-02-02', amount: 74.93 },
    { date: '2024-02-09', amount: 74.93 },
    { date: '2024-02-16', amount: 59.95 },
  ]);
  t.ok(Number((plan['deltaTerms'] as Readonly<Record<string, number>>)['deltaInterestAmount']) < 0, 'earlier money saves interest');
  await s.pass('2024-02-15');
  t.match(await s.loan(), { current: { isOverdue: false, nextDueDate: '2024-03-15' } });
  await s.pass('2024-07-16');
  t.match(await s.loan(), { current: { isOverdue: false } });
});

test('a row in whose period no date lies is paid by the last date before it', async (t) => {
  const s = await openAutopay({}, { atOrigination: { paymentFrequency: 'weekly', specificDays: [1], duration: 20 } });
  await s.create({ paymentFrequency: 'monthly', specificDays: [20] });
  const [first, second] = await s.payments('booked');
  t.match([first, second], [{ date: '2024-01-20' }, { date: '2024-02-20' }]);
  await s.pass('2024-02-20');
  t.match(await s.loan(), { current: { isOverdue: false } });
  await s.pass('2024-03-19');
  t.match(await s.loan(), { current: { isOverdue: false } });
});

test('the days of the loan count as its due dates', async (t) => {
  const s = await openAutopay();
  t.match(await s.create({ isAlignedToDueDates: false, paymentFrequency: 'monthly', specificDays: [15] }), { isAlignedToDueDates: true });
});

test('a preview shows the plan and saves nothing', async (t) => {
  const s = await openAutopay();
  const preview = await s.create({ previewMode: true });
  const { schedule, deltaTerms } = (await s.create()) as unknown as Readonly<Record<string, readonly { readonly amount: number }[]>>;
  t.same(
    (preview['schedule'] as readonly { readonly amount: number }[]).map(({ amount }) => amount),
    schedule?.map(({ amount }) => amount),
  );
  t.same(preview['deltaTerms'], deltaTerms);
  t.equal((await s.autopayEvents()).length, 1);
});

test('what a plan may not be', async (t) => {
  const s = await openAutopay();
  t.match(await s.refused({ isAlignedToDueDates: false }), {
    statusCode: 400,
    errors: [{ path: 'paymentFrequency' }, { path: 'specificDays' }],
  });
  t.match(await s.refused({ paymentFrequency: 'weekly', specificDays: [8] }), { statusCode: 400, errors: [{ path: 'specificDays' }] });
  t.match(await s.refused({ isAlignedToDueDates: true, paymentFrequency: 'weekly', specificDays: [1] }), { statusCode: 422 });
  t.match(await s.refused({ amountType: 'minimumDueAmount' }), { statusCode: 422, errors: [{ path: 'amountType' }] });
  t.match(await s.refused({ agreementDocumentId: null }), { statusCode: 422, errors: [{ path: 'agreementDocumentId' }] });
  t.match(await s.refused({ paymentInstrumentId: 'PT-NONE-NONE' }), { statusCode: 422, errors: [{ path: 'paymentInstrumentId' }] });
  t.match(await s.refused({ paymentInstrumentId: 'PT-CHEK-CHEK' }), { statusCode: 422 });
  t.match(await s.refused({ paymentInstrumentId: 'PT-GONE-GONE' }), { statusCode: 409 });
  await s.create();
  t.match(await s.refused({}), { statusCode: 409, errorType: 'activePlanExists' });
  await s.h.command('company.update', s.h.company, { config: { autopay: { requireAgreement: false } } }, { system: true });
  await s.cancel();
  t.match(await s.h.data('autopay.create', s.loanId, { paymentInstrumentId: 'PT-CHEC-KING' }, { permissions: ['*'] }), {
    agreementDocumentId: null,
  });
});

test('a plan of an originated loan begins with its activation', async (t) => {
  const s = await openAutopay();
  const originated = () => s.h.data('loan.create', s.personId, loanBody(s.loanTypeId), { params: { personId: s.personId } });
  const { id: loanId } = await originated();
  t.match(await s.h.data('autopay.create', loanId, agreed(), { permissions: ['*'] }), { status: 'active', schedule: [], deltaTerms: null });
  await s.h.command('loan.activate', loanId, {});
  t.match(await s.h.query('autopay.get', loanId), { schedule: [{ date: '2024-02-15', amount: 299.72 }] });
  const other = await originated();
  await s.h.data('autopay.create', other.id, agreed(), { permissions: ['*'] });
  await s.h.command('loan.cancel', other.id, { cancellationReason: 'withdrawn' });
  t.match(await s.h.query('autopay.history', other.id), { items: [{ status: 'canceled', cancelReason: 'loanCanceled' }] });
});

test('a plan is the same after a restart, with and without snapshots', async (t) => {
  const s = await openAutopay();
  await s.create({ paymentFrequency: 'twiceMonthly', specificDays: [1, 31], extraAmount: 5 });
  await s.pass('2024-03-05');
  const shown = [await s.plan(), await s.made()];
  for (const forget of [false, true]) {
    if (forget) s.h.forgetSnapshots();
    await s.h.restart();
    t.same([await s.plan(), await s.made()], shown);
  }
  await s.pass('2024-04-02');
  t.equal((await s.made()).length, 6);
  t.same(s.h.reports, []);
});
