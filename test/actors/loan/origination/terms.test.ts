import { test } from 'tap';
import { itemsOf } from '../../harness.js';
import { openSetting } from '../setting.js';

const FEE = {
  name: { displayName: 'Returned payment', apiName: 'returned' },
  feeType: 'nsfFee',
  amountLogic: 'fixed',
  amount: 30,
  maxAmount: 40,
  capPerLoanAmount: 60,
};

test('fees by hand are charged, capped, scheduled and canceled', async (t) => {
  const { h, active, goTo, loanTypeId } = await openSetting();
  await h.command('feeType.create', h.company, FEE, { params: { loanTypeId } });
  const loan = await active({ atOrigination: { fees: { originationFeeAmount: 100 } } });
  const charge = (body: object): Promise<unknown> => h.command('loanFee.charge', loan.id, { apiName: 'returned', ...body });
  await charge({ previewMode: true });
  t.equal(itemsOf(await h.query('loanFee.list', loan.id)).length, 1, 'a preview charges nothing');
  await charge({ externalId: 'fee-1' });
  await charge({ feeAmount: 99, chargeDate: '2024-01-20' });
  t.match(itemsOf(await h.query('loanFee.list', loan.id)), [
    { status: 'scheduled', amount: 30, scheduledDate: '2024-01-20' },
    { type: 'dynamicFee', status: 'booked', amount: 30, dynamicFeeDetails: { loanFeeExternalId: 'fee-1', apiName: 'returned' } },
    { type: 'originationFee', status: 'booked', amount: 100 },
  ]);
  t.equal((await h.refusal('loanFee.charge', loan.id, { apiName: 'returned', externalId: 'fee-1' })).errorType, 'duplicate');
  await goTo('2024-01-21');
  t.match(await h.query('loan.balances', loan.id), {
    outstandingBalances: { outstandingDynamicFeesAmount: 60, outstandingOriginationFeesAmount: 100 },
  });
  t.equal((await h.refusal('loanFee.charge', loan.id, { apiName: 'returned' })).errorType, 'feeNotCharged');
  const canceled = await h.data('loanFee.cancel', loan.id, { reason: 'courtesy' }, { params: { feeId: 'ext-fee-1' } });
  t.match(canceled, { status: 'canceled', amount: 0, originalAmount: 30 });
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingDynamicFeesAmount: 30 } });
  const events = itemsOf(await h.query('event.list', null, { loanId: loan.id, order: 'asc', limit: 100 })).map(
    (event) => event['eventType'],
  );
  t.equal(events.filter((type) => type === 'loan.nsffee.booked').length, 2);
  t.equal(events.filter((type) => type === 'loan.fee.canceled').length, 1);
});

test('a canceled late fee stays canceled over replays', async (t) => {
  const { h, active, goTo, loanTypeId } = await openSetting();
  const late = {
    name: { displayName: 'Late fee', apiName: 'late' },
    feeType: 'lateFee',
    amountLogic: 'fixed',
    amount: 25,
    trigger: 'overdueDays',
    triggerDays: 10,
  };
  await h.command('feeType.create', h.company, late, { params: { loanTypeId } });
  const loan = await active();
  await goTo('2024-03-01');
  const [fee] = itemsOf(await h.query('loanFee.list', loan.id));
  t.match(fee, {
    status: 'booked',
    amount: 25,
    scheduledDate: '2024-02-25',
    dynamicFeeDetails: { apiName: 'late', createdBy: { userType: 'system' } },
  });
  await h.command('loanFee.cancel', loan.id, {}, { params: { feeId: fee?.id ?? '' } });
  await h.command('loan.replay', loan.id, { fromDate: '2024-01-15' });
  t.match(await h.query('loanFee.get', loan.id, {}, { params: { feeId: fee?.id ?? '' } }), { status: 'canceled' });
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingLateFeesAmount: 0 } });
});

