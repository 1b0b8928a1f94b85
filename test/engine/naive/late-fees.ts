import type { Big } from 'big.js';
import type { LateFeeTerms, LedgerSettings, Refund } from '../../../engine/index.js';
import { isRefunded } from './history.js';
import type { Holdings } from './holdings.js';
import { amountOf, type Fee, feeOf, max, min, type Obligation, sum, ZERO } from './parts.js';

/** Late fees are booked at 00:50 (servicing-behaviour 1.3). */
const LATE_FEE_SECONDS = 3_000;

/** What a day's late fees are looked for in. */
export interface LateFeeDay {
  readonly day: number;
  readonly held: Holdings;
  readonly settings: LedgerSettings;
  readonly refunds: readonly Refund[];
  /** Ordinals of obligations whose fees somebody has taken back. */
  readonly waived: ReadonlySet<number | null>;
  /** The first day of the running period. */
  readonly periodStart: number;
  /** Names of late fees that a refund took back or kept away: their obligations earn none again. */
  readonly taken: Set<string>;
}

export type NewFee = Pick<Fee, 'name' | 'amount' | 'isLate' | 'chargeLogic' | 'chargeDay' | 'knownDay'>;

/** The late fees that obligations earn on a day (servicing-behaviour 11.5), one after the other. */
export function* lateFeesOf(today: LateFeeDay, terms: LateFeeTerms): Generator<NewFee> {
  const { day, held, refunds, taken } = today;
  for (const obligation of [...held.obligations]) {
    if (!obligation.isRow || obligation.dueDay + obligation.pausedDays + terms.triggerDays !== day) continue;
    if (held.isFulfilled(obligation)) continue;
    const name = `late ${obligation.dueDay}`;
    if (taken.has(name) || held.fees.some((fee) => fee.name === name)) continue;
    if (pyramids(today, obligation)) {
      obligation.isBlocked = true;
      continue;
    }
    const amount = amountFor(today, obligation, terms);
    if (amount.lte(0)) continue;
    if (today.waived.has(obligation.ordinal) || isRefunded(refunds, day, LATE_FEE_SECONDS, true)) taken.add(name);
    else yield { name, amount, isLate: true, chargeLogic: terms.chargeLogic, chargeDay: day, knownDay: day };
  }
}

function pyramids({ held, settings }: LateFeeDay, obligation: Obligation): boolean {
  const rule = settings.lateFeePyramiding;
  if (rule === 'none') return false;
  if (obligation.fulfilledWithoutLateFees.gte(obligation.amountWithoutLateFees)) return true;
  const older = held.obligations.filter((other) => other.dueDay < obligation.dueDay);
  return rule === 'blockOnOldestObligation' && older.some((other) => !held.isFulfilled(other));
}

function amountFor({ held, periodStart }: LateFeeDay, obligation: Obligation, terms: LateFeeTerms): Big {
  const earlier = held.fees.filter((fee) => fee.isLate);
  const inPeriod = earlier.filter((fee) => fee.chargeDay >= periodStart).length;
  if (terms.capPerPeriodCount !== null && inPeriod >= terms.capPerPeriodCount) return ZERO;
  const whole = held.principal.plus(sum(held.obligations.map((other) => other.principal)));
  const wanted = feeOf(terms.amount, { principal: whole, obligationAmount: obligation.amount, overdueAmount: held.remaining(obligation) });
  if (terms.capPerLoanCents === null) return wanted;
  return min(wanted, max(ZERO, amountOf(terms.capPerLoanCents).minus(sum(earlier.map((fee) => fee.amount)))));
}
