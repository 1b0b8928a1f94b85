import { advanceTo, applyFact, type Cents, cloneState, type Day, type LedgerState, projectedRows } from '../../../engine/index.js';
import { autopayAmount } from './amounts.js';
import type { ComingPayment } from './dates.js';
import { AUTOPAY_SECONDS } from './plan.js';

/** A coming payment as it will be if nothing else happens to the loan. */
export interface ExpectedPayment {
  readonly ordinal: number;
  readonly day: Day;
  readonly amountCents: Cents;
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
}

/** What the plan changes against the loan's present schedule (money 6, `deltaTerms`). */
export interface DeltaTerms {
  readonly interestCents: number;
  readonly feesCents: number;
  readonly durationDays: number;
  readonly dueDates: number;
}

export interface Projection {
  readonly payments: readonly ExpectedPayment[];
  readonly delta: DeltaTerms;
}

export interface Projected {
  readonly isAligned: boolean;
  readonly extraCents: Cents;
  readonly includeOverdue: boolean;
  /** Planned money that waits for a business day. */
  readonly waitingCents: number;
  readonly coming: readonly ComingPayment[];
}

/**
 * Lets a copy of the ledger live through the plan: each payment by the very computation of its morning, so that what is shown
 * is what will be made.
 */
export function projectPlan(ledger: LedgerState, plan: Projected): Projection {
  const copy = cloneState(ledger);
  copy.watcher = null;
  const present = presentTerms(ledger);
  const payments: ExpectedPayment[] = [];
  let sequence = FIRST_SEQUENCE;
  let interestCents = 0;
  let feesCents = 0;
  const pay = (day: Day, seconds: number, amountCents: Cents, extraCents: Cents): LedgerState['payments'][number] | undefined => {
    sequence += 1;
    applyFact(copy, {
      type: 'payment', transaction: sequence, kind: 'payment', amountCents, isPrepaymentEnabled: true, isProcessing: false, principalOnlyCents: extraCents,
      effective: { day, seconds }, sequence, recordedDay: day,
    });
    const paid = copy.payments.at(-1);
    interestCents += paid?.interestCents ?? 0;
    feesCents += paid?.feesCents ?? 0;
    return paid;
  };
  if (plan.waitingCents > 0 && copy.status === 'active') pay(copy.day, LAST_SECOND, plan.waitingCents as Cents, 0 as Cents);
  let lastDay: Day | null = null;
  for (let at = 0; at < plan.coming.length; at += 1) {
    const { ordinal, day } = plan.coming[at] ?? plan.coming[0] as ComingPayment;
    if (copy.status !== 'active') break;
    advanceTo(copy, day);
    const coming = plan.coming.slice(at);
    const { amountCents, extraCents } = autopayAmount(copy, day, { ...plan, waitingCents: 0, coming });
    if (amountCents === 0) continue;
    const paid = pay(day, AUTOPAY_SECONDS + at, amountCents, extraCents);
    lastDay = day;
    payments.push({
      ordinal,
      day,
      amountCents,
      principalCents: (paid?.principalCents ?? 0) as Cents,
      interestCents: (paid?.interestCents ?? 0) as Cents,
      feesCents: (paid?.feesCents ?? 0) as Cents,
    });
  }
  return { payments, delta: deltaOf(ledger, present, { interestCents, feesCents, lastDay }) };
}

/** Facts of a projection come after all that the loan has. */
const FIRST_SEQUENCE = 1_000_000_000;
const LAST_SECOND = 86_399;

interface Terms {
  readonly interestCents: number;
  readonly feesCents: number;
  readonly lastDay: Day | null;
}

/** What the loan would still cost if everything were paid when it is due. */
function presentTerms(ledger: LedgerState): Terms {
  let interestCents = ledger.dueInterestCents + ledger.overdueInterestCents;
  let feesCents = ledger.dueOriginationFeeCents + ledger.overdueOriginationFeeCents;
  for (const fee of ledger.fees) if (fee.standing !== 'nonDue' && fee.carriedBy !== null) feesCents += fee.openCents;
  let lastDay: Day | null = null;
  for (const row of projectedRows(ledger)) {
    interestCents += row.interestCents;
    feesCents += row.feesCents;
    lastDay = row.date;
  }
  return { interestCents, feesCents, lastDay };
}

function deltaOf(ledger: LedgerState, present: Terms, planned: Terms): DeltaTerms {
  if (present.lastDay === null || planned.lastDay === null) return { interestCents: 0, feesCents: 0, durationDays: 0, dueDates: 0 };
  return {
    interestCents: planned.interestCents - present.interestCents,
    feesCents: planned.feesCents - present.feesCents,
    durationDays: planned.lastDay - present.lastDay,
    dueDates: rowsUntil(ledger, planned.lastDay) - rowsUntil(ledger, present.lastDay),
  };
}

/** Rows that it takes to reach a day. */
function rowsUntil({ rows }: LedgerState, day: Day): number {
  const found = rows.findIndex((row) => row.date >= day);
  return found === -1 ? rows.length : found + 1;
}
