import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  balancesOf,
  type Bucket,
  cents,
  computeLedger,
  type Day,
  DEFAULT_PAYMENT_WATERFALL,
  type LedgerFact,
  type LedgerState,
  type LedgerTerms,
} from '../../../../engine/index.js';
import { PaymentList } from '../../../../engine/ledger/installment/payment-list.js';
import { allHistories, type History, PARAMETERS, termsHistories } from './histories.js';
import { SEED } from '../../../seed.js';
import { pay, text } from './loans.js';

function law<Drawn>(name: string, drawn: fc.Arbitrary<Drawn>, holds: (value: Drawn) => boolean | void): void {
  test(name, async (t) => {
    t.comment(`seed ${SEED}`);
    fc.assert(fc.property(drawn, holds), PARAMETERS);
    t.pass('holds');
  });
}

/**
 * All figures of a ledger that are shown, except the start of its status, the year in which interest of frozen days was entered, and a
 * closing row for a balance that existed only for a moment.
 */
const shown = (state: LedgerState): string => {
  const fees = state.fees.filter(({ isCanceled }) => !isCanceled);
  const rows = state.rows.filter(({ isClosing }) => isClosing !== true);
  const {
    interestAndFees: { interestAccruedYearToDate, ...interestAndFees },
    ...balances
  } = balancesOf(state);
  const parts = [
    state.day,
    state.status,
    balances,
    interestAndFees,
    state.obligations,
    state.payments,
    fees,
    rows,
    state.prepaidCents,
    state.isOverdue,
  ];
  return JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
};

type NewFact = LedgerFact extends infer Fact
  ? Fact extends LedgerFact
    ? Omit<Fact, 'effective' | 'sequence' | 'recordedDay'>
    : never
  : never;

/** Facts that are recorded one after the other at the end of a day. */
const factsOn = (day: Day, facts: readonly NewFact[]): readonly LedgerFact[] =>
  facts.map((fact, position) => ({ ...fact, effective: { day, seconds: 86_399 }, sequence: 1_000 + position, recordedDay: day }));

const LATER_DAYS = 45;

/** Whether a history continues like another one, on its last day and later. */
function goesOnAs({ terms, facts, through }: History, done: readonly NewFact[], instead: readonly NewFact[]): boolean {
  return [through, addDays(through, LATER_DAYS)].every((day) => {
    const one = computeLedger(terms, [...facts, ...factsOn(through, done)], day);
    const other = computeLedger(terms, [...facts, ...factsOn(through, instead)], day);
    if (shown(one) !== shown(other)) throw new Error(`DIFF\n${shown(one)}\n${shown(other)}`);
    return true;
  });
}

const feeCharged = (amountCents: number): NewFact => ({
  type: 'feeCharged',
  fee: 900,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: cents(amountCents),
  chargeLogic: 'nextDueDate',
});
const amount = fc.integer({ min: 1, max: 200_000 });

law('thresholds that are held and released at once leave no trace', allHistories, (history) =>
  goesOnAs(
    history,
    [
      { type: 'thresholdsHeld', holder: 'CS-9' },
      { type: 'thresholdsReleased', holder: 'CS-9' },
    ],
    [],
  ),
);

law(
  'an advance, a refund and a fee that are taken back leave no trace',
  fc.tuple(allHistories, amount, fc.boolean()),
  ([history, amountCents, isFlag]) => {
    const { principalCents } = history.terms;
    const advance: NewFact = {
      type: 'advance',
      advance: 900,
      amountCents: cents(amountCents),
      reamortization: isFlag ? 'sameEndDate' : 'keepAmounts',
    };
    const refund: NewFact = {
      type: 'refund',
      transaction: 900,
      amountCents: cents(amountCents),
      fullCents: principalCents,
      isOriginationFeeRefunded: isFlag,
      areLateFeesCanceled: isFlag,
      areOtherFeesCanceled: !isFlag,
    };
    return (
      goesOnAs(history, [advance, { type: 'advanceCanceled', advance: 900 }], []) &&
      goesOnAs(history, [refund, { type: 'refundCanceled', transaction: 900 }], []) &&
      goesOnAs(history, [feeCharged(amountCents), { type: 'feeCanceled', fee: { type: 'charged', fee: 900 } }], [])
    );
  },
);

law('a fee whose amount is changed is one that was charged so', fc.tuple(allHistories, amount, amount), ([history, before, after]) => {
  return goesOnAs(
    history,
    [feeCharged(before), { type: 'feeChanged', fee: { type: 'charged', fee: 900 }, amountCents: cents(after) }],
    [feeCharged(after)],
  );
});

