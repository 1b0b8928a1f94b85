import { type Day, type LedgerState, projectedRows } from '../../../engine/index.js';

/** What the plan changes against the loan's present schedule. */
export interface DeltaTerms {
  readonly interestCents: number;
  readonly feesCents: number;
  readonly durationDays: number;
  readonly dueDates: number;
}

/** What the rest of a loan costs, and when its last payment is. */
export interface RestOfLoan {
  readonly interestCents: number;
  readonly feesCents: number;
  readonly lastDay: Day | null;
}

export function deltaOf(ledger: LedgerState, planned: RestOfLoan): DeltaTerms {
  const present = presentRest(ledger);
  if (present.lastDay === null || planned.lastDay === null) return { interestCents: 0, feesCents: 0, durationDays: 0, dueDates: 0 };
  return {
    interestCents: planned.interestCents - present.interestCents,
    feesCents: planned.feesCents - present.feesCents,
    durationDays: planned.lastDay - present.lastDay,
    dueDates: rowsUntil(ledger, planned.lastDay) - rowsUntil(ledger, present.lastDay),
  };
}

/** If everything were paid when it is due. */
function presentRest(ledger: LedgerState): RestOfLoan {
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

/** Rows that it takes to reach a day. */
function rowsUntil({ rows }: LedgerState, day: Day): number {
  const found = rows.findIndex((row) => row.date >= day);
  return found === -1 ? rows.length : found + 1;
}
