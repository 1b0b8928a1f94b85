import type { Test } from 'tap';
import { Refusal } from '../../../../actors/index.js';
import { addDays, type Day, formatDay, must, parseDay } from '../../../../engine/index.js';
import type { Random } from '../../../random.js';
import { type Data, itemsOf } from '../../harness.js';
import { external } from '../transactions/setting.js';
import { agreed, type AutopaySetting } from './setting.js';

export const START = must(parseDay('2024-01-15'), 'a date');

/** The loan's own due dates, then dates that are not. */
export const OWN_RULES = [
  {},
  { paymentFrequency: 'weekly', specificDays: [3] },
  { paymentFrequency: 'everyTwoWeeks', specificDays: [5] },
  { paymentFrequency: 'twiceMonthly', specificDays: [1, 31] },
  { paymentFrequency: 'monthly', specificDays: [28] },
];

/** The payments of a plan, as they are shown and as they were made. */
export const shownOf = (payments: unknown): readonly { readonly date: unknown; readonly amount: unknown }[] =>
  (payments as readonly Data[]).map(({ date, amount }) => ({ date, amount }));

export const madeOf = (made: readonly Data[]): readonly object[] =>
  made.map(({ timestamps, scheduledAmount }) => ({
    date: (timestamps as Readonly<Record<string, unknown>>)['scheduledDate'],
    amount: scheduledAmount,
  }));

const STEPS = 20;

const ORDERS = ['freeze', 'unfreeze', 'unfreeze', 'accelerate', 'reverseAccelerate', 'chargeOff', 'reverseChargeOff', 'cancel'];
const INSTRUMENTS = ['PT-CHEC-KING', 'PT-BOUN-CESS', 'PT-LATE-BACK', 'PT-GONE-GONE'];

/** What only one product knows: bodies of plans, and steps of its own. */
export interface Own {
  readonly plan: () => object;
  readonly steps: readonly ((today: Day) => Promise<unknown>)[];
}

const NOTHING_OWN: Own = { plan: () => ({}), steps: [] };

/** One life of a loan with plans, money of others, failures and orders in between. */
export async function live(s: AutopaySetting, random: Random, own: Own = NOTHING_OWN): Promise<void> {
  let today = START;
  const pick = <Item>(items: readonly Item[]): Item => random.pick(items);
  const day = (within: number): string => formatDay(addDays(today, random.below(within)));
  const params = { personId: s.personId };
  const { id: caseId } = await s.h.data('case.create', s.personId, {});
  const steps: readonly (() => Promise<unknown>)[] = [
    ...own.steps.map((step) => () => step(today)),
    async () => {
      const body = { ...pick(OWN_RULES), ...own.plan(), paymentInstrumentId: pick(INSTRUMENTS), extraAmount: random.below(3) * 10 };
      await s.h.data('autopay.create', s.loanId, agreed({ ...body, previewMode: true }), { permissions: ['*'], params });
      return s.create(body);
    },
    () => s.create({ paymentInstrumentId: pick(INSTRUMENTS) }),
    () => s.cancel(),
    () => s.update({ paymentInstrumentId: pick(INSTRUMENTS) }),
    async () => {
      const payments = await s.payments();
      const id = payments.length === 0 ? 'AE-NONE-NONE' : pick(payments.slice(0, 6)).id;
      return random.below(2) === 0 ? s.onPayment('cancelPayment', id) : s.onPayment('reschedulePayment', id, { date: day(30), caseId });
    },
    () => s.post(external({ amount: 1 + random.below(60_000) / 100, status: 'succeeded' })),
    () =>
      s.h.command(
        `loan.${pick(ORDERS)}`,
        s.loanId,
        { chargedOffReason: 'term', cancellationReason: 'x', shiftDueDates: random.below(2) === 0 },
        { permissions: ['*'], params },
      ),
    () =>
      s.h.command('loan.reamortize', s.loanId, { effectiveDate: day(40), duration: 1 + random.below(30) }, { permissions: ['*'], params }),
    async () => {
      const made = await s.made();
      const action = pick(['update', 'cancel', 'reschedule', 'reverse', 'backdate'] as const);
      const body = {
        status: 'failed',
        failureReason: pick(['insufficientFunds', 'networkError', 'accountClosed']),
        scheduledDate: day(9),
        effectiveDate: formatDay(addDays(today, -random.below(20))),
      };
      const fields = {
        update: { status: body.status, failureReason: body.failureReason },
        cancel: {},
        reverse: {},
        reschedule: { scheduledDate: body.scheduledDate },
        backdate: { effectiveDate: body.effectiveDate },
      };
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

/** All that can be read of the plans and of what they have made. */
const allShown = async (s: AutopaySetting): Promise<readonly unknown[]> => [
  await s.history(),
  await s.payments(),
  await s.made(),
  (await s.loan())['current'],
  itemsOf(await s.h.query('transaction.list', s.loanId, { limit: 100 }, { params: { personId: s.personId } })),
];

/** All that can be read is the same after a restart, and from the journal alone. */
export async function remembers(t: Test, s: AutopaySetting): Promise<void> {
  const before = await allShown(s);
  await s.h.restart();
  t.same(await allShown(s), before, 'the same after a restart');
  s.h.forgetSnapshots();
  await s.h.restart();
  t.same(await allShown(s), before, 'the same from the journal alone');
  t.same(s.h.reports, []);
}
