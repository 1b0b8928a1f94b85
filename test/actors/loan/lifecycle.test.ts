import { test } from 'tap';
import { itemsOf } from '../harness.js';
import { loanBody, openSetting, type Setting } from './setting.js';

const eventTypes = async ({ h }: Setting, loanId: string): Promise<readonly string[]> => {
  const list = await h.query('event.list', null, { loanId, order: 'asc', limit: 100 });
  return itemsOf(list).map((event) => String(event['eventType']));
};

test('a loan is made with every field of the contract, and its absent ones are null', async (t) => {
  const { create, personId, loanTypeId, h } = await openSetting();
  const loan = await create({ externalId: 'L-1', nickname: 'Kitchen', metaData: { branch: 'north' } });
  t.match(loan, {
    id: /^LN-/,
    object: 'installment',
    type: 'installment',
    displayId: 'L-1',
    companyId: h.company,
    externalId: 'L-1',
    loanTypeId,
    mainBorrowerId: personId,
    mainBorrowerExternalId: 'ada',
    status: 'originated',
    nickname: 'Kitchen',
    metaData: { branch: 'north' },
    labels: [],
    additionalPeople: [],
    isClosed: false,
    muteLoanNotices: false,
    endDate: null,
    lockStatus: 'unlocked',
    migrationStatus: 'nonMigrated',
    atActivation: null,
    amountsValidation: null,
    current: { periodicPayment: null, autopayEnabled: false, duration: 36, specificDays: ['15'] },
    atOrigination: {
      amountFinanced: 10_000,
      principalAmount: 10_000,
      personAddress: { city: 'Springfield' },
      interestRates: [{ interestType: 'absolute', days: null, rate: 0.05 }],
      fees: { originationFeeAmount: 0, dynamicFees: [] },
    },
    timestamps: { activatedAt: null, originatedAt: '2024-01-15T17:00:00.000Z' },
  });
  t.match(await h.query('loan.get', 'ext-L-1'), loan);
});

test('all faults of a new loan are named at once', async (t) => {
  const { h, personId, loanTypeId } = await openSetting();
  const refusal = await h.refusal('loan.create', personId, {
    ...loanBody(loanTypeId),
    mainBorrowerId: 'BO-ZZZZ-ZZZZ',
    atOrigination: {
      amountFinanced: 100,
      paymentFrequency: 'monthly',
      specificDays: [40],
      interestRates: [
        { days: null, rate: 0.1 },
        { days: null, rate: -0.2 },
      ],
      originationLicense: 'none',
      originatingCreditorName: 'x',
      investors: [{ investorId: 'IR-AAAA-AAAA', share: 0.5 }],
      fees: { dynamicFees: [{ feeAmount: 3 }] },
    },
  });
  t.equal(refusal.statusCode, 400);
  t.same(refusal.errors.map((fault) => fault.path).sort(), [
    'atOrigination.duration',
    'atOrigination.fees.dynamicFees[0].apiName',
    'atOrigination.interestRates[0].days',
    'atOrigination.interestRates[1].rate',
    'atOrigination.investors',
    'atOrigination.personAddress',
    'atOrigination.specificDays',
    'mainBorrowerId',
  ]);
});

test('what stored configuration refuses is 422, a taken external id 409', async (t) => {
  const { h, personId, loanTypeId, create } = await openSetting({ schedule: { allowedFrequencies: ['weekly', 'monthly'] } });
  await create({ externalId: 'taken' });
  const ask = { params: { personId } };
  t.equal((await h.refusal('loan.create', personId, loanBody(loanTypeId, { externalId: 'taken' }), ask)).errorType, 'duplicate');
  t.equal((await h.refusal('loan.create', personId, loanBody('LT-AAAA-AAAA'), ask)).statusCode, 422);
  const wrong = await h.refusal(
    'loan.create',
    personId,
    loanBody(loanTypeId, {
      labels: [{ id: 'LL-AAAA-AAAA' }],
      additionalPeople: [{ personId, loanRelationType: 'coBorrower' }],
      atOrigination: { paymentFrequency: 'twiceMonthly', specificDays: [1, 15] },
    } as object),
    ask,
  );
  t.equal(wrong.statusCode, 422);
  t.same(
    wrong.errors.map((fault) => fault.path),
    ['labels[0]', 'additionalPeople[0].personId', 'atOrigination.paymentFrequency'],
  );
});

