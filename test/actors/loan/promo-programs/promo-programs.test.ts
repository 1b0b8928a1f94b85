import { test } from 'tap';
import { itemsOf } from '../../harness.js';
import { loanBody } from '../setting.js';
import { openPromoSetting, SAME_AS_CASH } from './setting.js';

test('same as cash: who pays principal and fees in time pays no interest, from activation on', async (t) => {
  const s = await openPromoSetting();
  t.teardown(() => s.h.engine.close());
  const type = await s.promoType(SAME_AS_CASH);
  await s.pass('2024-01-25');
  const made = await s.ask('create', { promoTypeId: type.id, status: 'active', promoStartDate: '2024-01-20', promoGracePeriodDays: 5 });
  t.match(made, {
    status: 'active',
    promoType: 'sameAsCash',
    promoStartDate: '2024-01-20',
    promoEndDate: '2024-04-19',
    promoDurationDays: 90,
    promoEffectiveEndDate: '2024-04-24',
    remainingAmountToExercise: 10_000,
    totalDeferredInterestAmount: 13.7,
    sacExcercisedRateId: null,
  });
  t.strictSame(await s.emitted(), ['created pending', 'activated active']);
  await s.pass('2024-02-14');
  await s.payBy(null, 9_000);
  t.match(await s.program(made.id), { status: 'active', remainingAmountToExercise: 1_000, totalDeferredInterestAmount: 41.1 });
  await s.pass('2024-02-24');
  await s.payBy(null, 1_000);
  t.strictSame(await s.emitted(), ['updated exercised']);
  const exercised = await s.program(made.id);
  t.match(exercised, {
    status: 'exercised',
    sacExcercisedRateId: /^RA-/,
    remainingAmountToExercise: null,
    timestamps: { exercisedAt: /^2024-02-24/ },
  });
  t.match(await s.loan(), { status: 'paidOff' });
  const { promoRates } = await s.h.query('loan.rates', s.loanId);
  t.match(promoRates, [{ id: exercised['sacExcercisedRateId'], annualRate: 0.05, startDate: '2024-01-15', endDate: null }]);
  s.h.forgetSnapshots();
  await s.h.restart();
  t.match(await s.program(made.id), exercised, 'a restart knows it all');
});

test('interest that was paid with a payoff is owed back once the program is exercised', async (t) => {
  const s = await openPromoSetting();
  t.teardown(() => s.h.engine.close());
  const type = await s.promoType(SAME_AS_CASH);
  await s.ask('create', { promoTypeId: type.id, status: 'active' });
  await s.pass('2024-01-25');
  await s.payBy(null, 10_013.69);
  t.match(await s.loan(), { status: 'paidOff' });
  t.equal((await s.h.query('reimbursement.list', s.loanId))['owedAmount'], 13.69);
});

test('the pay-off that keeps a promotion earns it and pays the loan off, to the cent', async (t) => {
  for (const [promoType, pass, promoStartDate] of [
    ['sameAsCash', '2024-02-20', '2024-01-20'],
    ['deferredInterest', '2024-02-20', '2024-01-25'],
  ] as const) {
    const s = await openPromoSetting();
    const type = await s.promoType({ promoType, displayName: promoType, defaults: { promoDurationDays: 60 } });
    t.match(await s.h.query('loan.payoff', s.loanId), { promoPayoffAmount: null });
    await s.pass('2024-01-26');
    const { id } = await s.ask('create', { promoTypeId: type.id, status: 'active', promoStartDate });
    await s.pass(pass);
    await s.payBy(null, 123.45);
    const { promoPayoffAmount, payoffAmount } = await s.h.query('loan.payoff', s.loanId);
    const { outstandingBalancesWithPromo, outstandingBalances } = (await s.h.query('loan.balances', s.loanId)) as unknown as Record<
      string,
      { readonly outstandingTotalAmount: number }
    >;
    t.equal(outstandingBalancesWithPromo?.outstandingTotalAmount, promoPayoffAmount);
    t.ok(
      Number(promoPayoffAmount) < Number(payoffAmount) && Number(promoPayoffAmount) < Number(outstandingBalances?.outstandingTotalAmount),
    );
    t.match(await s.program(id), { remainingAmountToExercise: promoPayoffAmount });
    t.match(await s.h.query('loan.payoff', s.loanId, { payoffDate: '2024-03-20' }), { promoPayoffAmount });
    if (promoType === 'sameAsCash')
      t.match(
        await s.h.query('loan.payoff', s.loanId, { payoffDate: '2024-03-21' }),
        { promoPayoffAmount: null },
        'the promotion is over by then',
      );
    await s.payBy(null, Number(promoPayoffAmount));
    t.match(await s.program(id), { status: 'exercised' });
    t.match(await s.loan(), { status: 'paidOff' });
    await s.h.engine.close();
  }
});

