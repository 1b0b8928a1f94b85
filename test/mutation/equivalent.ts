import type { Mistake } from './mistakes.js';

/*
 * Mistakes that change nothing: no input gives another figure. `npm run mutate` counts them apart. Each names its place by what stands
 * there, so that lines may move; an entry that means no place any more is refused.
 */

interface Equivalent {
  readonly file: string;
  readonly kind: Mistake['kind'];
  readonly before: string;
  readonly after: string;
  /** What the compiled line contains. */
  readonly within: string;
  readonly reason: string;
}

const SAME_AT_ZERO = 'Nothing is nothing with either sign.';
const SAME_OF_EQUALS = 'Of two equal amounts either is the same.';
const NEVER_EMPTY = 'A text that was filled up with zeros is never empty.';
const PAST_THE_END = 'One place further nothing stands, and that is passed by.';
const ONLY_SLOWER = 'The general course is taken in place of the short one: the same figures, only later.';
const LOOKED_AT_DAILY = 'An overdue ledger is looked at on each further day, and finds no threshold to reach.';
const ASKED_AGAIN_FOR_NOTHING = 'Asking for nothing more leaves a demand as it is.';
const SAME_PRODUCT = 'Rate and days are multiplied with each other, in either order.';
const READ_BY_NOBODY = 'Only the principal of a draw is asked for again, never that of the whole line.';
const ONLY_A_DIFFERENCE = 'Entries are differences of two readings: what holds the place of another balance is the same in both.';
const NOTHING_TO_MOVE = 'Where nothing is due nothing moves: the day is only looked at.';
const EXACT_EITHER_WAY = 'At the bound itself both ways of multiplying are exact.';
const ONE_OF_EACH = 'There is one of each: the first and the last are the same.';
const COUNTED_FOR_BOTH = 'What one draw counts, the line counts too, in either order.';
const LOOKED_AT_AGAIN = 'Holds that have ended are looked at again: they hold nothing.';
const TAKES_NOTHING = 'A draw with nothing in a bucket takes nothing of the money.';
const NOTHING_MOVED = 'Of nothing that is left nothing is moved.';
const NEVER_ADDED = 'What is overdue is not part of this minimum, so that its amount is read by nobody.';
const ASKED_IS_FEES = 'Before anything is asked for, what is asked for are the fees, or all there is.';
const HOLDS_FROM_A_DAY = 'Rates hold from a day on: of two of the same day the later one holds, whether the other is left out or not.';
const READ_APART = 'What purchases and fees of draws say of the past is read apart: it changes nothing of the rest.';
const ALWAYS_RUNNING = 'A line always has a running period.';
const WHOLE_QUARTERS = 'Days begin, and clocks are moved, on whole quarters of an hour: nothing is left to round.';

