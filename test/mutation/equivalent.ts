import {
  type Equivalent,
  equivalent,
  SAME_OF_EQUALS,
  PAST_THE_END,
  ONLY_SLOWER,
  SAME_PRODUCT,
  NOTHING_TO_MOVE,
  ONE_OF_EACH,
} from './equivalent-entry.js';
import { BY_INSTALLMENT } from './equivalent-scheduled.js';
import { IN_LINES } from './equivalent-lines.js';
import type { Mistake } from './mistakes.js';

/*
 * Mistakes that change nothing: no input gives another figure. `npm run mutate` counts them apart. Each names its place by what stands
 * there, so that lines may move; an entry that means no place any more is refused.
 */

const SAME_AT_ZERO = 'Nothing is nothing with either sign.';
const NEVER_EMPTY = 'A text that was filled up with zeros is never empty.';
const LOOKED_AT_DAILY = 'An overdue ledger is looked at on each further day, and finds no threshold to reach.';
const ONLY_A_DIFFERENCE = 'Entries are differences of two readings: what holds the place of another balance is the same in both.';
const EXACT_EITHER_WAY = 'At the bound itself both ways of multiplying are exact.';
const BOUND_REACHED_SOONER = 'Within the bound the ledger with caps is the one without: computing those only takes longer.';
const ONE_NUMBER_EACH = 'No two facts have one number.';
const KNOWN_BY_THEN = 'What was not known in time bounds rows up to its recording, and these are looked at in any case.';
const NO_CASE = 'Facts without a case are passed by, as those of this case are.';
const NO_CASE_IS_FALSE = 'A fact without a case has no answer, which is as good as false.';
const WHOLE_QUARTERS = 'Days begin, and clocks are moved, on whole quarters of an hour: nothing is left to round.';

/** Kinds of facts that are looked at for what they say of others, each with what is written for it. */
const SAYING_OF_OTHERS = {
  paymentVoided: 'ratesChanged',
  paymentMoved: 'paymentSettled',
  chargebackReversed: 'dueDateDeferred',
  reverseAccelerate: 'reverseChargeOff',
  reverseChargeOff: 'scheduleChanged',
  feeCanceled: 'feeChanged',
  advanceCanceled: 'cancel',
  refundCanceled: 'reimbursed',
  feeChanged: 'feeCharged',
  scraDaysSet: 'thresholdsHeld',
  originationFeeChanged: 'payment',
};

/** Kinds of facts that say nothing of others. */
const BY_THEMSELVES = {
  payment: 'paymentChargedBack',
  accelerate: 'advance',
  advance: 'advanceCanceled',
  cancel: 'chargeOff',
  chargeOff: 'chargebackReversed',
  dueDateDeferred: 'feeCanceled',
  feeCharged: 'freeze',
  freeze: 'originationFeeChanged',
  paymentChargedBack: 'paymentMoved',
  paymentSettled: 'paymentVoided',
  ratesChanged: 'reamortized',
  reamortized: 'refund',
  reimbursed: 'reverseAccelerate',
  scheduleChanged: 'scraDaysSet',
  thresholdsHeld: 'thresholdsReleased',
  thresholdsReleased: 'unfreeze',
  unfreeze: 'accelerate',
};

