import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  advanceTo,
  applyFact,
  balancesOf,
  cents,
  cloneState,
  computeLedger,
  type Day,
  DEFAULT_PAYMENT_WATERFALL,
  type LedgerFact,
  type LedgerState,
  type LedgerTerms,
  nextDueDay,
  obligationsOf,
  overdueOf,
  type Payment,
  payoffOf,
  projectedRows,
  type ScheduleRowView,
  scheduleOf,
} from '../../../../engine/index.js';
import { allHistories, type History, PARAMETERS } from './histories.js';
import { SEED } from '../../../seed.js';
import { keptMoneyHistories, keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { at, day, loan, money, pay, SMALL_LOAN, text } from './loans.js';

function law(
  name: string,
  histories: fc.Arbitrary<History>,
  holds: (history: History) => boolean | void,
  numRuns = PARAMETERS.numRuns,
): void {
  test(name, async (t) => {
    t.comment(`seed ${SEED}`);
    fc.assert(fc.property(histories, holds), { ...PARAMETERS, numRuns });
    t.pass('holds');
  });
}

/** Money at the end of a day. */
const paidOn = (transaction: number, on: Day, amountCents: number): Payment => ({
  ...pay(transaction, '2024-01-01', text(amountCents)),
  effective: { day: on, seconds: 86_399 },
  sequence: transaction,
  recordedDay: on,
});

/** The waterfall pays due balances first, and nothing but the rows falls due. */
const plainly = (terms: LedgerTerms): LedgerTerms => ({
  ...terms,
  settings: terms.settings.map(({ from, value }) => ({
    from,
    value: {
      ...value,
      paymentWaterfall: DEFAULT_PAYMENT_WATERFALL,
      lateFees: [],
      isPrepaymentEnabled: false,
      overdueToleranceCents: cents(0),
      smallBalanceCents: cents(0),
      accelerationDueWithin: null,
      chargeOffDueWithin: null,
    },
  })),
});

/** The ledger after all due and overdue balances are paid; null if the loan is not active, or something is due besides its obligations. */
function currentLedger({ terms, facts, through }: History): LedgerState | null {
  const state = computeLedger(plainly(terms), facts, through);
  if (state.status !== 'active' || state.isCapMissing || state.processingPayments > 0) return null;
  if (
    state.fees.some(
      ({ openCents, dueStatus, carriedBy, knownDay }) =>
        openCents > 0 && (knownDay > state.day || (dueStatus === 'due' && carriedBy === null)),
    )
  )
    return null;
  if (state.obligations.length === 0 && state.dueOriginationFeeCents > 0) return null;
  const { due, overdue } = balancesOf(state);
  const owedCents = due.totalCents + overdue.totalCents;
  if (owedCents > 0) applyFact(state, paidOn(1_000, through, owedCents));
  return state.status === 'active' ? state : null;
}

const figuresOf = ({ ordinal, date, amountCents, principalCents, interestCents, feesCents }: ScheduleRowView): readonly number[] => [
  ordinal,
  date,
  amountCents,
  principalCents,
  interestCents,
  feesCents,
];

law('what the schedule foretells falls due, to the cent, when each row is paid on its day', allHistories, (history) => {
  const state = currentLedger(history);
  if (state === null) return;
  const projected = [...projectedRows(state)].filter(({ amountCents }) => amountCents > 0);
  for (const row of projected) {
    advanceTo(state, row.date);
    const obligation = state.obligations.find(({ ordinal }) => ordinal === row.ordinal);
    if (obligation === undefined) throw new Error(`nothing falls due with row ${row.ordinal}`);
    const { amountCents, principalCents, interestCents, feesCents, prepaidCents, remainingCents } = obligation;
    const fell = [row.ordinal, obligation.dueDay, amountCents, principalCents, interestCents, feesCents];
    if (String(fell) !== String(figuresOf(row)) || prepaidCents !== row.prepaidCents)
      throw new Error(`projected ${figuresOf(row)} and ${row.prepaidCents} in advance, ${fell} and ${prepaidCents} fell due`);
    if (remainingCents > 0) applyFact(state, paidOn(2_000 + row.ordinal, row.date, remainingCents));
  }
});

law('the obligation of the running period is what falls due when nothing happens until then', allHistories, ({ terms, facts, through }) => {
  const state = computeLedger({ ...terms, settings: plainly(terms).settings }, facts, through);
  const open = obligationsOf(state).find(({ isOpen }) => isOpen);
  const row = state.rows[state.nextRow];
  if (state.status !== 'active' || row === undefined || state.isCapMissing) return true;
  if (state.terms.accrualMethod !== 'simple' || balancesOf(state).overdue.totalCents + balancesOf(state).due.totalCents > 0) return true;
  advanceTo(state, row.date);
  const fallen = state.obligations.find(({ ordinal, dueDay }) => ordinal === state.nextRow - 1 && dueDay === row.date);
  if (open === undefined || fallen === undefined) return open === undefined && fallen === undefined;
  return (
    open.obligationCents === fallen.amountCents &&
    open.remainingCents === fallen.remainingCents &&
    open.overpaymentsCents === fallen.prepaidCents
  );
});

law('the day of what is due next is that of the amount', allHistories, ({ terms, facts, through }) => {
  const state = computeLedger(terms, facts, through);
  return nextDueDay(state) === overdueOf(state).nextDueDate;
});

law(
  'with scheduled interest: the next due amount falls due as shown',
  keptMoneyHistories,
  ({ terms, facts, through }) => {
    const state = computeLedger({ ...terms, settings: plainly(terms).settings }, facts, through);
    const { nextDueDate, nextDueCents } = overdueOf(state);
    const { due, overdue } = balancesOf(state);
    const isRecalculated = terms.keeping?.recalculation.type !== 'none';
    if (state.status !== 'active' || due.totalCents + overdue.totalCents > 0 || isRecalculated || nextDueDate === null) return true;
    const until = cloneState(state);
    advanceTo(until, (nextDueDate - 1) as Day);
    if (until.obligations.some(({ isFulfilled }) => !isFulfilled)) return false;
    advanceTo(state, nextDueDate);
    return state.obligations.at(-1)?.remainingCents === nextDueCents;
  },
  Math.ceil(PARAMETERS.numRuns / 20),
);

law('the payoff amount of a day, paid on that day, leaves nothing, whatever the status', allHistories, ({ terms, facts, through }) => {
  const state = computeLedger(terms, facts, through);
  const on = (through + 5) as Day;
  const { payoffCents } = payoffOf(state, on);
  if (payoffCents === 0 || state.fees.some(({ openCents, knownDay }) => openCents > 0 && knownDay > on)) return true;
  const isProcessing = state.processingPayments > 0;
  advanceTo(state, on);
  const { status } = state;
  const paid = cloneState(state);
  const isWhole = status === 'chargedOff' || status === 'accelerated' || allBuckets(paid);
  if (!isWhole) return true;
  applyFact(paid, paidOn(1_000, on, payoffCents));
  const left = balancesOf(paid);
  if (left.outstanding.totalCents + left.chargedOff.totalCents > 0) return false;
  return (
    (paid.payments.at(-1)?.overCents ?? 0) === 0 && (isProcessing || paid.status === (status === 'chargedOff' ? 'chargedOff' : 'paidOff'))
  );
});

/** Whether payments and credits can pay all balances. */
const allBuckets = ({ terms }: LedgerState): boolean =>
  terms.settings.every(({ value }) => value.paymentWaterfall.length === DEFAULT_PAYMENT_WATERFALL.length);

const ahead = loan({ ...SMALL_LOAN, settings: { isPrepaymentEnabled: true } });

const fee = (sequence: number, date: string, amount: string): LedgerFact => ({
  type: 'feeCharged',
  fee: sequence,
  feeTypeId: 'FY-LETT-ERXX',
  kind: 'otherFee',
  chargeLogic: 'nextDueDate',
  amountCents: money(amount),
  effective: at(date),
  sequence,
  recordedDay: day(date),
});

test('money paid in advance pays no fee that falls due with the row, and the next due amount is shown', async (t) => {
  // The row of 15 March is 109.76; 109.76 ahead meet it, and a fee of 10.00 falls due with it.
  const facts = [pay(1, '2024-02-15', '219.52'), fee(2, '2024-02-20', '10.00')];
  const state = computeLedger(ahead, facts, day('2024-03-01'));
  t.match(overdueOf(state), { nextDueDate: day('2024-03-15'), nextDueCents: 1_000 });
  t.match(obligationsOf(state).at(-1), { isOpen: true, remainingCents: 1_000, isFulfilled: false, overpaymentsCents: 10_976 });
  const fallen = obligationsOf(computeLedger(ahead, facts, day('2024-03-15')))
    .filter(({ isOpen }) => !isOpen)
    .at(-1);
  t.match(fallen, { remainingCents: 1_000, overpaymentsCents: 10_976 });
});

test('money in advance pays the next installment, and then the last ones', async (t) => {
  const terms = keptTerms(loan(SMALL_LOAN), { ...PLAIN_KEEPING, excess: 'last' });
  const state = computeLedger(terms, [pay(1, '2024-01-25', '250.00')], day('2024-02-01'));
  const [, second] = scheduleOf(state);
  t.match(overdueOf(state), { nextDueDate: day('2024-03-15'), nextDueCents: second?.amountCents });
  t.match(obligationsOf(state).at(-1), {
    dueDay: day('2024-02-15'),
    remainingCents: 0,
    overpaymentsCents: 11_002,
    isFulfilled: true,
  });
});

test('a period without an amount has no obligation, and not that of the next period', async (t) => {
  const free = loan({ ...SMALL_LOAN, rate: '0' });
  const facts = [
    {
      type: 'scheduleChanged',
      dueDates: [day('2024-02-15'), day('2024-03-15'), day('2024-04-15')],
      payment: { type: 'level' },
      rowTerms: [{ type: 'interestOnly' }],
      effective: at('2024-01-25'),
      sequence: 1,
      recordedDay: day('2024-01-25'),
    },
  ] as const;
  const state = computeLedger(free, facts, day('2024-02-01'));
  t.same(obligationsOf(state), []);
  t.match(overdueOf(state), { nextDueDate: day('2024-03-15'), nextDueCents: 60_000 });
});