/** Reversals cancel the order in force, and prevent automatic ones. */
const withoutOrders = ({ terms, facts, ...history }: History): History => ({
  ...history,
  terms: {
    ...terms,
    settings: terms.settings.map(({ from, value }) => ({
      from,
      value: { ...value, accelerationDueWithin: null, chargeOffDueWithin: null },
    })),
  },
  facts: facts.filter(({ type }) => !['accelerate', 'reverseAccelerate', 'chargeOff', 'reverseChargeOff'].includes(type)),
});

law('an acceleration and a charge-off that are reversed at once leave no trace', allHistories.map(withoutOrders), (history) => {
  const accelerated: readonly NewFact[] = [{ type: 'accelerate' }, { type: 'reverseAccelerate' }];
  // A frozen loan is active after the reversal of its charge-off.
  const isFrozen = computeLedger(history.terms, history.facts, history.through).status === 'frozen';
  return (
    goesOnAs(history, accelerated, []) &&
    (isFrozen || goesOnAs(history, [{ type: 'chargeOff', reason: 'legal' }, { type: 'reverseChargeOff' }], []))
  );
});

law(
  'a freezing that nothing falls due in leaves no trace when its interest is booked',
  fc.tuple(termsHistories, fc.integer({ min: 0, max: 40 })),
  ([{ terms, facts, through }, days]) => {
    const state = computeLedger(terms, facts, through);
    const until = addDays(through, days);
    const isQuiet =
      state.status === 'active' &&
      state.obligations.every(({ remainingCents }) => remainingCents === 0) &&
      (state.rows[state.nextRow]?.date ?? until + 1) > until;
    const hasNewSettings = terms.settings.some(({ from }) => from > through && from <= until);
    if (!isQuiet || hasNewSettings) return true;
    const [freeze] = factsOn(through, [{ type: 'freeze' }]);
    const [unfreeze] = factsOn(until, [{ type: 'unfreeze', retroactivelyAccrueInterest: true, shiftDueDates: false }]);
    if (freeze === undefined || unfreeze === undefined) return true;
    const frozen = [...facts, freeze, { ...unfreeze, sequence: 1_001 }];
    return [until, addDays(until, LATER_DAYS)].every((day) => {
      const [one, other] = [computeLedger(terms, frozen, day), computeLedger(terms, facts, day)];
      if (shown(one) !== shown(other)) throw new Error(`DIFF\n${shown(one)}\n${shown(other)}`);
      return true;
    });
  },
);

/**
 * If money pays non-due balances while others are due, it counts toward the due ones, which become non-due. The next payment then
 * finds other balances than the rest of the same payment would. This cannot happen if due balances are paid first.
 */
const isDueFirst = (waterfall: readonly Bucket[]): boolean => {
  const isAhead = waterfall.filter((bucket) => !bucket.endsWith('Fees')).map((bucket) => bucket.startsWith('nonDue'));
  return !isAhead.some((isEarly, at) => !isEarly && isAhead[at - 1] === true);
};

/**
 * An interest-only row depends on the amount expected before the payment, and an origination fee on the money ahead: the first
 * part of a payment changes both.
 */
const isAskingTheSame = ({ terms, facts }: History): boolean =>
  terms.originationFee.amountCents === 0 && !facts.some(({ type }) => type === 'scheduleChanged');

const isAllDueFirst = ({ terms }: History): boolean =>
  terms.settings.every(({ value }) => isDueFirst(value.paymentWaterfall) && isDueFirst(value.creditWaterfall));

const exactly = ({ terms, ...history }: History): History => ({
  ...history,
  terms: {
    ...terms,
    settings: terms.settings.map(({ from, value }) => ({
      from,
      value: { ...value, overdueToleranceCents: cents(0), smallBalanceCents: cents(0) },
    })),
  },
});