export const EQUIVALENT: readonly Equivalent[] = [
  ...IN_LINES,
  ...BY_INSTALLMENT,
  ...Object.entries(SAYING_OF_OTHERS).map(([before, after]) =>
    equivalent('engine/ledger/installment/arrange.ts', 'text', `"${before}"`, `"${after}"`, `\n      case "${before}":`, NO_CASE),
  ),
  ...Object.entries(BY_THEMSELVES).map(([before, after]) =>
    equivalent('engine/ledger/installment/arrange.ts', 'text', `"${before}"`, `"${after}"`, `\n    case "${before}":`, NO_CASE_IS_FALSE),
  ),
  equivalent(
    'engine/ledger/installment/count-in-order.ts',
    'boundary',
    '>',
    '>=',
    'if (countedCents > 0) fulfil(',
    'Money of nothing meets no obligation.',
  ),
  equivalent(
    'engine/ledger/installment/start.ts',
    'removed',
    'return;',
    ';',
    'if (amountCents === 0) return;',
    'A fee of nothing changes no balance, and an entry without a change is not made.',
  ),
  equivalent('engine/money/accrued.ts', 'boundary', '<', '<=', 'const size = Number(scaled < 0n', SAME_AT_ZERO),
  equivalent(
    'engine/money/accrued.ts',
    'boundary',
    '<=',
    '<',
    'size <= Number.MAX_SAFE_INTEGER',
    'The largest safe integer is printed the same from its digits.',
  ),
  equivalent('engine/money/cents.ts', 'boundary', '<', '<=', 'const least =', SAME_OF_EQUALS),
  equivalent('engine/money/cents.ts', 'boundary', '>', '>=', 'const greatest =', SAME_OF_EQUALS),
  equivalent('engine/money/cents.ts', 'constant', '0', '1', '|| 0', NEVER_EMPTY),
  equivalent('engine/money/rate.ts', 'constant', '0', '1', '|| 0', NEVER_EMPTY),
  equivalent('engine/money/rounding.ts', 'boundary', '<', '<=', 'const negative = numerator < 0n', SAME_AT_ZERO),
  equivalent('engine/calendar/due-date-rule.ts', 'boundary', '<', '<=', 'days: a < b', 'Two days that are the same were refused before.'),
  equivalent('engine/calendar/zone.ts', 'function', 'floor', 'ceil', 'let low = Math.floor(from', WHOLE_QUARTERS),
  equivalent('engine/calendar/zone.ts', 'function', 'ceil', 'floor', 'let high = Math.ceil(to', WHOLE_QUARTERS),
  equivalent(
    'engine/calendar/zone.ts',
    'function',
    'floor',
    'ceil',
    'const middle =',
    'Halves are looked for until they are neighbors: either middle leads there.',
  ),
  equivalent(
    'engine/ledger/installment/accrue.ts',
    'arguments',
    'segment.net, units',
    'units, segment.net',
    'simpleInterest(principalCents, segment.net, units)',
    SAME_PRODUCT,
  ),
  equivalent(
    'engine/ledger/installment/accrue.ts',
    'arguments',
    'segment.gross, units',
    'units, segment.gross',
    'simpleInterest(principalCents, segment.gross, units)',
    SAME_PRODUCT,
  ),
  equivalent(
    'engine/ledger/installment/accrue.ts',
    'arguments',
    'segment.net, units',
    'units, segment.net',
    'compoundedInterest(base, segment.net, units)',
    SAME_PRODUCT,
  ),
  equivalent(
    'engine/ledger/installment/accrue.ts',
    'arguments',
    'segment.gross, units',
    'units, segment.gross',
    'compoundedInterest(base, segment.gross, units)',
    SAME_PRODUCT,
  ),
  equivalent('engine/ledger/installment/coming-days.ts', 'condition', 'threshold === null', 'false', 'threshold === null', LOOKED_AT_DAILY),
  equivalent(
    'engine/ledger/core/fact-order.ts',
    'boundary',
    '>',
    '>=',
    'fact.effective.day > state.lastFactDay',
    'Equal days were told apart before.',
  ),
  equivalent(
    'engine/ledger/core/fact-order.ts',
    'boundary',
    '>',
    '>=',
    'fact.effective.seconds > state.lastFactSeconds',
    'Equal times were told apart before.',
  ),
  equivalent(
    'engine/ledger/installment/overdue.ts',
    'boundary',
    '<',
    '<=',
    'let at = state.firstUnenforced; at < state.obligations.length',
    PAST_THE_END,
  ),
  equivalent(
    'engine/ledger/installment/overdue.ts',
    'boundary',
    '<',
    '<=',
    'let at = state.firstOpenObligation; at < state.obligations.length',
    PAST_THE_END,
  ),
  equivalent(
    'engine/ledger/installment/coming-days.ts',
    'boundary',
    '<',
    '<=',
    'let at = state.firstUnenforced; at < state.obligations.length',
    PAST_THE_END,
  ),
  equivalent(
    'engine/ledger/installment/late-fees.ts',
    'boundary',
    '<',
    '<=',
    'let at = ledger.firstOpenObligation; at < ledger.obligations.length',
    PAST_THE_END,
  ),
  equivalent(
    'engine/ledger/installment/plain-course.ts',
    'condition',
    'obligation.remainingCents > 0',
    'true',
    'if (obligation.remainingCents > 0)',
    ONLY_SLOWER,
  ),
  equivalent(
    'engine/ledger/installment/late-fees.ts',
    'boundary',
    '<',
    '<=',
    'upToCents < obligationCents',
    'What all of the obligation earns is compared in any case.',
  ),
  equivalent(
    'engine/ledger/installment/reamortize.ts',
    'condition',
    'prepaid.feeAskedCents > 0 && !isNothingPrepaid(prepaid)',
    'true',
    'prepaid.feeAskedCents > 0',
    ONLY_SLOWER,
  ),
  equivalent('engine/ledger/installment/plain-rows.ts', 'condition', 'gross !== net', 'true', 'gross !== net', ONLY_SLOWER),
  equivalent('engine/ledger/installment/demand.ts', 'arithmetic', '-', '+', 'const accruedCents =', BOUND_REACHED_SOONER),
  equivalent('engine/ledger/installment/demand.ts', 'constant', '2', '3', 'const accruedCents =', BOUND_REACHED_SOONER),
  equivalent('engine/ledger/installment/demand.ts', 'boundary', '<', '<=', 'spareCents < accruedCents', BOUND_REACHED_SOONER),
  equivalent('engine/ledger/installment/demand.ts', 'constant', '2', '3', 'accruedCents * 2 && isCapitalized', BOUND_REACHED_SOONER),
  equivalent('engine/ledger/installment/demand.ts', 'boolean', '&&', '||', 'spareCents < accruedCents', BOUND_REACHED_SOONER),
  equivalent(
    'engine/ledger/installment/demand.ts',
    'condition',
    'row.isInterestOnly === true',
    'true',
    'state.isCapMissing = true',
    BOUND_REACHED_SOONER,
  ),
  equivalent(
    'engine/ledger/installment/demand.ts',
    'condition',
    'spareCents < accruedCents || spareCents < accruedCents * 2 && isCapitalized(state)',
    'true',
    'spareCents < accruedCents',
    BOUND_REACHED_SOONER,
  ),
  equivalent('engine/ledger/installment/hindsight.ts', 'boundary', '>', '>=', 'compareFacts(fact, change) > 0', ONE_NUMBER_EACH),
  equivalent('engine/ledger/installment/cycle.ts', 'sign', '-1', '1', 'const arrangement = knownArrangement(', KNOWN_BY_THEN),
  equivalent('engine/ledger/installment/cycle.ts', 'constant', '1', '0', 'const arrangement = knownArrangement(', KNOWN_BY_THEN),
  equivalent(
    'engine/ledger/installment/read-obligations.ts',
    'condition',
    'state.status === "active" || state.status === "frozen"',
    'true',
    'const row =',
    'A loan of another status projects no row.',
  ),
  equivalent(
    'engine/ledger/installment/record.ts',
    'condition',
    'accrual.until <= from || accrual.from > to',
    'false',
    'accrual.until <= from',
    ONLY_SLOWER,
  ),
  equivalent('engine/amortization/amortize.ts', 'arguments', '0, tried', 'tried, 0', 'input.dueDates.slice(', ONLY_SLOWER),
  equivalent('engine/ledger/installment/advance.ts', 'boundary', '>', '>=', 'next > state.day + 1', SAME_OF_EQUALS),
  equivalent('engine/ledger/installment/derived-entry.ts', 'constant', '0', '1', '    0,', ONLY_A_DIFFERENCE),
  equivalent('engine/ledger/installment/fold.ts', 'boundary', '<', '<=', 'passage.newest.sequence < fact.sequence', ONE_NUMBER_EACH),
  equivalent('engine/ledger/installment/overdue.ts', 'boolean', '&&', '||', 'state.openFeesCents > 0 && state.fees.some(', NOTHING_TO_MOVE),
  equivalent('engine/ledger/installment/overdue.ts', 'boundary', '>', '>=', 'state.openFeesCents > 0 && state.fees.some(', NOTHING_TO_MOVE),
  equivalent('engine/ledger/installment/plain-rows.ts', 'condition', 'until <= day', 'false', 'until <= day', ONLY_SLOWER),
  equivalent('engine/ledger/installment/plain-rows.ts', 'boundary', '<=', '<', 'until <= day', ONLY_SLOWER),
  equivalent('engine/ledger/installment/plain-rows.ts', 'removed', 'continue;', ';', 'until <= day', ONLY_SLOWER),
  equivalent('engine/ledger/core/interest.ts', 'boundary', '>', '>=', 'growth > LARGEST_GROWTH ||', EXACT_EITHER_WAY),
  equivalent('engine/ledger/installment/fulfil.ts', 'boundary', '<', '<=', 'let at = first; at < obligations.length', PAST_THE_END),
  equivalent(
    'engine/ledger/installment/count-in-order.ts',
    'removed',
    'return;',
    ';',
    'if (state.obligations.length === 0) return;',
    'Without obligations nothing is above them.',
  ),
  equivalent(
    'engine/ledger/installment/growing-history.ts',
    'condition',
    'coming !== void 0',
    'true',
    'if (coming !== void 0)',
    'What is laid aside at the end is never taken up.',
  ),
  equivalent(
    'engine/ledger/installment/estimate-level.ts',
    'default',
    'growths[row] ?? 0',
    'growths[row]',
    'growths[row] ?? 0',
    'Each row has its growth.',
  ),
  equivalent('engine/ledger/installment/reamortize.ts', 'constant', '1', '0', 'rounding.paymentMultipleCents !== 1', ONLY_SLOWER),
  equivalent(
    'engine/ledger/installment/kept/book.ts',
    'function',
    'find',
    'findLast',
    'rates.segments.find(',
    'The first fact of each book replaces this rate, from the same day on (`firstFacts`).',
  ),
  equivalent(
    'engine/ledger/installment/caps.ts',
    'condition',
    'most === null || amountCents < most',
    'true',
    'amountCents < most',
    'What joins later finds no more than what had bounded it before.',
  ),
  equivalent('engine/ledger/installment/caps.ts', 'boundary', '<', '<=', 'amountCents < most', SAME_OF_EQUALS),
  equivalent('engine/ledger/installment/caps.ts', 'function', 'find', 'findLast', 'caps.find(', ONE_OF_EACH),
  equivalent('engine/ledger/installment/caps.ts', 'function', 'find', 'findLast', 'cap?.amounts.find(', ONE_OF_EACH),
  equivalent('engine/ledger/installment/compute.ts', 'boundary', '>', '>=', 'recordedDay > last', SAME_OF_EQUALS),
  equivalent(
    'engine/ledger/installment/growing-history.ts',
    'removed',
    'this.#layAside(passage, at);',
    ';',
    'this.#layAside(passage, at)',
    ONLY_SLOWER,
  ),
  equivalent('engine/ledger/installment/coming-days.ts', 'boundary', '<', '<=', 'const earliest =', SAME_OF_EQUALS),
  equivalent(
    'engine/ledger/installment/growing-history.ts',
    'default',
    'joined?.effective.day ?? this.#terms.activation',
    'joined?.effective.day',
    'const day = joined?.effective.day',
    'Before the first change joins no ledger is laid aside.',
  ),
  equivalent('engine/ledger/core/idle-days.ts', 'boundary', '<', '<=', 'const start =', SAME_OF_EQUALS),
  equivalent('engine/ledger/core/idle-days.ts', 'boundary', '>', '>=', 'const end =', SAME_OF_EQUALS),
];

export const isEquivalent = (mistake: Mistake, { file, kind, before, after, within }: Equivalent): boolean =>
  mistake.file === file &&
  mistake.kind === kind &&
  mistake.before === before &&
  mistake.after === after &&
  `\n${mistake.within}`.includes(within);