export const EQUIVALENT: readonly Equivalent[] = [
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
  equivalent('engine/instalments/interest.ts', 'boundary', '<', '<=', 'const end = to < through.until', SAME_OF_EQUALS),
  equivalent(
    'engine/line/meet.ts',
    'boundary',
    '<',
    '<=',
    'let at = state.firstOpenObligation; at < state.obligations.length',
    PAST_THE_END,
  ),
  equivalent('engine/line/accrue.ts', 'boundary', '>', '>=', 'const start = from > draw.interestFrom', SAME_OF_EQUALS),
  equivalent('engine/line/demands.ts', 'condition', 'leftCents <= 0', 'false', 'leftCents <= 0', ASKED_AGAIN_FOR_NOTHING),
  equivalent('engine/line/demands.ts', 'boundary', '<=', '<', 'leftCents <= 0', ASKED_AGAIN_FOR_NOTHING),
  equivalent('engine/line/grace-standing.ts', 'arithmetic', '+', '-', 'sum + standing.principalCents', READ_BY_NOBODY),
  equivalent(
    'engine/replay/accrue.ts',
    'arguments',
    'segment.net, units',
    'units, segment.net',
    'simpleInterest(principalCents, segment.net, units)',
    SAME_PRODUCT,
  ),
  equivalent(
    'engine/replay/accrue.ts',
    'arguments',
    'segment.gross, units',
    'units, segment.gross',
    'simpleInterest(principalCents, segment.gross, units)',
    SAME_PRODUCT,
  ),
  equivalent(
    'engine/replay/accrue.ts',
    'arguments',
    'segment.net, units',
    'units, segment.net',
    'compoundedInterest(base, segment.net, units)',
    SAME_PRODUCT,
  ),
  equivalent(
    'engine/replay/accrue.ts',
    'arguments',
    'segment.gross, units',
    'units, segment.gross',
    'compoundedInterest(base, segment.gross, units)',
    SAME_PRODUCT,
  ),
  equivalent('engine/replay/coming-days.ts', 'condition', 'threshold === null', 'false', 'threshold === null', LOOKED_AT_DAILY),
  equivalent(
    'engine/replay/fact-order.ts',
    'boundary',
    '>',
    '>=',
    'fact.effective.day > state.lastFactDay',
    'Equal days were told apart before.',
  ),
  equivalent(
    'engine/replay/fact-order.ts',
    'boundary',
    '>',
    '>=',
    'fact.effective.seconds > state.lastFactSeconds',
    'Equal times were told apart before.',
  ),
  equivalent(
    'engine/replay/overdue.ts',
    'boundary',
    '<',
    '<=',
    'let at = state.firstUnenforced; at < state.obligations.length',
    PAST_THE_END,
  ),
  equivalent(
    'engine/replay/overdue.ts',
    'boundary',
    '<',
    '<=',
    'let at = state.firstOpenObligation; at < state.obligations.length',
    PAST_THE_END,
  ),
  equivalent(
    'engine/replay/coming-days.ts',
    'boundary',
    '<',
    '<=',
    'let at = state.firstUnenforced; at < state.obligations.length',
    PAST_THE_END,
  ),
  equivalent(
    'engine/replay/late-fees.ts',
    'boundary',
    '<',
    '<=',
    'let at = ledger.firstOpenObligation; at < ledger.obligations.length',
    PAST_THE_END,
  ),
  equivalent(
    'engine/replay/plain-course.ts',
    'condition',
    'obligation.remainingCents > 0',
    'true',
    'if (obligation.remainingCents > 0)',
    ONLY_SLOWER,
  ),
  equivalent(
    'engine/replay/late-fees.ts',
    'boundary',
    '<',
    '<=',
    'upToCents < obligationCents',
    'What all of the obligation earns is compared in any case.',
  ),
  equivalent(
    'engine/replay/reamortize.ts',
    'condition',
    'prepaid.feeAskedCents > 0 && !isNothingPrepaid(prepaid)',
    'true',
    'prepaid.feeAskedCents > 0',
    ONLY_SLOWER,
  ),
  equivalent('engine/replay/plain-rows.ts', 'condition', 'gross !== net', 'true', 'gross !== net', ONLY_SLOWER),
  equivalent('engine/replay/derived-entry.ts', 'constant', '0', '1', '    0,', ONLY_A_DIFFERENCE),
  equivalent('engine/replay/fold.ts', 'boundary', '<', '<=', 'passage.newest.sequence < fact.sequence', 'No two facts have one number.'),
  equivalent('engine/replay/overdue.ts', 'boolean', '&&', '||', 'state.openFeesCents > 0 && state.fees.some(', NOTHING_TO_MOVE),
  equivalent('engine/replay/overdue.ts', 'boundary', '>', '>=', 'state.openFeesCents > 0 && state.fees.some(', NOTHING_TO_MOVE),
  equivalent('engine/line/overdue.ts', 'boolean', '&&', '||', 'hasDue(balances)) || allFees(state).some(', NOTHING_TO_MOVE),
  equivalent('engine/line/overdue.ts', 'boundary', '>', '>=', 'hasDue(balances)) || allFees(state).some(', NOTHING_TO_MOVE),
  equivalent('engine/replay/plain-rows.ts', 'condition', 'until <= day', 'false', 'until <= day', ONLY_SLOWER),
  equivalent('engine/replay/plain-rows.ts', 'boundary', '<=', '<', 'until <= day', ONLY_SLOWER),
  equivalent('engine/replay/plain-rows.ts', 'removed', 'continue;', ';', 'until <= day', ONLY_SLOWER),
  equivalent('engine/replay/interest.ts', 'boundary', '>', '>=', 'growth > LARGEST_GROWTH ||', EXACT_EITHER_WAY),
  equivalent('engine/replay/fulfil.ts', 'boundary', '<', '<=', 'let at = first; at < obligations.length', PAST_THE_END),
  equivalent(
    'engine/replay/count-in-order.ts',
    'removed',
    'return;',
    ';',
    'if (state.obligations.length === 0) return;',
    'Without obligations nothing is above them.',
  ),
  equivalent(
    'engine/replay/growing-history.ts',
    'condition',
    'coming !== void 0',
    'true',
    'if (coming !== void 0)',
    'What is laid aside at the end is never taken up.',
  ),
  equivalent(
    'engine/replay/estimate-level.ts',
    'default',
    'growths[row] ?? 0',
    'growths[row]',
    'growths[row] ?? 0',
    'Each row has its growth.',
  ),
  equivalent(
    'engine/line/demands.ts',
    'removed',
    'return;',
    ';',
    'if (askedCents === void 0) return;',
    'Nothing is above an amount that nobody has named.',
  ),
  equivalent('engine/line/demands.ts', 'removed', 'return;', ';', 'if (excessCents <= 0) return;', 'No less than nothing is taken off.'),
  equivalent('engine/replay/reamortize.ts', 'constant', '1', '0', 'rounding.paymentMultipleCents !== 1', ONLY_SLOWER),
  equivalent('engine/instalments/payable.ts', 'boundary', '<', '<=', 'day < row.dueDay ? day : row.dueDay', SAME_OF_EQUALS),
  equivalent(
    'engine/replay/kept/book.ts',
    'function',
    'find',
    'findLast',
    'rates.segments.find(',
    'The first fact of each book replaces this rate, from the same day on (`firstFacts`).',
  ),
  equivalent('engine/line/cancel.ts', 'function', 'find', 'findLast', 'obligation.draws.find(', ONE_OF_EACH),
  equivalent('engine/line/cancel.ts', 'arguments', 'state, draw', 'draw, state', 'totals.reversedInterest = plus(', COUNTED_FOR_BOTH),
  equivalent(
    'engine/line/credit.ts',
    'condition',
    'draw === null || drawOf(state, draw).limitCents === null',
    'false',
    'return ofLine',
    'A draw without a limit has the limit of the line, and owes no more than the line: its rest is not less.',
  ),
  equivalent('engine/line/credit.ts', 'boundary', '<', '<=', 'ofDraw < ofLine', SAME_OF_EQUALS),
  equivalent('engine/line/credit.ts', 'boolean', '||', '&&', 'const isOver =', LOOKED_AT_AGAIN),
  equivalent('engine/line/credit.ts', 'condition', 'isOver(payments[state.firstHeldPayment])', 'false', 'while (isOver(', LOOKED_AT_AGAIN),
  equivalent('engine/line/credit.ts', 'condition', 'isRevolving', 'false', 'isRevolving ? heldPayments(state)', LOOKED_AT_AGAIN),
  equivalent('engine/line/demands.ts', 'function', 'find', 'findLast', 'draw.rows.find(', ONE_OF_EACH),
  equivalent('engine/line/demands.ts', 'function', 'find', 'findLast', 'demands.find(', ONE_OF_EACH),
  equivalent('engine/line/demands.ts', 'name', 'feesCents', 'askedCents', 'minimumOf(state, draw, demand) -', ASKED_IS_FEES),
  equivalent('engine/line/demands.ts', 'name', 'feesCents', 'askedCents', 'const asked = Math.min(', ASKED_IS_FEES),
  equivalent(
    'engine/line/demands.ts',
    'default',
    'fee.fromDueDate ?? dueDate',
    'fee.fromDueDate',
    'const isFalling =',
    'No date is before every date.',
  ),
  equivalent('engine/line/demands.ts', 'boolean', 'false', 'true', 'isOverdueIncluded: false', NEVER_ADDED),
  equivalent('engine/line/demands.ts', 'constant', '0', '1', 'overdueCents: cents(0)', NEVER_ADDED),
  equivalent('engine/line/demands.ts', 'removed', 'return;', ';', 'if (leftCents <= 0) return;', ASKED_AGAIN_FOR_NOTHING),
  equivalent('engine/line/demands.ts', 'condition', 'demand !== void 0', 'true', 'if (demand !== void 0)', 'Each draw has its demand.'),
  equivalent(
    'engine/line/demands.ts',
    'condition',
    'askedCents === void 0',
    'false',
    'askedCents === void 0',
    'Nothing is above an amount that nobody has named.',
  ),
  equivalent('engine/line/demands.ts', 'condition', 'excessCents <= 0', 'false', 'excessCents <= 0', 'No less than nothing is taken off.'),
  equivalent('engine/line/demands.ts', 'boundary', '<=', '<', 'excessCents <= 0', 'No less than nothing is taken off.'),
  equivalent(
    'engine/line/fix-obligation.ts',
    'boundary',
    '>=',
    '>',
    'const isAll =',
    'Where fees wait, all of it is more than the rest; where none does, both lists are the same.',
  ),
  equivalent('engine/line/reassign-interest.ts', 'arithmetic', '-', '+', 'state.payments.length - 1', PAST_THE_END),
  equivalent('engine/line/reassign-interest.ts', 'constant', '1', '0', 'state.payments.length - 1', PAST_THE_END),
  equivalent('engine/line/reassign-interest.ts', 'boolean', '&&', '||', 'at >= 0 && leftCents > 0', NOTHING_MOVED),
  equivalent('engine/line/reassign-interest.ts', 'boundary', '>', '>=', 'at >= 0 && leftCents > 0', NOTHING_MOVED),
  equivalent('engine/line/reassign-interest.ts', 'function', 'find', 'findLast', 'splits.find(', ONE_OF_EACH),
  equivalent('engine/line/reassign-interest.ts', 'arguments', 'state, draw', 'draw, state', 'countFor(state, draw', COUNTED_FOR_BOTH),
  equivalent('engine/line/amortized.ts', 'boundary', '>', '>=', 'state.day > draw.interestFrom', SAME_OF_EQUALS),
  equivalent('engine/line/amortized.ts', 'condition', 'draw.rows.length > 0', 'true', 'if (draw.rows.length > 0) draw.rows', ONLY_SLOWER),
  equivalent('engine/line/amortized.ts', 'boundary', '>', '>=', 'if (draw.rows.length > 0) draw.rows', ONLY_SLOWER),
  equivalent(
    'engine/line/amortized.ts',
    'default',
    'schedule.levels[0]?.amountCents ?? 0',
    'schedule.levels[0]?.amountCents',
    'const levelCents =',
    'A schedule of so many periods has its level, and no other asks for it.',
  ),
  equivalent('engine/line/arrange.ts', 'condition', 'past.length === 0', 'false', 'if (past.length === 0)', ONLY_SLOWER),
  equivalent('engine/line/arrange.ts', 'condition', 'changes.length < 2', 'false', 'if (changes.length < 2)', ONLY_SLOWER),
  equivalent(
    'engine/line/arrange.ts',
    'condition',
    'fact.type === "purchaseVoided"',
    'true',
    'const voided = new Set(',
    'Facts of another kind name no purchase.',
  ),
  equivalent(
    'engine/line/arrange.ts',
    'condition',
    'retouch.voided.has(fact.transaction)',
    'false',
    'retouch.voided.has(fact.transaction) ? [] : [fact]',
    'What settles a payment that is not there settles nothing.',
  ),
  equivalent('engine/line/arrange.ts', 'boundary', '<', '<=', 'const isBefore =', HOLDS_FROM_A_DAY),
  equivalent('engine/line/arrange.ts', 'boundary', '<=', '<', 'const isBefore =', HOLDS_FROM_A_DAY),
  equivalent(
    'engine/line/arrange.ts',
    'condition',
    'fact.type === "drawFeeChanged"',
    'true',
    'inOrderOfRecording.flatMap(',
    'Facts of another kind name no draw.',
  ),
  equivalent('engine/line/charge-fee.ts', 'boundary', '>', '>=', 'knownDay: fact.recordedDay > day', SAME_OF_EQUALS),
  equivalent(
    'engine/line/charge-fee.ts',
    'condition',
    'fact.recordedDay > day',
    'true',
    'knownDay: fact.recordedDay > day',
    'A fee that was known before its day is as good as one that was known on it.',
  ),
  equivalent('engine/line/arrange.ts', 'boolean', '&&', '||', 'const isShared =', READ_APART),
  equivalent('engine/line/arrange.ts', 'text', '"purchaseVoided"', '"reimbursed"', 'const isShared =', READ_APART),
  equivalent('engine/line/arrange.ts', 'text', '"drawFeeChanged"', '"drawRatesChanged"', 'const isShared =', READ_APART),
  equivalent('engine/line/digest.ts', 'default', 'running?.ordinal ?? -1', 'running?.ordinal', 'running?.ordinal', ALWAYS_RUNNING),
  equivalent('engine/line/digest.ts', 'sign', '-1', '1', 'running?.ordinal', ALWAYS_RUNNING),
  equivalent('engine/line/digest.ts', 'constant', '1', '0', 'running?.ordinal', ALWAYS_RUNNING),
  equivalent('engine/line/digest.ts', 'default', 'running?.statementDate ?? 0', 'running?.statementDate', 'running?.st', ALWAYS_RUNNING),
  equivalent('engine/line/digest.ts', 'constant', '0', '1', 'running?.statementDate', ALWAYS_RUNNING),
  equivalent('engine/line/digest.ts', 'default', 'running?.dueDate ?? 0', 'running?.dueDate', 'running?.dueDate', ALWAYS_RUNNING),
  equivalent('engine/line/digest.ts', 'constant', '0', '1', 'running?.dueDate', ALWAYS_RUNNING),
  equivalent(
    'engine/replay/caps.ts',
    'condition',
    'most === null || amountCents < most',
    'true',
    'amountCents < most',
    'What joins later finds no more than what had bounded it before.',
  ),
  equivalent('engine/replay/caps.ts', 'boundary', '<', '<=', 'amountCents < most', SAME_OF_EQUALS),
  equivalent('engine/replay/caps.ts', 'function', 'find', 'findLast', 'caps.find(', ONE_OF_EACH),
  equivalent('engine/replay/caps.ts', 'function', 'find', 'findLast', 'cap?.amounts.find(', ONE_OF_EACH),
  equivalent('engine/line/accrue.ts', 'arguments', 'rate, units', 'units, rate', 'compoundedInterest(base, rate, units)', SAME_PRODUCT),
  equivalent('engine/line/pour.ts', 'boundary', '>', '>=', 'return balances.overdueInterestCents > 0;', TAKES_NOTHING),
  equivalent('engine/line/pour.ts', 'boundary', '>', '>=', 'return balances.overduePrincipalCents > 0;', TAKES_NOTHING),
  equivalent('engine/line/pour.ts', 'boundary', '>', '>=', 'return balances.dueInterestCents > 0;', TAKES_NOTHING),
  equivalent('engine/line/pour.ts', 'boundary', '>', '>=', 'return balances.duePrincipalCents > 0;', TAKES_NOTHING),
  equivalent('engine/line/pour.ts', 'boundary', '>', '>=', 'return balances.nonDueInterest.cents > 0;', TAKES_NOTHING),
  equivalent('engine/line/pour.ts', 'boundary', '>', '>=', 'return balances.nonDuePrincipalCents > 0;', TAKES_NOTHING),
  equivalent('engine/line/pour.ts', 'boundary', '>', '>=', 'return fees.length > 0;', TAKES_NOTHING),
  equivalent(
    'engine/line/accrue.ts',
    'condition',
    '!isZero(before)',
    'true',
    'addInterest(state, draw, interest, before)',
    'Nothing is added.',
  ),
  equivalent('engine/line/count-in-order.ts', 'boundary', '>', '>=', 'let at = state.firstOpenObligation', NOTHING_MOVED),
  equivalent('engine/line/count-in-order.ts', 'boundary', '<', '<=', 'let at = state.firstOpenObligation', PAST_THE_END),
  equivalent(
    'engine/line/defer-balances.ts',
    'condition',
    'obligation.remainingCents > 0',
    'true',
    'closeDeferred(state, obligation)',
    NOTHING_MOVED,
  ),
  equivalent(
    'engine/line/fold.ts',
    'condition',
    '!arrangement.facts.some(isLateChange)',
    'false',
    'if (!arrangement.facts.some(isLateChange))',
    ONLY_SLOWER,
  ),
  equivalent('engine/line/count-in-order.ts', 'boundary', '>', '>=', 'const isOfSeveral =', ONLY_SLOWER),
  equivalent('engine/line/count-in-order.ts', 'arithmetic', '-', '+', 'const isOfSeveral =', ONLY_SLOWER),
  equivalent(
    'engine/line/cycle.ts',
    'default',
    'after ?? terms.activation',
    'after',
    'interestDays: lineInterestByDay(',
    'Before the activation nothing accrues.',
  ),
  equivalent('engine/line/entering.ts', 'condition', 'watcher.entered === void 0', 'false', 'watcher.entered === void 0', ONLY_SLOWER),
  equivalent('engine/replay/compute.ts', 'boundary', '>', '>=', 'recordedDay > last', SAME_OF_EQUALS),
  equivalent('engine/replay/coming-days.ts', 'boundary', '<', '<=', 'const earliest =', SAME_OF_EQUALS),
  equivalent(
    'engine/replay/growing-history.ts',
    'default',
    'joined?.effective.day ?? this.#terms.activation',
    'joined?.effective.day',
    'const day = joined?.effective.day',
    'Before the first change joins no ledger is laid aside.',
  ),
  equivalent('engine/replay/idle-days.ts', 'boundary', '<', '<=', 'const start =', SAME_OF_EQUALS),
  equivalent('engine/replay/idle-days.ts', 'boundary', '>', '>=', 'const end =', SAME_OF_EQUALS),
];

function equivalent(
  ...[file, kind, before, after, within, reason]: readonly [string, Mistake['kind'], string, string, string, string]
): Equivalent {
  return { file, kind, before, after, within, reason };
}

export const isEquivalent = (mistake: Mistake, { file, kind, before, after, within }: Equivalent): boolean =>
  mistake.file === file && mistake.kind === kind && mistake.before === before && mistake.after === after && mistake.within.includes(within);