test('a fee type made later is taken over from the next day, and by a replay from any', async (t) => {
  const { h, active, goTo, loanTypeId } = await openSetting();
  const loan = await active();
  await goTo('2024-03-10');
  const late = {
    name: { displayName: 'Late fee', apiName: 'late' },
    feeType: 'lateFee',
    amountLogic: 'fixed',
    amount: 25,
    trigger: 'overdueDays',
    triggerDays: 10,
  };
  await h.command('feeType.create', h.company, late, { params: { loanTypeId } });
  await goTo('2024-03-20');
  t.same(itemsOf(await h.query('loanFee.list', loan.id)), [], 'the day of the first fee lay before the fee type');
  t.match(await h.data('loan.replay', loan.id, { previewMode: true }), { status: 'active' });
  t.same(itemsOf(await h.query('loanFee.list', loan.id)), []);
  await h.command('loan.replay', loan.id, {});
  t.match(itemsOf(await h.query('loanFee.list', loan.id)), [{ scheduledDate: '2024-02-25', amount: 25 }]);
  await goTo('2024-03-26');
  t.equal(itemsOf(await h.query('loanFee.list', loan.id)).length, 2);
  await h.restart();
  t.equal(itemsOf(await h.query('loanFee.list', loan.id)).length, 2);
});

test('re-amortization stretches the loan over more due dates or finds them for an amount', async (t) => {
  const { h, active } = await openSetting();
  const loan = await active();
  const preview = await h.data('loan.reamortize', loan.id, { effectiveDate: '2024-03-15', duration: 60, previewMode: true });
  const rows = (preview as unknown as { readonly schedule: readonly { readonly date: string; readonly amount: number }[] }).schedule;
  t.equal(rows.length, 61);
  t.match(rows[0], { date: '2024-02-15', amount: 299.72 });
  t.ok((rows[1]?.amount ?? 0) < 200);
  t.match(await h.query('loan.get', loan.id), { endDate: '2027-01-15' });
  await h.command('loan.reamortize', loan.id, { effectiveDate: '2024-03-15', amount: 500 });
  const after = await h.query('loan.get', loan.id);
  t.match(after, { endDate: '2025-11-15', timestamps: { lastAmortizedAt: '2024-01-15T17:00:00.000Z' } });
  t.equal((await h.refusal('loan.reamortize', loan.id, { effectiveDate: '2024-03-16' })).statusCode, 422);
  t.equal((await h.refusal('loan.reamortize', loan.id, { effectiveDate: '2024-03-15', amount: 1 })).statusCode, 422);
  await h.restart();
  t.same(await h.query('loan.get', loan.id), after);
});

test('rates are placed on days by activation', async (t) => {
  const { h, active } = await openSetting();
  const loan = await active({
    atOrigination: {
      interestRates: [
        { interestType: 'absolute', days: 31, rate: 0.05 },
        { interestType: 'absolute', days: null, rate: 0.1 },
      ],
      promoRates: [{ days: 10, rate: 0.01 }],
    },
  });
  t.match(await h.query('loan.rates', loan.id), {
    interestRates: [
      {
        type: 'interestRate',
        annualRate: 0.05,
        startDate: '2024-01-15',
        endDate: '2024-02-14',
        setAtActivation: true,
        interestType: 'absolute',
      },
      { annualRate: 0.1, startDate: '2024-02-15', endDate: null },
    ],
    promoRates: [{ annualRate: 0.01, endDate: '2024-01-24' }],
  });
  t.match(await h.query('loan.rateDetails', loan.id, { fromDate: '2024-01-20', toDate: '2024-02-20' }), {
    rates: [
      { startDate: '2024-01-20', endDate: '2024-01-24', interestRate: 0.05, promoRate: 0.01, effectiveRate: 0.04 },
      { startDate: '2024-01-25', endDate: '2024-02-14', effectiveRate: 0.05 },
      { startDate: '2024-02-15', endDate: '2024-02-20', effectiveRate: 0.1 },
    ],
  });
});

