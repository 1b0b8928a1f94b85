import { test } from 'tap';
import { addDays, formatDay, isBusinessDay, must, parseDay } from '../../../../engine/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { live, madeOf, OWN_RULES, remembers, shownOf, START } from './lives.js';
import { type AutopaySetting, openAutopay } from './setting.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 3);

const LOAN_RULES = [
  { paymentFrequency: 'monthly', specificDays: [15], duration: 6 },
  { paymentFrequency: 'weekly', specificDays: [1], duration: 20 },
  { paymentFrequency: 'twiceMonthly', specificDays: [5, 20], duration: 11 },
  { paymentFrequency: 'everyTwoWeeks', specificDays: [4], duration: 13 },
];

/** Money of a closed day goes out on the next business day and counts from its own: in between the loan looks late. */
const isWorkday = (text: string): boolean => isBusinessDay(must(parseDay(text), 'a date'));

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`a plan makes just the payments that it has shown, and nothing of the loan is ever late (TENOR_SEED=${seed})`, async (t) => {
    const random = new Random(seed);
    const atOrigination = { ...random.pick(LOAN_RULES), amountFinanced: 1_000 + random.below(900_000) / 100 };
    const s = await openAutopay({ payments: { enablePrepayments: random.below(2) === 0 } }, { atOrigination });
    const plan = await s.create({
      ...random.pick(OWN_RULES),
      ...(random.below(2) === 0 ? { extraAmount: random.below(5_000) / 100 } : {}),
    });
    const shown = shownOf(plan['schedule']);
    const isFirstInTime = await firstIsInTime(s);
    let day = START;
    while ((await s.loan())['status'] === 'active' && day < START + 400) {
      day = addDays(day, 1 + random.below(20));
      await s.pass(formatDay(day));
    }
    t.same(madeOf(await s.made()), shown, 'what was shown is what was made');
    t.match(await s.loan(), { status: 'paidOff' });
    const late = (await s.eventTypes()).filter((type) => type === 'loan.overdue');
    if (isFirstInTime && shown.every((payment) => isWorkday(String(payment.date)))) t.same(late, [], 'never overdue');
    t.same(s.h.reports, []);
  });
}

/** Whether a date of the plan lies before the first due date, or on it. */
async function firstIsInTime(s: AutopaySetting): Promise<boolean> {
  const [first] = await s.payments('booked');
  const { current } = (await s.loan()) as unknown as { readonly current: { readonly nextDueDate: string } };
  return first !== undefined && String(first['date']) <= current.nextDueDate;
}

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + 1_000 + run;
  test(`plans live through whatever happens to their loan, and remember it (TENOR_SEED=${seed})`, async (t) => {
    const random = new Random(seed);
    const s = await openAutopay({
      autopay: {
        includeOverdue: random.below(2) === 0,
        retry: { maxAttempts: random.below(3), daysBetween: 1 + random.below(5) },
        maxConsecutiveFailures: 1 + random.below(3),
      },
    });
    await live(s, random);
    const { status, current } = (await s.loan()) as unknown as {
      readonly status: string;
      readonly current: { readonly autopayEnabled: boolean };
    };
    if (!['active', 'frozen'].includes(status)) t.equal(current.autopayEnabled, false, `a loan that is ${status} has no plan`);
    await remembers(t, s);
  });
}
