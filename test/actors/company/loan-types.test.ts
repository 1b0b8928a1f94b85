import { test } from 'tap';
import {
  companyModule,
  companyOf,
  type CompanyState,
  currentSettings,
  loanTypeOf,
  loanTypeVersions,
} from '../../../actors/company/index.js';
import { actorModule, type ActorModule } from '../../../actors/index.js';
import { formatDay, must } from '../../../engine/index.js';
import { Harness, itemsOf } from '../harness.js';

/** A substitute for loans, listed with a loan type and a status, which the rules about existing loans need. */
const loanModule: ActorModule = actorModule<{ id: string; loanTypeId: string; status: string; stamp: number }>({
  definition: {
    kind: 'loan',
    prefix: 'LN',
    initial: (id) => ({ id, loanTypeId: '', status: '', stamp: 0 }),
    evolve: (state, fact) => void Object.assign(state, fact.body, { stamp: fact.stamp }),
    clone: (state) => ({ ...state }),
    row: ({ id, loanTypeId, status, stamp }) => ({
      id,
      externalId: null,
      createdStamp: stamp,
      updatedStamp: stamp,
      parentId: null,
      fields: { loanTypeId, status },
    }),
    selects(filter) {
      const { loanTypeId, statuses } = filter as { readonly loanTypeId: string; readonly statuses: readonly string[] };
      return ({ fields }) =>
        fields['loanTypeId'] === loanTypeId && (statuses.includes('all') || statuses.includes(String(fields['status'])));
    },
    pack: (state) => state,
    unpack: (packed) => packed as { id: string; loanTypeId: string; status: string; stamp: number },
  },
  commands: [
    {
      kind: 'loan',
      type: 'loan.create',
      place: { on: 'root' },
      decide: ({ body }) => ({ facts: [{ type: 'LoanCreated', body }], reply: ({ id }) => ({ data: { id } }) }),
    },
  ],
  queries: [],
});

const open = async (): Promise<Harness> => {
  const harness = await Harness.open(() => [companyModule, loanModule]);
  await harness.makeCompany();
  return harness;
};

const stateOf = (h: Harness): CompanyState =>
  must(h.engine.world.find({ company: h.company, mode: 'test' }, 'company', h.company), 'the company').state as CompanyState;

test('a loan type gets all defaults', async (t) => {
  const h = await open();
  const created = await h.data('loanType.create', h.company, { type: 'installment', name: 'Personal loan' });
  t.match(created, {
    object: 'loanType',
    companyId: h.company,
    name: 'Personal loan',
    assetDisplayName: 'Personal loan',
    currency: 'USD',
    status: 'active',
    assetType: 'personalClosedEndUnsecured',
    timezone: null,
    version: 1,
    effectiveDate: null,
    structure: { allowMultipleAdvances: false, revolving: true },
    interest: {
      balanceMethod: 'dailyBalance',
      interestAccrualMethod: 'daily365',
      accrueOn: ['principal'],
      firstDay: 'activationDate',
      minRate: null,
    },
    schedule: { minDaysToFirstDueDate: 0, statementToDueDays: 21, levelPaymentRounding: 'up', nonBusinessDays: 'keep' },
    paymentWaterfall: [
      'overdueFees',
      'overdueInterest',
      'overduePrincipal',
      'dueFees',
      'dueInterest',
      'duePrincipal',
      'nonDueFees',
      'nonDueInterest',
      'nonDuePrincipal',
    ],
    acceleratedWaterfall: ['fees', 'interest', 'principal'],
    chargedOffWaterfall: ['principal', 'interest', 'fees'],
    overpayment: 'reducePrincipal',
    paymentAllowedWhenChargedOff: true,
    payments: { enablePrepayments: false },
    accelerationDueWithin: null,
    chargeOffDueWithin: null,
    delinquency: { overdueToleranceAmount: 0 },
    lateFee: { pyramidingProtection: 'blockOnFeeOnly' },
    holdDays: { ach: 5, card: 0, wire: 0 },
    settleDays: { ach: 3, card: 0 },
    autopay: { includeOverdue: true, retry: { maxAttempts: 0, daysBetween: 3 }, maxConsecutiveFailures: 3 },
    snapshotDaysAfterPayoff: 30,
    smallBalanceForgivenessAmount: 0,
    accrualMethod: 'simple',
    enforceRateLimits: false,
  });
  t.match(await h.query('loanType.get', h.company, {}, { params: { loanTypeId: created.id } }), created);
});

test('fields that a body leaves out are unchanged, and amounts and rates are returned digit by digit', async (t) => {
  const h = await open();
  const { id } = await h.data('loanType.create', h.company, {
    type: 'lineOfCredit',
    assetDisplayName: 'Card',
    interest: { minRate: 0.01, maxRate: 0.35999999, minimumInterestCharge: 0.5 },
    minPayment: { percentageOfPrincipal: 0.02, minAmount: 25 },
    creditLimit: { paymentHoldDays: 7 },
    metro2PortfolioType: 'R',
  });
  const updated = await h.data(
    'loanType.update',
    h.company,
    { interest: { maxRate: null }, schedule: { levelPaymentRounding: 'halfUp' } },
    { params: { loanTypeId: id } },
  );
  t.match(updated, {
    interest: { minRate: 0.01, maxRate: null, minimumInterestCharge: 0.5, interestAccrualMethod: 'daily365' },
    minPayment: { percentageOfPrincipal: 0.02, minAmount: 25, includeInterest: true },
    holdDays: { ach: 7, card: 0 },
    metro2PortfolioType: 'R',
    schedule: { levelPaymentRounding: 'halfUp', lastPaymentLogic: 'absorbRounding' },
  });
});

