import { addDays, type Day, dayUnits } from '../../calendar/index.js';
import { bearingPrincipalCents } from '../core/accrual.js';
import { accruedOf, centsOfInterest, type Interest, minus, NO_INTEREST, plus, simpleInterest } from '../core/interest.js';
import { settingsOf } from '../core/rules.js';
import { advanceTo } from './advance.js';
import { cloneState } from './digest.js';
import type { LedgerState } from './state.js';

/** Outstanding interest at the beginning and at the end of a day, exact. */
interface PlainDay {
  readonly before: bigint;
  readonly after: bigint;
}

/**
 * The interest of a day on which nothing else has happened, nor on the next one, without a computation of the loan's history. Null if that
 * cannot be said of the ledger: then the whole history is needed. The ledger has no facts of the day or later.
 */
export function plainDayOf(ledger: LedgerState, day: Day): PlainDay | null {
  const next = addDays(day, 1);
  if (ledger.day > next) return null;
  const state = ledger.day === next ? ledger : cloneState(ledger);
  if (state.day < next) advanceTo(state, next);
  if (!isPlain(state, day)) return null;
  const after = outstandingInterest(state);
  const interest = state.status === 'active' && day >= state.terms.interestFrom ? interestOf(state, day, next) : NO_INTEREST;
  return { before: accruedOf(minus(after, interest)), after: accruedOf(after) };
}

function isPlain(state: LedgerState, day: Day): boolean {
  const { terms, obligations, fees, totals, orders } = state;
  if (state.lastFactDay >= day || state.statusSince >= day || day <= terms.activation) return false;
  if (state.scheduledFacts !== null || terms.keeping !== undefined || terms.accrualMethod !== 'simple') return false;
  if (terms.totalInterestCapCents !== null || terms.originationFee.amountCents > 0 || orders.originationFeeCents !== null) return false;
  if (totals.reimbursementCents !== totals.reimbursedCents && state.openFeesCents > 0) return false;
  if (terms.settings.some(({ from }) => from >= day && from <= day + 1)) return false;
  if (fees.some(({ chargeDay, knownDay }) => chargeDay >= day || knownDay >= day)) return false;
  return obligations.every(
    ({ dueDay, isEnforced, isFulfilled, pausedDays }) => dueDay < day - 1 && (isEnforced || isFulfilled) && pausedDays === 0,
  );
}

const outstandingInterest = ({ nonDueInterest, dueInterestCents, overdueInterestCents }: LedgerState): Interest =>
  plus(nonDueInterest, centsOfInterest(dueInterestCents + overdueInterestCents));

function interestOf(state: LedgerState, day: Day, next: Day): Interest {
  const segment = state.rates.segments.find(({ until }) => until > day);
  const principalCents = bearingPrincipalCents(state, settingsOf(state));
  if (segment === undefined || segment.net === 0 || principalCents === 0) return NO_INTEREST;
  return simpleInterest(principalCents, segment.net, dayUnits(state.terms.dayCount, day, next));
}