test('a program that is not earned by its effective end expires the day after', async (t) => {
  const s = await openPromoSetting();
  t.teardown(() => s.h.engine.close());
  const type = await s.promoType({ ...SAME_AS_CASH, defaults: { promoDurationDays: 10, promoGracePeriodDays: 1 } });
  const { id } = await s.ask('create', { promoTypeId: type.id, status: 'active' });
  await s.pass('2024-01-26');
  t.match(await s.program(id), { status: 'active', promoEffectiveEndDate: '2024-01-26' });
  await s.pass('2024-01-27');
  t.match(await s.program(id), { status: 'expired', remainingAmountToExercise: null, totalDeferredInterestAmount: null });
  t.strictSame(await s.emitted(), ['created pending', 'activated active', 'updated expired']);
  t.equal(await s.refused('cancel', {}, id), 'invalidState');
});

test('deferred interest gives back what accrued since the promotion began', async (t) => {
  const s = await openPromoSetting();
  t.teardown(() => s.h.engine.close());
  const type = await s.promoType({ promoType: 'deferredInterest', displayName: 'Deferred', defaults: { promoDurationDays: 30 } });
  const made = await s.ask('create', { promoTypeId: type.id, status: 'active', promoStartDate: '2024-01-20' });
  await s.pass('2024-01-30');
  t.match(await s.program(made.id), { remainingAmountToExercise: 10_006.85, totalDeferredInterestAmount: 13.7 });
  await s.payBy(null, 10_006.84);
  t.match(await s.program(made.id), { status: 'exercised' });
  t.match(await s.loan(), { status: 'paidOff' });
});

test('days overdue disqualify, and a canceled program may run again', async (t) => {
  const s = await openPromoSetting();
  t.teardown(() => s.h.engine.close());
  const type = await s.promoType(SAME_AS_CASH);
  const { id } = await s.ask('create', { promoTypeId: type.id, status: 'pending', sacDisqualifyOverdueDays: 5 });
  await s.ask('activate', {}, id);
  await s.pass('2024-02-19');
  t.match(await s.program(id), { status: 'active', disqualifyOverdueDays: 5 });
  await s.pass('2024-02-20');
  t.match(await s.program(id), { status: 'canceled', promoCancelReason: 'overdue', promoCanceledBy: { userType: 'system' } });
  await s.payBy(null, 400);
  t.match(await s.ask('reactivate', {}, id), { status: 'active', promoCancelReason: null, timestamps: { reactivatedAt: /^2024-02-20/ } });
  t.strictSame(await s.emitted(), ['created pending', 'activated active', 'updated canceled', 'activated active']);
  t.match(await s.ask('cancel', { promoCancelReason: 'borrowerRequest' }, id), {
    status: 'canceled',
    promoCancelReason: 'borrowerRequest',
    promoCanceledBy: { userType: 'agent', id: 'AK-TEST-TEST' },
  });
  await s.pass('2024-05-01');
  t.equal(await s.refused('reactivate', {}, id), 'ruleViolation', 'its time is over');
});

test('a reduced rate runs while its program does', async (t) => {
  const s = await openPromoSetting();
  t.teardown(() => s.h.engine.close());
  const type = await s.promoType({
    promoType: 'reducedRate',
    displayName: '2 % off',
    defaults: { promoRate: 0.02, promoDurationDays: 30 },
  });
  const rates = async (): Promise<unknown> =>
    (await s.h.query('loan.rateDetails', s.loanId, { fromDate: '2024-01-15', toDate: '2024-03-01' }))['rates'];
  const { id } = await s.ask('create', { promoTypeId: type.id, status: 'active' });
  t.match(await rates(), [{ endDate: '2024-02-14', effectiveRate: 0.03 }, { effectiveRate: 0.05 }]);
  t.match(await s.ask('update', { promoEndDate: '2024-02-10' }, id), {
    promoEndDate: '2024-02-10',
    remainingAmountToExercise: null,
    promoRate: 0.02,
  });
  t.match(await rates(), [{ endDate: '2024-02-10', effectiveRate: 0.03 }, { effectiveRate: 0.05 }]);
  await s.pass('2024-01-20');
  await s.ask('cancel', {}, id);
  t.match(await rates(), [{ endDate: '2024-01-19', effectiveRate: 0.03 }, { effectiveRate: 0.05 }]);
  await s.ask('reactivate', {}, id);
  t.match(await rates(), [{ endDate: '2024-02-10', effectiveRate: 0.03 }, { effectiveRate: 0.05 }]);
  await s.pass('2024-02-12');
  t.match(await s.program(id), { status: 'expired' });
});