test('accrual method and balances that bear interest are the same choice', async (t) => {
  const h = await open();
  const compound = await h.data('loanType.create', h.company, { type: 'installment', name: 'A', accrualMethod: 'compound' });
  t.match(compound, { accrualMethod: 'compound', interest: { accrueOn: ['principal', 'interest'] } });
  const byBalances = await h.data('loanType.create', h.company, {
    type: 'installment',
    name: 'B',
    interest: { accrueOn: ['fees', 'principal', 'interest'] },
  });
  t.match(byBalances, { accrualMethod: 'compoundWithFees' });
  const both = await h.refusal('loanType.create', h.company, {
    type: 'installment',
    name: 'C',
    accrualMethod: 'simple',
    interest: { accrueOn: ['principal', 'interest'] },
  });
  t.match(both, { errorType: 'validationError', errors: [{ path: 'interest.accrueOn' }] });
});

test('contradictory settings are refused, and the refusal lists every fault', async (t) => {
  const h = await open();
  const refusal = await h.refusal('loanType.create', h.company, {
    type: 'installment',
    name: 'A',
    interest: { minRate: 0.2, maxRate: 0.1 },
    paymentWaterfall: ['dueFees', 'dueFees'],
    acceleratedWaterfall: ['fees'],
    creditWaterfall: ['dueInterest'],
  });
  t.equal(refusal.errorType, 'validationError');
  t.same(
    refusal.errors.map(({ path }) => path),
    ['interest.maxRate', 'paymentWaterfall', 'acceleratedWaterfall'],
  );
});

test('after the first loan an edit takes effect on the next day, and past settings stay', async (t) => {
  const h = await open();
  const { id } = await h.data('loanType.create', h.company, { type: 'installment', name: 'A', chargeOffDueWithin: 120 });
  await h.data('loanType.update', h.company, { chargeOffDueWithin: 100 }, { params: { loanTypeId: id } });
  t.equal(loanTypeVersions(stateOf(h), id).length, 1, 'without loans there are no past settings to keep');

  await h.data('loan.create', null, { loanTypeId: id, status: 'active' });
  for (const chargeOffDueWithin of [90, 80]) {
    await h.data('loanType.update', h.company, { chargeOffDueWithin }, { params: { loanTypeId: id } });
  }
  const timeline = loanTypeVersions(stateOf(h), id).map(({ from, value }) => [formatDay(from), value.chargeOffDueWithin]);
  t.same(timeline.slice(1), [['2026-03-03', 80]], 'the last edit of a day applies');
  t.same(timeline[0]?.[1], 100);
  t.equal(currentSettings(must(loanTypeOf(stateOf(h), id), 'it')).chargeOffDueWithin, 80);
  t.match(await h.query('loanType.get', h.company, { version: 3 }, { params: { loanTypeId: id } }), {
    version: 3,
    chargeOffDueWithin: 90,
    effectiveDate: '2026-03-03',
  });
});

test('an edit takes effect on the next day of the product’s own zone, so that no day that has begun there changes', async (t) => {
  const h = await open(); // 10:00 on 2026-03-02 in New York
  const { id } = await h.data('loanType.create', h.company, { type: 'installment', name: 'A', timezone: 'Pacific/Auckland' });
  await h.data('loan.create', null, { loanTypeId: id, status: 'active' });
  const params = { loanTypeId: id };
  t.match(await h.data('loanType.update', h.company, { chargeOffDueWithin: 90 }, { params }), { effectiveDate: '2026-03-04' });
});

test('type, currency and time zone are fixed once a loan exists', async (t) => {
  const h = await open();
  const { id } = await h.data('loanType.create', h.company, { type: 'installment', name: 'A' });
  const params = { loanTypeId: id };
  await h.data('loanType.update', h.company, { currency: 'CAD' }, { params });
  await h.data('loan.create', null, { loanTypeId: id, status: 'active' });
  const refusal = await h.refusal('loanType.update', h.company, { currency: 'USD', timezone: 'America/Chicago' }, { params });
  t.equal(refusal.errorType, 'invalidState');
  t.same(
    refusal.errors.map(({ path }) => path),
    ['currency', 'timezone'],
  );
  t.match(await h.data('loanType.update', h.company, { currency: 'CAD', description: 'same' }, { params }), { description: 'same' });
});

test('a loan type cannot be deactivated while it has pending loans', async (t) => {
  const h = await open();
  const { id } = await h.data('loanType.create', h.company, { type: 'installment', name: 'A' });
  const params = { loanTypeId: id };
  const loan = await h.data('loan.create', null, { loanTypeId: id, status: 'pending' });
  t.equal((await h.refusal('loanType.deactivate', h.company, {}, { params })).errorType, 'invalidState');
  t.ok(loan.id);
  const free = await h.data('loanType.create', h.company, { type: 'installment', name: 'B' });
  t.match(await h.data('loanType.deactivate', h.company, {}, { params: { loanTypeId: free.id } }), { status: 'inactive' });
  t.same(
    itemsOf(await h.query('loanType.list', h.company, { status: 'inactive' })).map((item) => item.id),
    [free.id],
  );
});

test('loan types of another company or mode are not found', async (t) => {
  const h = await open();
  const { id } = await h.data('loanType.create', h.company, { type: 'installment', name: 'A' });
  const refusal = await h.refusal('loanType.update', h.company, {}, { params: { loanTypeId: id }, mode: 'live' });
  t.equal(refusal.errorType, 'notFound');
  t.throws(() => companyOf({ read: () => undefined } as never, { company: 'CP-AAAA-AAAA', mode: 'test' }));
});
