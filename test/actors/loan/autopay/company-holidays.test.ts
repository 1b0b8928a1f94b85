import { test } from 'tap';
import { openAutopay } from './setting.js';

test('a payment of a day on which the company is closed goes out on its next business day, and counts from its own', async (t) => {
  const s = await openAutopay();
  await s.h.command(
    'company.update',
    s.h.company,
    { config: { calendar: { holidays: ['2024-02-15', '2024-02-16'] } } },
    { permissions: ['*'] },
  );
  await s.create();
  await s.pass('2024-02-16');
  t.match(await s.made(), [{ status: 'scheduled' }], 'closed on the 15th and 16th, then a weekend and a federal holiday');
  await s.pass('2024-02-20');
  t.match(await s.made(), [{ status: 'initiated', timestamps: { effectiveDate: '2024-02-15' } }]);
  await s.pass('2024-02-22');
  t.match(await s.loan(), { current: { isOverdue: false } });
});

test('hold days of a payment pass over the days on which the company is closed', async (t) => {
  const ends: string[] = [];
  for (const holidays of [null, ['2024-02-06', '2024-02-07']]) {
    const s = await openAutopay();
    await s.h.command('company.update', s.h.company, { config: { calendar: { holidays } } }, { permissions: ['*'] });
    await s.pass('2024-02-05');
    const made = await s.pay({ amount: 50 });
    ends.push(String(made['holdDaysEndDate']));
  }
  t.same(ends, ['2024-02-12', '2024-02-14']);
});