test('an illegal action names the status and the legal ones', async (t) => {
  const { h, create } = await openSetting();
  const loan = await create();
  const refusal = await h.refusal('loan.freeze', loan.id);
  t.equal(refusal.errorType, 'invalidState');
  t.match(refusal.message, /originated.*active/);
});

test('freezing stops interest, unfreezing starts it again', async (t) => {
  const { h, active, goTo } = await openSetting();
  const loan = await active();
  await goTo('2024-01-25');
  t.match(await h.data('loan.freeze', loan.id), { status: 'frozen', timestamps: { frozenAt: '2024-01-25T17:00:00.000Z' } });
  await goTo('2024-02-05');
  const frozen = await h.query('loan.balances', loan.id);
  t.match(frozen, { outstandingBalances: { outstandingInterestAmount: '13.6986301370', outstandingPrincipalAmount: 10_000 } });
  t.match(await h.data('loan.unfreeze', loan.id), { paymentFrequency: 'monthly', specificDays: ['15'] });
  t.match(await h.query('loan.get', loan.id), { status: 'active' });
  await goTo('2024-02-06');
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingInterestAmount: '15.0684931507' } });
});

test('acceleration makes everything due and its reversal accrues the days between', async (t) => {
  const { h, active, goTo } = await openSetting();
  const loan = await active();
  await goTo('2024-02-01');
  const accelerated = await h.data('loan.accelerate', loan.id, { effectiveDate: '2024-01-25' });
  t.match(accelerated, { acceleratedAmount: 10_013.7, operationId: undefined });
  t.match(await h.query('loan.get', loan.id), { status: 'accelerated', timestamps: { acceleratedAt: /^2024-01-2[56]T/ } });
  t.match(itemsOf(await h.query('loan.statusHistory', loan.id))[0], { newStatus: 'accelerated', effectiveDate: '2024-01-25' });
  t.match(await h.data('loan.reverseAccelerate', loan.id), { reversedAcceleratedAmount: 10_013.7 });
  t.match(itemsOf(await h.query('loan.statusHistory', loan.id))[0], { newStatus: 'active', effectiveDate: '2024-02-01' });
  const balances = await h.query('loan.balances', loan.id, { isRounded: true });
  t.match(balances, { outstandingBalances: { outstandingInterestAmount: 23.29 } });
});

test('a charge-off passes through accelerated, and its reason can be explained', async (t) => {
  const setting = await openSetting();
  const { h, active, goTo } = setting;
  const loan = await active();
  await goTo('2024-02-01');
  t.match(await h.data('loan.chargeOff', loan.id, { chargedOffReason: 'bankruptcy' }), { chargeOffAmount: 10_023.29 });
  t.match(await h.query('loan.get', loan.id), { status: 'chargedOff', chargedOffReason: 'bankruptcy' });
  t.match(await h.query('loan.balances', loan.id), { chargedOffBalances: { chargedOffTotalAmount: 10_023.29 }, outstandingBalances: {} });
  t.match(await h.data('loan.update', loan.id, { chargedOffReason: 'legal' }), { chargedOffReason: 'legal' });
  const history = itemsOf(await h.query('loan.statusHistory', loan.id)).map((change) => change['newStatus']);
  t.same(history, ['chargedOff', 'accelerated', 'active', 'originated']);
  t.match(await h.data('loan.reverseChargeOff', loan.id), { reversedChargeOffAmount: 10_023.29 });
  t.match(await h.query('loan.get', loan.id), { status: 'active', chargedOffReason: null });
});

test('a preview shows what booking would do and changes nothing', async (t) => {
  const { h, active } = await openSetting();
  const loan = await active();
  const before = await h.query('loan.get', loan.id);
  t.match(await h.data('loan.accelerate', loan.id, { previewMode: true }), { acceleratedAmount: 10_000 });
  t.same(await h.query('loan.get', loan.id), before);
});