test('a program has an end or a duration, within the life of the loan, one same-as-cash at a time', async (t) => {
  const s = await openPromoSetting();
  t.teardown(() => s.h.engine.close());
  const type = await s.promoType({ promoType: 'sameAsCash' });
  const body = { promoTypeId: type.id, status: 'pending', promoDurationDays: 30 } as const;
  t.equal(await s.refused('create', { ...body, promoEndDate: '2024-03-01' }), 'validationError');
  t.equal(await s.refused('create', { ...body, promoDurationDays: null }), 'validationError');
  t.equal(await s.refused('create', { ...body, promoStartDate: '2024-01-14' }), 'ruleViolation');
  t.equal(await s.refused('create', { ...body, promoStartDate: '2027-02-01' }), 'ruleViolation');
  t.equal(await s.refused('create', { ...body, promoTypeId: 'PY-AAAA-AAAA' }), 'ruleViolation');
  t.match(await s.ask('create', { ...body, previewMode: true, status: 'active' }), { status: 'active' });
  const { id } = await s.ask('create', { ...body, externalId: 'promo' });
  t.equal(await s.refused('create', body), 'activePlanExists');
  t.match(await s.h.query('promoProgram.list', s.loanId, { status: ['pending'] }), { promoPrograms: [{ id }] });
  t.match(await s.program('ext-promo'), { id });
  await s.h.command('loan.chargeOff', s.loanId, { chargedOffReason: 'term' }, { params: { personId: s.personId } });
  t.match(await s.program(id), { status: 'canceled', promoCancelReason: 'loanStatusChanged' });
});

test('a reduced rate says by how much, and no other kind does', async (t) => {
  const s = await openPromoSetting();
  t.teardown(() => s.h.engine.close());
  const ask = { params: { loanTypeId: s.loanTypeId } };
  t.match(await s.h.refusal('promoType.create', s.h.company, { promoType: 'reducedRate', displayName: 'x' }, ask), { statusCode: 400 });
  t.match(await s.h.refusal('promoType.create', s.h.company, { ...SAME_AS_CASH, displayName: 'x', defaults: { promoRate: 0.1 } }, ask), {
    statusCode: 400,
  });
  const { id } = await s.promoType(SAME_AS_CASH);
  const own = { params: { loanTypeId: s.loanTypeId, promoTypeId: id } };
  t.match(await s.h.data('promoType.update', s.h.company, { status: 'inactive', defaults: { promoGracePeriodDays: 3 } }, own), {
    status: 'inactive',
    defaults: { promoDurationDays: 90, promoGracePeriodDays: 3, promoRate: null },
  });
  t.match(itemsOf(await s.h.query('promoType.list', s.h.company, {}, ask)), [{ id, promoType: 'sameAsCash' }]);
});

test('the programs of origination begin with the loan', async (t) => {
  const s = await openPromoSetting();
  t.teardown(() => s.h.engine.close());
  const { id: reduced } = await s.promoType({
    promoType: 'reducedRate',
    displayName: '2 % off',
    defaults: { promoRate: 0.02, promoDurationDays: 30 },
  });
  const { id: cash } = await s.promoType(SAME_AS_CASH);
  const promoPrograms = [
    { promoTypeId: reduced, status: 'active' },
    { promoTypeId: cash, promoDurationDays: 60, status: 'pending' },
  ];
  const params = { personId: s.personId };
  const loan = await s.h.data('loan.create', s.personId, loanBody(s.loanTypeId, { atOrigination: { promoPrograms } }), { params });
  await s.h.command('loan.activate', loan.id, {}, { params });
  t.match(await s.h.query('promoProgram.list', loan.id), {
    promoPrograms: [
      { status: 'pending', promoDurationDays: 60, promoStartDate: '2024-01-15' },
      { status: 'active', promoRate: 0.02 },
    ],
  });
  t.match(await s.h.query('loan.rates', loan.id), { promoRates: [{ annualRate: 0.02, startDate: '2024-01-15', endDate: '2024-02-14' }] });
});
