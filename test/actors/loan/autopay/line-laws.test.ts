import { test } from 'tap';
import { addDays, formatDay } from '../../../../engine/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { live, madeOf, type Own, OWN_RULES, remembers, shownOf, START } from './lives.js';
import { type LineAutopaySetting, openLineAutopay } from './setting.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 3);

const LINE_RULES = [
  { paymentFrequency: 'monthly', specificDays: [15] },
  { paymentFrequency: 'twiceMonthly', specificDays: [5, 20] },
  { paymentFrequency: 'everyTwoWeeks', specificDays: [4] },
];

const someTerms = (random: Random): object => {
  const amountType = random.pick(['minimumDueAmount', 'statementBalance', 'fixedAmount', 'outstandingBalance']);
  return amountType === 'fixedAmount' ? { amountType, fixedAmount: 10 + random.below(30_000) / 100 } : { amountType };
};

const product = (random: Random): object => ({
  schedule: { statementToDueDays: random.pick([7, 12]) },
  grace: { isGracePeriodApplicable: random.below(2) === 0 },
  payments: { enablePrepayments: random.below(2) === 0 },
  autopay: {
    includeOverdue: random.below(2) === 0,
    retry: { maxAttempts: random.below(3), daysBetween: 1 + random.below(5) },
    maxConsecutiveFailures: 1 + random.below(3),
  },
  freezeAllowedForLineOfCredit: true,
});

const buys = (s: LineAutopaySetting, random: Random): Promise<unknown> => s.buy(1 + random.below(90_000) / 100);

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`the plan of a line makes just the payments that it has shown (TENOR_SEED=${seed})`, async (t) => {
    const random = new Random(seed);
    const s = await openLineAutopay(product(random), { atOrigination: random.pick(LINE_RULES) });
    t.teardown(() => s.h.engine.close());
    await buys(s, random);
    let day = addDays(START, random.below(60));
    await s.pass(formatDay(day));
    await buys(s, random);
    const plan = await s.create({
      ...random.pick(OWN_RULES),
      ...someTerms(random),
      ...(random.below(2) === 0 ? { extraAmount: random.below(5_000) / 100 } : {}),
    });
    const shown = shownOf(plan['schedule']);
    const last = addDays(day, 250);
    while (day < last) {
      day = addDays(day, 1 + random.below(20));
      await s.pass(formatDay(day));
    }
    t.same(
      madeOf(await s.made()),
      shown.filter(({ date }) => String(date) <= formatDay(day)),
      'what was shown is what was made',
    );
    t.same(s.h.reports, []);
  });
}

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + 1_000 + run;
  test(`plans live through whatever happens to their line, and remember it (TENOR_SEED=${seed})`, async (t) => {
    const random = new Random(seed);
    const s = await openLineAutopay(product(random), { atOrigination: random.pick(LINE_RULES) });
    t.teardown(() => s.h.engine.close());
    const own: Own = {
      plan: () => someTerms(random),
      steps: [
        () => buys(s, random),
        () =>
          s.h.data(
            'loan.changeDueDates',
            s.loanId,
            { dueDatesFrequency: 'monthly', specificDays: [1 + random.below(31)] },
            { permissions: ['*'], params: { personId: s.personId } },
          ),
      ],
    };
    await live(s, random, own);
    await remembers(t, s);
  });
}
