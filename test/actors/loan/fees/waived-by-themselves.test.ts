import { test } from 'tap';
import { itemsOf } from '../../harness.js';
import { openSetting, type Setting } from '../setting.js';

const late = { name: { displayName: 'Late', apiName: 'late' }, feeType: 'lateFee', amountLogic: 'fixed', amount: 30, triggerDays: 5 };
const member = { name: { displayName: 'Year', apiName: 'year' }, feeType: 'serviceFee', amountLogic: 'fixed', amount: 7 };
const wire = { name: { displayName: 'Wire', apiName: 'wire' }, feeType: 'adHoc', amountLogic: 'fixed', amount: 25, trigger: 'manual' };

async function openWith(
  ...feeTypes: readonly object[]
): Promise<Setting & { loanId: string; fees(): Promise<readonly string[]>; events(type: string): Promise<number> }> {
  const s = await openSetting();
  for (const feeType of feeTypes) await s.h.command('feeType.create', s.h.company, feeType, { params: { loanTypeId: s.loanTypeId } });
  const { id: loanId } = await s.active();
  return {
    ...s,
    loanId,
    fees: async () =>
      itemsOf(await s.h.query('loanFee.list', loanId, { limit: 100 }))
        .map((fee) =>
          [fee['scheduledDate'], (fee['dynamicFeeDetails'] as Record<string, unknown>)['apiName'], fee['status']].map(String).join(' '),
        )
        .sort(),
    events: async (eventType) => itemsOf(await s.h.query('event.list', null, { loanId, eventType: [eventType], limit: 100 })).length,
  };
}

const SERVICE = { startDate: '2024-02-18', endDate: '2024-03-18' };

test('military service that is recorded late waives what came by itself meanwhile, and what was ordered by hand stays', async (t) => {
  const s = await openWith(late, member, wire);
  await s.goTo('2024-02-25');
  await s.h.command('loanFee.charge', s.loanId, { apiName: 'wire' });
  await s.goTo('2024-03-30');
  const before = await s.fees();
  t.same(before, [
    '2024-01-15 year booked',
    '2024-02-15 year booked',
    '2024-02-20 late booked',
    '2024-02-25 wire booked',
    '2024-03-15 year booked',
    '2024-03-20 late booked',
  ]);
  const preview = await s.h.data('loanScra.add', s.loanId, { ...SERVICE, previewMode: true });
  t.same(await s.fees(), before, 'a preview waives nothing');
  t.ok(preview);
  await s.h.command('loanScra.add', s.loanId, SERVICE);
  t.same(await s.fees(), [
    '2024-01-15 year booked',
    '2024-02-15 year booked',
    '2024-02-20 late canceled',
    '2024-02-25 wire booked',
    '2024-03-15 year canceled',
    '2024-03-20 late booked',
  ]);
  t.equal(await s.events('loan.fee.canceled'), 2);
  t.match(await s.h.query('loan.balances', s.loanId, { isRounded: true }), { outstandingBalances: { outstandingFeesAmount: 69 } });
  await s.h.restart();
  const after = await s.fees();
  await s.h.command('loanScra.remove', s.loanId);
  t.same(await s.fees(), before, 'without the service they were owed');
  t.not(after, before);
});

test('during known military service no automatic fee is charged or published, unless its type says otherwise', async (t) => {
  const s = await openWith(late, { ...member, waiveDuringScra: false });
  await s.h.command('loanScra.add', s.loanId, { startDate: '2024-02-01', endDate: '2024-02-29' });
  await s.goTo('2024-02-25');
  t.same(await s.fees(), ['2024-01-15 year booked', '2024-02-15 year booked', '2024-02-20 late canceled']);
  t.equal(await s.events('loan.latefee.booked'), 0);
  t.equal(await s.events('loan.servicefee.booked'), 2);
  await s.goTo('2024-03-21');
  t.equal(await s.events('loan.latefee.booked'), 1, 'the next due date lies after the service');
});

test('a frozen loan bears the fees of types that are not waived while it is frozen', async (t) => {
  const s = await openWith(
    late,
    { ...late, name: { displayName: 'Hard', apiName: 'hard' }, amount: 3, triggerDays: 10, waiveWhileFrozen: false },
    { ...member, waiveWhileFrozen: false },
  );
  await s.goTo('2024-02-17');
  await s.h.command('loan.freeze', s.loanId, {});
  await s.goTo('2024-03-20');
  t.same(await s.fees(), ['2024-01-15 year booked', '2024-02-15 year booked', '2024-02-25 hard booked']);
  await s.h.command('loan.unfreeze', s.loanId, { shiftDueDates: true });
  await s.goTo('2024-03-30');
  t.same(
    (await s.fees()).filter((fee) => fee.includes('hard')),
    ['2024-02-25 hard booked'],
    'once for a due date',
  );
});
