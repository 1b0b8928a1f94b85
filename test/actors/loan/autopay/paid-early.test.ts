import { test } from 'tap';
import { external } from '../transactions/setting.js';
import { openAutopay, openLineAutopay } from './setting.js';

test('autopay takes nothing for an installment that was paid two weeks before its date', async (t) => {
  const s = await openAutopay();
  await s.create();
  await s.pass('2024-02-01');
  await s.h.command('transaction.create', s.loanId, external({ status: 'succeeded', amount: 299.72 }), {
    permissions: ['*'],
    params: { personId: s.personId },
  });
  await s.pass('2024-02-28');
  t.same(await s.made(), [], 'nothing is taken for 15 February');
  t.match(await s.loan(), { current: { isOverdue: false, daysOverdue: 0 } });
  await s.pass('2024-03-15');
  t.match(await s.made(), [{ actualAmount: 299.72, timestamps: { effectiveDate: '2024-03-15' } }]);
});

test('autopay takes nothing for a minimum payment that was paid before its statement', async (t) => {
  for (const [asked, most] of [
    [{ amountType: 'minimumDueAmount' }, 0],
    [{ amountType: 'fixedAmount', fixedAmount: 120 }, 80],
  ] as const) {
    const s = await openLineAutopay();
    await s.buy(1_000);
    await s.create(asked);
    await s.pass('2024-01-22');
    await s.h.command('transaction.create', s.loanId, external({ status: 'succeeded', amount: 120 }), {
      permissions: ['*'],
      params: { personId: s.personId },
    });
    await s.pass('2024-02-20');
    const made = await s.made();
    const taken = made.reduce((sum, { actualAmount }) => sum + Number(actualAmount), 0);
    t.ok(taken <= most, `${asked.amountType}: ${taken}`);
    t.match(await s.loan(), { current: { isOverdue: false } });
  }
});