law(
  'money in two parts at one time is the money in one',
  fc.tuple(
    allHistories.filter((history) => isAllDueFirst(history) && isAskingTheSame(history)).map(exactly),
    amount,
    amount,
    fc.constantFrom('payment' as const, 'credit' as const),
    fc.boolean(),
  ),
  ([history, first, second, kind, isAhead]) => {
    const { terms, facts, through } = history;
    const payment = (transaction: number, amountCents: number): NewFact => ({
      type: 'payment',
      transaction,
      kind,
      amountCents: cents(amountCents),
      isPrepaymentEnabled: isAhead,
      isProcessing: true,
    });
    const state = (done: readonly NewFact[]): LedgerState => computeLedger(terms, [...facts, ...factsOn(through, done)], through);
    const summed = ({ payments, fees, ...rest }: LedgerState): LedgerState => ({
      ...rest,
      // A fee that left its obligation before it was paid belongs to no obligation.
      fees: fees.map((fee) => (fee.openCents > 0 ? fee : { ...fee, carriedBy: null, dueStatus: 'due' })),
      payments: PaymentList.of(payments.filter(({ transaction }) => transaction < 900)),
    });
    const one = summed(state([payment(900, first + second)]));
    const two = summed(state([payment(900, first), payment(901, second)]));
    if (shown(one) !== shown(two)) throw new Error(`DIFF\n${shown(one)}\n${shown(two)}`);
  },
);

/**
 * Payments without money ahead, in the usual order, under the rule that a late fee does not cause another one. Without small balances,
 * which would be forgiven without late fees; with one tolerance; without an origination fee, which money besides late fees would have
 * lowered; and without capitalization, since late fees leave more unpaid interest.
 */
const protectedLoan = ({ terms, facts, ...history }: History): History => ({
  ...history,
  terms: {
    ...terms,
    originationFee: { amountCents: cents(0), logic: 'spread' },
    settings: terms.settings.map(({ from, value }) => ({
      from,
      value: {
        ...value,
        capitalization: 'none',
        isPrepaymentEnabled: false,
        paymentWaterfall: DEFAULT_PAYMENT_WATERFALL,
        creditWaterfall: DEFAULT_PAYMENT_WATERFALL,
        lateFeePyramiding: 'blockOnFeeOnly',
        smallBalanceCents: cents(0),
        overdueToleranceCents: terms.settings[0]?.value.overdueToleranceCents ?? cents(0),
      },
    })),
  },
  facts: facts.map((fact) => (fact.type === 'payment' ? { ...fact, isPrepaymentEnabled: null } : fact)),
});

const withoutLateFees = (terms: LedgerTerms): LedgerTerms => ({
  ...terms,
  settings: terms.settings.map(({ from, value }) => ({ from, value: { ...value, lateFees: [] } })),
});

/** Payments of about the amount of a row, a little late. */
const nearly = fc.array(fc.record({ daysLate: fc.integer({ min: 0, max: 8 }), lessCents: fc.constantFrom(0, 0, 20, 45, 300) }), {
  minLength: 14,
  maxLength: 14,
});

const paidNearly = (
  { terms, facts, through }: History,
  habits: readonly { readonly daysLate: number; readonly lessCents: number }[],
): readonly LedgerFact[] => [
  ...facts,
  ...terms.rows.flatMap((row, position) => {
    const { daysLate, lessCents } = habits[position] ?? { daysLate: 0, lessCents: 0 };
    const day = addDays(row.date, daysLate);
    const factPosition = { effective: { day, seconds: 40_000 }, sequence: 2_000 + position, recordedDay: day };
    return day > through || row.amountCents <= lessCents
      ? []
      : [{ ...pay(2_000 + position, '2024-01-01', text(row.amountCents - lessCents)), ...factPosition }];
  }),
];

law(
  'a row that would be met without late fees earns none',
  fc.tuple(termsHistories.map(protectedLoan), nearly, fc.nat(4)),
  ([{ facts, ...history }, habits, others]) => {
    const through = addDays(history.through, 90);
    const all = paidNearly({ ...history, facts: facts.slice(0, others), through }, habits);
    const state = computeLedger(history.terms, all, through);
    const without = withoutLateFees(history.terms);
    for (const { kind, obligation, chargeDay, isCanceled } of state.fees) {
      if (kind !== 'lateFee' || obligation === null || isCanceled) continue;
      // The fee is charged before any payment on its day.
      const [booked, met] = [history.terms, without].map((terms) => computeLedger(terms, all, addDays(chargeDay, -1)));
      if (booked === undefined || met === undefined) return;
      const isSame = booked.obligations.every(({ baseCents }, position) => met.obligations[position]?.baseCents === baseCents);
      const counterpart = met.obligations.find(({ ordinal }) => ordinal === obligation);
      if (isSame && counterpart?.isFulfilled === true)
        throw new Error(`row ${obligation} is met without late fees and earns one on ${chargeDay}`);
    }
  },
);
