import { test } from 'tap';
import { Refusal } from '../../../../actors/index.js';
import { addDays, formatDay, isBusinessDay, must, parseDay } from '../../../../engine/index.js';
import { Random, SEED } from '../../../random.js';
import { type Data, itemsOf } from '../../harness.js';
import { external } from '../transactions/setting.js';
import { agreed, type AutopaySetting, openAutopay } from './setting.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 3);
const STEPS = 20;
const START = must(parseDay('2024-01-15'), 'a date');

const OWN_RULES = [
  {},
  { paymentFrequency: 'weekly', specificDays: [3] },
  { paymentFrequency: 'everyTwoWeeks', specificDays: [5] },
  { paymentFrequency: 'twiceMonthly', specificDays: [1, 31] },
  { paymentFrequency: 'monthly', specificDays: [28] },
];

const LOAN_RULES = [
  { paymentFrequency: 'monthly', specificDays: [15], duration: 6 },
  { paymentFrequency: 'weekly', specificDays: [1], duration: 20 },
  { paymentFrequency: 'twiceMonthly', specificDays: [5, 20], duration: 11 },
  { paymentFrequency: 'everyTwoWeeks', specificDays: [4], duration: 13 },
];

const pickOf = <Item>(random: Random, items: readonly Item[]): Item => must(items[random.below(items.length)], 'an item');

/** Money of a closed day goes out on the next business day and counts from its own: in between the loan looks late. */
const isWorkday = (text: string): boolean => isBusinessDay(must(parseDay(text), 'a date'));

const shownOf = (payments: unknown): readonly object[] =>
  (payments as readonly Data[]).map(({ date, amount }) => ({ date, amount }));

const madeOf = (made: readonly Data[]): readonly object[] =>
  made.map(({ timestamps, scheduledAmount }) => ({ date: (timestamps as Readonly<Record<string, unknown>>)['scheduledDate'], amount: scheduledAmount }));

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`a plan makes just the payments that it has shown, and nothing of the loan is ever late (TENOR_SEED=${seed})`, async (t) => {
    const random = new Random(seed);
    const atOrigination = { ...pickOf(random, LOAN_RULES), amountFinanced: 1_000 + random.below(900_000) / 100 };
    const s = await openAutopay({ payments: { enablePrepayments: random.below(2) === 0 } }, { atOrigination });
    const plan = await s.create({ ...pickOf(random, OWN_RULES), ...(random.below(2) === 0 ? { extraAmount: random.below(5_000) / 100 } : {}) });
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
    if (isFirstInTime && shown.every((payment) => isWorkday(String((payment as { date: string }).date)))) t.same(late, [], 'never overdue');
    t.same(s.h.reports, []);
  });
}

/** Whether a date of the plan lies before the first due date, or on it. */
async function firstIsInTime(s: AutopaySetting): Promise<boolean> {
  const [first] = await s.payments('booked');
  const { current } = (await s.loan()) as unknown as { readonly current: { readonly nextDueDate: string } };
  return first !== undefined && String(first['date']) <= current.nextDueDate;
}

const ORDERS = ['freeze', 'unfreeze', 'unfreeze', 'accelerate', 'reverseAccelerate', 'chargeOff', 'reverseChargeOff', 'cancel'];
const INSTRUMENTS = ['PT-CHEC-KING', 'PT-BOUN-CESS', 'PT-LATE-BACK', 'PT-GONE-GONE'];

/** One life of a loan with plans, money of others, failures and orders in between. */
async function live(s: AutopaySetting, random: Random): Promise<void> {
  let today = START;
  const pick = <Item>(items: readonly Item[]): Item => pickOf(random, items);
  const day = (within: number): string => formatDay(addDays(today, random.below(within)));
  const params = { personId: s.personId };
  const steps: readonly (() => Promise<unknown>)[] = [
    async () => {
      const body = { ...pick(OWN_RULES), paymentInstrumentId: pick(INSTRUMENTS), extraAmount: random.below(3) * 10 };
      await s.h.data('autopay.create', s.loanId, agreed({ ...body, previewMode: true }), { permissions: ['*'], params });
      return s.create(body);
    },
    () => s.create({ paymentInstrumentId: pick(INSTRUMENTS) }),
    () => s.cancel(),
    () => s.update({ paymentInstrumentId: pick(INSTRUMENTS) }),
    async () => {
      const payments = await s.payments();
      const id = payments.length === 0 ? 'AE-NONE-NONE' : pick(payments.slice(0, 6)).id;
      return random.below(2) === 0 ? s.onPayment('cancelPayment', id) : s.onPayment('reschedulePayment', id, { date: day(30), caseId: 'CA-AAAA-AAAA' });
    },
    () => s.post(external({ amount: 1 + random.below(60_000) / 100, status: 'succeeded' })),
    () => s.h.command(`loan.${pick(ORDERS)}`, s.loanId, { chargedOffReason: 'term', cancellationReason: 'x', shiftDueDates: random.below(2) === 0 }, { permissions: ['*'], params }),
    () => s.h.command('loan.reamortize', s.loanId, { effectiveDate: day(40), duration: 1 + random.below(30) }, { permissions: ['*'], params }),
    async () => {
      const made = await s.made();
      const action = pick(['update', 'cancel', 'reschedule', 'reverse', 'backdate'] as const);
      const body = { status: 'failed', failureReason: pick(['insufficientFunds', 'networkError', 'accountClosed']), scheduledDate: day(9), effectiveDate: formatDay(addDays(today, -random.below(20))) };
      const fields = { update: { status: body.status, failureReason: body.failureReason }, cancel: {}, reverse: {}, reschedule: { scheduledDate: body.scheduledDate }, backdate: { effectiveDate: body.effectiveDate } };
      return made.length === 0 ? null : s.act(action, pick(made).id, fields[action]);
    },
  ];
  for (let step = 0; step < STEPS; step += 1) {
    if (random.below(2) === 0) {
      today = addDays(today, 1 + random.below(18));
      await s.pass(formatDay(today));
      continue;
    }
    try {
      await pick(steps)();
    } catch (cause) {
      if (!(cause instanceof Refusal) || ![400, 404, 409, 422].includes(cause.statusCode)) throw cause;
    }
  }
}

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + 1_000 + run;
  test(`plans live through whatever happens to their loan, and remember it (TENOR_SEED=${seed})`, async (t) => {
    const random = new Random(seed);
    const s = await openAutopay({ autopay: { includeOverdue: random.below(2) === 0, retry: { maxAttempts: random.below(3), daysBetween: 1 + random.below(5) }, maxConsecutiveFailures: 1 + random.below(3) } });
    await live(s, random);
    const shown = async () => [await s.history(), await s.payments(), await s.made(), (await s.loan())['current'], itemsOf(await s.h.query('transaction.list', s.loanId, { limit: 100 }))];
    const before = await shown();
    const { status, current } = (await s.loan()) as unknown as { readonly status: string; readonly current: { readonly autopayEnabled: boolean } };
    if (!['active', 'frozen'].includes(status)) t.equal(current.autopayEnabled, false, `a loan that is ${status} has no plan`);
    await s.h.restart();
    t.same(await shown(), before, 'the same after a restart');
    s.h.forgetSnapshots();
    await s.h.restart();
    t.same(await shown(), before, 'the same from the journal alone');
    t.same(s.h.reports, []);
  });
}
