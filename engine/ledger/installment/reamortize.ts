import { type AmortizationInput, amortize, isNothingPrepaid, type RowTerm, type Schedule } from '../../amortization/index.js';
import type { Day } from '../../calendar/index.js';
import { type Accrued, ACCRUED_ZERO, type Cents, cents } from '../../money/index.js';
import { accruedOf, centsOfInterest, inexactCents, minus } from '../core/interest.js';
import { holds } from '../core/rules.js';
import { keptCents } from './caps.js';
import { prepaidOf } from './due.js';
import { estimateLevelCents } from './estimate-level.js';
import { firstRowAfter } from './period.js';
import type { LedgerState, OpenRow } from './state.js';

/**
 * Spreads the non-due balance over the rows that have not fallen due: the same dates, one new level, forced rows unchanged. Money in
 * advance is deducted from the oldest rows. Due and overdue balances stay owed in addition. Rows that fell due before a late recording do
 * not rise.
 */
export function reamortize(state: LedgerState): void {
  const first = firstRowAfter(state);
  const open = state.rows.slice(first);
  // A closing row takes the rest, whatever its amount.
  if (open[0] === undefined || open[0].isClosing === true || state.nonDuePrincipalCents === 0) return;
  const free = levelRows(state, open, (row) => ownTerm(row) ?? LEVEL);
  const rows = state.unknownRates === null ? free : heldBack(state, open, free);
  state.rows = [...state.rows.slice(0, first), ...rows];
}

function heldBack(state: LedgerState, open: readonly OpenRow[], free: readonly OpenRow[]): readonly OpenRow[] {
  const isHeld = (row: OpenRow): boolean => ownTerm(row) === null && keptCents(state, row) !== null;
  const rises = open.some((row, position) => isHeld(row) && amountAt(free, position) > (keptCents(state, row) ?? 0));
  if (!rises) return free;
  const kept = open.map((row) => (isHeld(row) ? { ...row, amountCents: cents(keptCents(state, row) ?? 0) } : row));
  return levelRows(state, kept, (row) => ownTerm(row) ?? (isHeld(row) ? forced(row) : LEVEL));
}

const LEVEL: RowTerm = { type: 'level' };

export const forced = (row: OpenRow): RowTerm => ({ type: 'forced', amountCents: row.amountCents });

/** The term that a row keeps in a re-amortization; null: it is level. */
export function ownTerm(row: OpenRow): RowTerm | null {
  if (row.isDeferred === true) return { type: 'skipped' };
  if (row.isInterestOnly === true) return { type: 'interestOnly' };
  return row.isForced ? forced(row) : null;
}

const amountAt = (rows: readonly OpenRow[], position: number): number => rows[position]?.amountCents ?? 0;

function levelRows(state: LedgerState, open: readonly OpenRow[], termOf: (row: OpenRow) => RowTerm): readonly OpenRow[] {
  const rowTerms = open.map(termOf);
  const amountCents = estimatedLevel(state, open, rowTerms);
  if (amountCents === null) return amortizedRows(state, open, rowTerms);
  return open.map((row, position) => (rowTerms[position] === LEVEL ? { date: row.date, amountCents, isForced: false } : row));
}

/** A fast estimate of the level, for simple interest, the default rounding and no lifetime cap on interest. */
function estimatedLevel(state: LedgerState, open: readonly OpenRow[], rowTerms: readonly RowTerm[]): Cents | null {
  const { accrualMethod, totalInterestCapCents, rounding, dayCount } = state.terms;
  const isPlain = accrualMethod === 'simple' && totalInterestCapCents === null && rowTerms.every(isAmount);
  const prepaid = prepaidOf(state);
  if (prepaid.feeAskedCents > 0 && !isNothingPrepaid(prepaid)) return null;
  if (!isPlain || rounding.payment !== 'up' || rounding.paymentMultipleCents !== 1) return null;
  const level = estimateLevelCents({
    start: firstBearingDay(state),
    principalCents: state.nonDuePrincipalCents,
    openingInterestCents: inexactCents(state.nonDueInterest),
    dueDates: open.map((row) => row.date),
    prepaidCents: state.prepaidCents,
    forcedCents: rowTerms.map((term) => (term.type === 'forced' ? term.amountCents : null)),
    rates: state.rates,
    dayCount,
  });
  return level === null ? null : cents(level);
}

/** Rows with an amount. */
const isAmount = ({ type }: RowTerm): boolean => type === 'level' || type === 'forced';

const firstBearingDay = ({ day, terms }: LedgerState): Day => (day > terms.interestFrom ? day : terms.interestFrom);

function amortizedRows(state: LedgerState, open: readonly OpenRow[], rowTerms: readonly RowTerm[]): readonly OpenRow[] {
  const schedule = amortizeBalance(state, { dueDates: open.map((row) => row.date), rowTerms, payment: { type: 'level' } });
  // Every level row has the level, also the last row: it takes the rest, which is known on its day.
  const levelCents = schedule.levels[0]?.amountCents;
  return open.map((row, position) => {
    if (row.isInterestOnly === true) return { ...row, amountCents: schedule.rows[position]?.amountCents ?? row.amountCents };
    const isLevel = rowTerms[position] === LEVEL && levelCents !== undefined;
    return isLevel ? { ...row, amountCents: levelCents } : row;
  });
}

/** The rows over which the balance that is not due is spread. */
type Spreading = Pick<AmortizationInput, 'dueDates' | 'rowTerms' | 'payment'>;

/**
 * Spreads the balance that is not due over rows, by the terms of the loan.
 *
 * @throws AmortizationError when the rows do not pay the loan off.
 */
export function amortizeBalance(state: LedgerState, spreading: Spreading): Schedule {
  const { terms } = state;
  return amortize({
    ...spreading,
    start: firstBearingDay(state),
    principalCents: cents(state.nonDuePrincipalCents),
    openingInterest: accruedOf(state.nonDueInterest),
    rates: state.rates,
    dayCount: terms.dayCount,
    accrualMethod: terms.accrualMethod,
    rounding: terms.rounding,
    interestRoom: interestRoom(state),
    isCapOfRoundedLevel: !holds(state, 'levelsUnderCaps'),
    prepaid: prepaidOf(state),
  });
}

/** Interest that the lifetime cap still allows; null without a cap. */
function interestRoom({ terms: { totalInterestCapCents }, totals }: LedgerState): Accrued | null {
  if (totalInterestCapCents === null) return null;
  const room = minus(centsOfInterest(totalInterestCapCents), totals.interestAccrued);
  return room.cents < 0 ? ACCRUED_ZERO : accruedOf(room);
}
