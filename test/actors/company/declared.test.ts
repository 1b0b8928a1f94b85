import { test } from 'tap';
import { companyModule, type CompanyState, feeTypeOf, feeTypesOf, loanLabelOf } from '../../../actors/company/index.js';
import { must } from '../../../engine/index.js';
import { Harness, itemsOf } from '../harness.js';

const open = async (): Promise<{ h: Harness; loanTypeId: string }> => {
  const h = await Harness.open(() => [companyModule]);
  await h.makeCompany();
  const { id } = await h.data('loanType.create', h.company, { type: 'installment', name: 'A' });
  return { h, loanTypeId: id };
};

const stateOf = (h: Harness): CompanyState =>
  must(h.engine.world.find({ company: h.company, mode: 'test' }, 'company', h.company), 'the company').state as CompanyState;

const LATE_FEE = { name: { displayName: 'Late fee', apiName: 'late' }, feeType: 'lateFee', amount: 15 };

test('a late fee type is triggered by overdue days and has the contract’s grace period', async (t) => {
  const { h, loanTypeId } = await open();
  const created = await h.data('feeType.create', h.company, LATE_FEE, { params: { loanTypeId } });
  t.match(created, {
    object: 'feeType',
    companyId: h.company,
    loanTypeId,
    status: 'active',
    amountLogic: 'fixed',
    amount: 15,
    trigger: 'overdueDays',
    triggerDays: 15,
    toleranceAmount: 0,
    chargeLogic: 'immediate',
    waiveDuringScra: true,
    waiveWhileFrozen: true,
    isCancelOnReversal: false,
  });
  t.match(feeTypeOf(stateOf(h), loanTypeId, 'late'), { id: created.id, amount: 1500, triggerDays: 15 });
});

test('each amount logic requires the fields that it uses', async (t) => {
  const { h, loanTypeId } = await open();
  const refusal = await h.refusal(
    'feeType.create',
    h.company,
    { ...LATE_FEE, amount: null, amountLogic: 'greaterOf', minAmount: 5, maxAmount: 2 },
    { params: { loanTypeId } },
  );
  t.same(
    refusal.errors.map(({ path }) => path),
    ['amount', 'percentage', 'percentageBase', 'maxAmount'],
  );
  const tiers = [
    { upToAmount: 100, amount: 5 },
    { upToAmount: 50, amount: 10 },
  ];
  const tiered = await h.refusal(
    'feeType.create',
    h.company,
    { ...LATE_FEE, amountLogic: 'tiered', percentageBase: 'overdueAmount', tiers },
    { params: { loanTypeId } },
  );
  t.same(
    tiered.errors.map(({ path }) => path),
    ['tiers'],
  );
});

test('the name of a fee type is unique in its loan type', async (t) => {
  const { h, loanTypeId } = await open();
  const other = await h.data('loanType.create', h.company, { type: 'installment', name: 'B' });
  await h.data('feeType.create', h.company, LATE_FEE, { params: { loanTypeId } });
  t.equal((await h.refusal('feeType.create', h.company, LATE_FEE, { params: { loanTypeId } })).errorType, 'duplicate');
  await h.data('feeType.create', h.company, LATE_FEE, { params: { loanTypeId: other.id } });
  t.equal(feeTypesOf(stateOf(h), loanTypeId).length, 1);
});

test('a fee type can be changed and deactivated, never removed', async (t) => {
  const { h, loanTypeId } = await open();
  const { id } = await h.data('feeType.create', h.company, LATE_FEE, { params: { loanTypeId } });
  const params = { loanTypeId, feeTypeId: id };
  t.match(await h.data('feeType.update', h.company, { amount: 20.5, name: { displayName: 'Late' } }, { params }), {
    amount: 20.5,
    name: { displayName: 'Late', apiName: 'late' },
  });
  t.match(await h.data('feeType.delete', h.company, {}, { params }), { id, status: 'inactive' });
  t.match(await h.query('feeType.list', h.company, {}, { params: { loanTypeId } }), { total: 1 });
  t.equal((await h.refusal('feeType.update', h.company, {}, { params: { loanTypeId, feeTypeId: 'FT-AAAA-AAAA' } })).errorType, 'notFound');
  t.equal((await h.refusal('feeType.create', h.company, LATE_FEE, { params: { loanTypeId: 'LT-AAAA-AAAA' } })).errorType, 'notFound');
});

test('labels are found by both ids, have unique names and can be deleted', async (t) => {
  const { h } = await open();
  const label = await h.data('loanLabel.create', h.company, { externalId: 'vip', name: 'Priority' });
  t.match(loanLabelOf(stateOf(h), 'ext-vip'), { id: label.id, name: 'Priority' });
  t.equal((await h.refusal('loanLabel.create', h.company, { name: 'Priority' })).errorType, 'duplicate');
  await h.data('loanLabel.update', h.company, { externalId: null }, { params: { labelId: 'ext-vip' } });
  t.equal(loanLabelOf(stateOf(h), 'ext-vip'), undefined);
  await h.data('loanLabel.delete', h.company, {}, { params: { labelId: label.id } });
  t.match(await h.query('loanLabel.list', h.company), { items: [], total: 0 });
});

test('lists come newest first, in pages, by creation date', async (t) => {
  const { h } = await open();
  for (const name of ['one', 'two', 'three']) {
    await h.data('loanLabel.create', h.company, { name });
    h.nowMs += 60_000;
  }
  const first = await h.query('loanLabel.list', h.company, { limit: 2 });
  t.match(first, { total: 3, hasMore: true, hasPrevious: false });
  t.same(
    itemsOf(first).map((item) => item['name']),
    ['three', 'two'],
  );
  const next = await h.query('loanLabel.list', h.company, { limit: 2, startingAfter: itemsOf(first)[1]?.id });
  t.same(
    itemsOf(next).map((item) => item['name']),
    ['one'],
  );
  const early = await h.query('loanLabel.list', h.company, { createdBefore: '2026-03-02T15:01:00Z' });
  t.same(
    itemsOf(early).map((item) => item['name']),
    ['one'],
  );
});