test('days overdue are published every day, and the late fee is charged on its day', async (t) => {
  const setting = await openSetting();
  const { h, active, goTo, loanTypeId } = setting;
  await h.command(
    'feeType.create',
    h.company,
    {
      name: { displayName: 'Late fee', apiName: 'lateFee' },
      feeType: 'lateFee',
      amountLogic: 'fixed',
      amount: 25,
      trigger: 'overdueDays',
      triggerDays: 15,
    },
    { params: { loanTypeId } },
  );
  const loan = await active();
  await goTo('2024-02-18');
  t.match(await h.query('loan.obligations', loan.id), {
    isOverdue: true,
    overdueAmount: 299.72,
    daysOverdue: 3,
    obligations: [{ dueDate: '2024-02-15', isOverdue: true, remainingAmount: 299.72 }, { isOpen: true }],
  });
  await goTo('2024-03-02');
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingLateFeesAmount: 25 } });
  await h.command('loan.refresh', loan.id);
  const types = await eventTypes(setting, loan.id);
  t.equal(types.filter((type) => type === 'loan.overdue').length, 1);
  t.equal(types.filter((type) => type === 'loan.latefee.booked').length, 1);
  t.equal(types.filter((type) => type === 'loan.overdue.update').length, 15);
  t.ok(types.includes('loan.created') && types.includes('loan.statuschanged') && types.includes('loan.period.started'));
});

test('a loan is served the same after a restart', async (t) => {
  const { h, active, goTo } = await openSetting();
  const loan = await active();
  await goTo('2024-04-01');
  await h.command('loan.refresh', loan.id);
  const before = await h.query('loan.get', loan.id);
  const balances = await h.query('loan.balances', loan.id);
  await h.restart();
  t.same(await h.query('loan.get', loan.id), before);
  t.same(await h.query('loan.balances', loan.id), balances);
});

test('a loan activated in the past stands where a year of days would have brought it', async (t) => {
  const { h, active } = await openSetting({}, '2025-01-20');
  const loan = await active({}, { activationDate: '2024-01-15' });
  t.match(loan, {
    status: 'active',
    atActivation: { startDate: '2024-01-15' },
    current: { isOverdue: true, daysOverdue: 340, overdueAmount: 3596.64 },
  });
  const types = await eventTypes({ h } as Setting, loan.id);
  t.equal(types.filter((type) => type === 'loan.overdue').length, 1, 'only the net difference is published');
});

test('terms are free while pending and read-only once originated', async (t) => {
  const { h, create } = await openSetting();
  const pending = await create({ status: 'pending' });
  t.match(await h.data('loan.update', pending.id, { atOrigination: { amountFinanced: 5000, principalAmount: 5000 } }), {
    atOrigination: { amountFinanced: 5000, duration: 36, personAddress: { city: 'Springfield' } },
  });
  t.match(await h.data('loan.update', pending.id, { status: 'originated' }), { status: 'originated' });
  const { atOrigination } = await h.query('loan.get', pending.id);
  t.match(
    await h.data('loan.update', pending.id, { atOrigination, nickname: 'Car' }),
    { nickname: 'Car' },
    'unchanged terms are no change',
  );
  const refused = await h.refusal('loan.update', pending.id, { atOrigination: { amountFinanced: 1 } });
  t.equal(refused.statusCode, 400);
  t.equal((await h.refusal('loan.update', pending.id, { status: 'active' })).statusCode, 409);
  const forced = { query: { force: true }, permissions: ['loan:update.force'] };
  t.match(await h.data('loan.update', pending.id, { atOrigination: { amountFinanced: 6000 } }, forced), {
    atOrigination: { amountFinanced: 6000 },
  });
});