test('the calculator gives the worked examples under each day count', async (t) => {
  const { h } = await openSetting();
  const expected = [
    ['daily365', 299.72, 299.58, 789.78],
    ['daily360', 300.03, 299.99, 801.04],
    ['monthly30360', 299.71, 299.69, 789.54],
    ['actualActual', 299.69, 299.45, 788.6],
  ] as const;
  for (const [interestAccrualMethod, payment, last, interest] of expected) {
    const body = {
      amountFinanced: 10_000,
      duration: 36,
      paymentFrequency: 'monthly',
      specificDays: [15],
      startDate: '2024-01-15',
      interestRates: [{ rate: 0.05 }],
      interestAccrualMethod,
    };
    const reply = await h.query('utility.amortize', null, body);
    t.match(reply, { periodicPaymentAmount: payment, totalInterestAmount: interest, duration: 36, endDate: '2027-01-15' });
    t.match((reply['schedule'] as readonly object[])[35], { amount: last, remainingPrincipalAmount: 0 });
  }
  const hopeless = { amountFinanced: 10_000, periodicPaymentAmount: 1, paymentFrequency: 'monthly', interestRates: [{ rate: 0.5 }] };
  const refusal = await h.query('utility.amortize', null, hopeless).then(
    () => null,
    (cause: { readonly statusCode: number }) => cause,
  );
  t.equal(refusal?.statusCode, 400);
});

test('a preview of other terms and the validation leave the loan as it is', async (t) => {
  const { h, create } = await openSetting({ interest: { maxRate: 0.04 } });
  const loan = await create({ atOrigination: { totalInterestAmount: 700 } });
  const preview = await h.query('loan.schedulePreview', loan.id, { duration: 12, startDate: '2024-02-01' });
  t.equal((preview['schedule'] as readonly object[]).length, 12);
  t.match(await h.query('loan.validate', loan.id), {
    ratesValidation: { interestRateAtOrigExceedsMax: true },
    amountsValidation: { interestMatch: false, principalMatch: true },
    issues: [{ field: 'interestRateAtOrigExceedsMax' }, { field: 'interestMatch' }],
  });
  t.match(await h.query('loan.get', loan.id), { atOrigination: { duration: 36 } });
});

test('balances answer for any day and for what was known at a moment', async (t) => {
  const { h, active, goTo } = await openSetting();
  const loan = await active();
  await goTo('2024-02-01');
  await h.command('loan.freeze', loan.id);
  await goTo('2024-02-11');
  t.match(await h.query('loan.balances', loan.id, { toEffectiveDate: '2024-01-25' }), {
    outstandingBalances: { outstandingInterestAmount: '13.6986301370' },
  });
  t.match(await h.query('loan.balances', loan.id, { toEffectiveDate: '2024-02-11' }), {
    outstandingBalances: { outstandingInterestAmount: '23.2876712329' },
  });
  const known = await h.query('loan.balances', loan.id, { toEffectiveDate: '2024-02-11', recordedAsOf: '2024-01-31T12:00:00Z' });
  t.match(known, { outstandingBalances: { outstandingInterestAmount: '36.9863013699' } }, 'the freeze was not known');
  t.equal((await h.query('loan.balances', loan.id, { fast: true }))['nonDueBalances'], undefined);
  const history = await h.query('loan.balanceHistory', loan.id, { fromEffectiveDate: '2024-01-30' });
  t.equal((history['days'] as readonly object[]).length, 13);
  const interest = await h.query('loan.interest', loan.id);
  t.match(interest, { totalInterestAmount: 23.29, days: [{ date: '2024-01-15', interestAmount: 1.37, rate: 0.05 }] });
  t.match(await h.query('loan.payoff', loan.id), { payoffAmount: 10_023.28, interestAmount: 23.28 });
});

test('a canceled loan is as if it had never been', async (t) => {
  const { h, active } = await openSetting();
  const loan = await active();
  await h.command('loan.cancel', loan.id, { cancellationReason: 'duplicate' });
  t.match(await h.query('loan.get', loan.id), { status: 'canceled', cancellationReason: 'duplicate' });
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingTotalAmount: 0 } });
  t.equal((await h.refusal('loan.update', loan.id, { nickname: 'x' })).statusCode, 409);
});
