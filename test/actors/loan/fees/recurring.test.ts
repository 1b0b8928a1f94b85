import { test } from 'tap';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { type Data, itemsOf } from '../../harness.js';
import { openSetting, type Setting } from '../setting.js';

const LIVES = 6;
const STEPS = 14;

const iso = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** What may happen to a loan on a day; what is refused does not happen. */
const STEP_KINDS: readonly ((s: Setting, id: string, random: Random, day: number) => Promise<unknown>)[] = [
  ({ h }, id) => h.command('loan.freeze', id, {}),
  ({ h }, id) => h.command('loan.unfreeze', id, {}),
  ({ h }, id) => h.command('loan.unfreeze', id, {}),
  ({ h }, id, random) =>
    h.command('transaction.create', id, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 1 + random.below(400) }),
  ({ h }, id, random) => h.command('loan.changeDueDates', id, { dueDatesFrequency: 'monthly', specificDays: [1 + random.below(28)] }),
  ({ h }, id, random) => h.command('loan.deferSchedule', id, { days: 1 + random.below(9) }),
  ({ h }, id, random, day) => h.command('loan.replay', id, { fromDate: iso(day - random.below(60)) }),
  ({ h }) => h.restart(),
];

const feesOf = async ({ h }: Setting, id: string, apiName: string): Promise<readonly Data[]> =>
  itemsOf(await h.query('loanFee.list', id, { apiName, limit: 100 }));

test('a recurring fee is charged at most once for each period and year, and only while the loan is active', async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  for (let life = 0; life < LIVES; life += 1) {
    const s = await openSetting();
    const type = (apiName: string, feeType: string): Promise<unknown> =>
      s.h.data(
        'feeType.create',
        s.h.company,
        { name: { displayName: apiName, apiName }, feeType, amountLogic: 'fixed', amount: 5 },
        { params: { loanTypeId: s.loanTypeId } },
      );
    await type('service', 'serviceFee');
    await type('member', 'membershipFee');
    const { id } = await s.active();
    let day = Date.parse('2024-01-15') / 86_400_000;
    const idle = new Set<string>();
    for (let step = 0; step < STEPS; step += 1) {
      const until = day + 1 + random.below(55);
      const isActive = (await s.h.query('loan.get', id, {}))['status'] === 'active';
      for (let passed = day + 1; passed <= until; passed += 1) if (!isActive) idle.add(iso(passed));
      day = until;
      await s.goTo(iso(day));
      const happen = STEP_KINDS[random.below(STEP_KINDS.length)];
      await happen?.(s, id, random, day).catch((cause: unknown) => {
        if ((cause as { statusCode?: number }).statusCode === undefined) throw cause;
      });
    }
    for (const apiName of ['service', 'member']) {
      const days = (await feesOf(s, id, apiName)).map((fee) => String(fee['scheduledDate']));
      t.equal(new Set(days).size, days.length, `${apiName}: no day twice`);
      t.same(
        days.filter((charged) => idle.has(charged)),
        [],
        `${apiName}: none while the loan was not active`,
      );
      if (apiName === 'member')
        t.ok(
          days.every((charged) => /^20\d\d-01-15$/.test(charged) && charged > '2024-01-15'),
          'on anniversaries alone',
        );
      else
        t.ok(
          days.includes('2024-01-15') && days.length <= 1 + (day - Date.parse('2024-01-15') / 86_400_000) / 14,
          `${days.length} in ${day} days`,
        );
    }
    const before = await s.h.query('loanFee.list', id, { limit: 100 });
    await s.h.restart();
    t.same(await s.h.query('loanFee.list', id, { limit: 100 }), before, 'a restart finds the same');
    await s.h.engine.close();
  }
});