test('lists filter, page and sort', async (t) => {
  const { h, create, active, personId, goTo } = await openSetting();
  const first = await create({ externalId: 'a' });
  await goTo('2024-01-16');
  const second = await active({ externalId: 'b' });
  const ids = async (query: object): Promise<readonly string[]> => itemsOf(await h.query('loan.list', null, query)).map((loan) => loan.id);
  t.same(await ids({}), [second.id, first.id]);
  t.same(await ids({ statuses: ['active'] }), [second.id]);
  t.same(await ids({ sortBy: ['createdAt'] }), [first.id, second.id]);
  t.same(await ids({ limit: 1, startingAfter: 'ext-b' }), [first.id]);
  t.same(await ids({ createdAtAfter: '2024-01-15T17:00:00Z' }), [second.id]);
  t.same(await ids({ createdAtBefore: '2024-01-15T17:00:00.000Z' }), []);
  t.same(await ids({ dueDate: '2024-02-15' }), [second.id]);
  t.match(itemsOf(await h.query('loan.list', null, { fields: 'idsOnly', statuses: ['originated'] })), [
    {
      id: first.id,
      externalId: 'a',
      mainBorrowerId: personId,
      mainBorrowerExternalId: 'ada',
      lockStatus: 'unlocked',
      migrationStatus: 'nonMigrated',
    },
  ]);
  const own = await h.query('loan.listOfPerson', null, { status: ['originated'] }, { params: { personId: 'ext-ada' } });
  t.same(
    itemsOf(own).map((loan) => loan.id),
    [first.id],
  );
});

test('a co-borrower finds the loan under their own name', async (t) => {
  const { h, create } = await openSetting();
  const other = await h.data('person.create', null, {});
  const loan = await create({ additionalPeople: [{ personId: other.id, loanRelationType: 'coBorrower' }] });
  const list = await h.query('loan.listOfPerson', null, { includeAdditionalBorrowers: true }, { params: { personId: other.id } });
  t.match(itemsOf(list), [{ id: loan.id, additionalBorrowers: [{ id: other.id, relationType: 'coBorrower' }] }]);
  t.match(await h.query('loan.get', loan.id, {}, { params: { personId: other.id } }), { id: loan.id });
  await h.command('loan.update', loan.id, { additionalPeople: null });
  t.same(itemsOf(await h.query('loan.listOfPerson', null, {}, { params: { personId: other.id } })), []);
});

test('a charge-off with a past date has passed through accelerated too', async (t) => {
  const { h, active, goTo } = await openSetting();
  const loan = await active();
  await goTo('2024-02-20');
  const reply = await h.data('loan.chargeOff', loan.id, { chargedOffReason: 'fraudulent', effectiveDate: '2024-01-25' });
  t.match(reply, { chargeOffAmount: 10_013.7 });
  const events = itemsOf(
    await h.query('event.list', null, { loanId: loan.id, order: 'asc', limit: 100, eventType: ['loan.statuschanged'] }),
  );
  t.match(
    events.slice(-2).map((event) => event['data']),
    [
      { oldStatus: 'active', newStatus: 'accelerated', effectiveDate: '2024-01-25', isReplay: true },
      { oldStatus: 'accelerated', newStatus: 'chargedOff', effectiveDate: '2024-01-25', reason: 'fraudulent', isReplay: true },
    ],
  );
});

test('days overdue accelerate a loan and charge it off by themselves', async (t) => {
  const { h, active, goTo } = await openSetting({ accelerationDueWithin: 30, chargeOffDueWithin: 60 });
  const loan = await active();
  await goTo('2024-03-16');
  t.match(await h.query('loan.get', loan.id), { status: 'accelerated', current: { overdueAmount: 10_083.57 } });
  await goTo('2024-04-15');
  t.match(await h.query('loan.get', loan.id), { status: 'chargedOff', chargedOffReason: 'term' });
  const changes = itemsOf(await h.query('loan.statusHistory', loan.id));
  t.match(changes[0], { newStatus: 'chargedOff', effectiveDate: '2024-04-15', reason: 'term', createdBy: { userType: 'system' } });
  t.match(
    itemsOf(
      await h.query(
        'loan.listOfPerson',
        null,
        { status: ['chargedOff'], chargeOffBalance: 'hasBalance' },
        { params: { personId: 'ext-ada' } },
      ),
    ),
    [{ id: loan.id }],
  );
});

test('a command without effect answers an operation that is known', async (t) => {
  const { h, active } = await openSetting();
  const { id } = await active();
  for (let times = 0; times < 2; times++) {
    const { operationId = '' } = await h.command('loan.refresh', id);
    t.match(await h.query('operation.get', null, {}, { params: { operationId } }), { operationId, status: 'succeeded', loanId: id });
  }
});
