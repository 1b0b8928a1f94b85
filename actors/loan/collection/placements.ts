import { addDays, type Cents, cents, commissionOn, type Day, type metro2, type Rate, ZERO } from '../../../engine/index.js';
import type { LoanState } from '../state.js';
import { chargebacksOf, lostCents } from '../transactions/chargebacks/record.js';
import { movedCents, type TransactionRecord } from '../transactions/record.js';

/** `pendingAssignment`: the agency has not begun; the lender does not collect any more. */
export type PlacementStatus = 'pendingAssignment' | 'assigned';

/** `wholeSale`: the agency has bought the debt. `contingency`: it keeps a commission of what it collects. */
export type AssignmentType = 'wholeSale' | 'contingency';

/** A loan at a collection agency. */
export interface Placement {
  readonly agencyId: string;
  readonly assignmentType: AssignmentType;
  readonly status: PlacementStatus;
  readonly assignedOn: Day;
  /** The next credit file has a K2 segment that says that the debt was sold. */
  readonly isK2SegmentReported: boolean;
  /** As it was agreed with the agency when the loan was assigned. */
  readonly commissionRate: Rate | null;
  readonly caseId: string | null;
  /** Milliseconds of the company's clock. */
  readonly recordedAt: number;
  /** The first day on which the agency does not have the loan any more; null while it has it. */
  readonly endedOn: Day | null;
  readonly endedAt: number | null;
}

/** The placement that has not ended. */
export const livePlacement = ({ parties }: Pick<LoanState, 'parties'>): Placement | null =>
  parties.placements.findLast(({ endedOn }) => endedOn === null) ?? null;

/**
 * Where the loan is placed at the end of a day: what credit reporting asks for account status 93 (`assigned`), and for the K2 segment of a
 * sale. Null: at no agency. `knownAt`: as known at that moment, in milliseconds of the company's clock; null: now.
 */
export function placementOn({ parties }: Pick<LoanState, 'parties'>, day: Day, knownAt: number | null = null): Placement | null {
  const isKnown = (at: number | null): boolean => at !== null && (knownAt === null || at <= knownAt);
  return (
    parties.placements.findLast(
      ({ assignedOn, recordedAt, endedOn, endedAt }) =>
        isKnown(recordedAt) && assignedOn <= day && (endedOn === null || endedOn > day || !isKnown(endedAt)),
    ) ?? null
  );
}

/**
 * When collection agencies have had the loan, for credit reporting; agencies that followed each other without a day between are one. A debt
 * that the agency has bought is not placed. Account status 93 follows for a loan that is not charged off, as after a charge-off that was
 * reversed; charged-off loans keep 97.
 */
export function placedDays({ parties }: Pick<LoanState, 'parties'>): readonly metro2.Placed[] {
  const placed: metro2.Placed[] = [];
  for (const { status, assignmentType, assignedOn, endedOn } of parties.placements) {
    if (status !== 'assigned' || assignmentType === 'wholeSale' || endedOn === assignedOn) continue;
    const last = placed.at(-1);
    if (last?.until === assignedOn) placed[placed.length - 1] = { from: last.from, until: endedOn };
    else placed.push({ from: assignedOn, until: endedOn });
  }
  return placed;
}

export interface Collected {
  readonly collectedCents: Cents;
  readonly commissionCents: Cents;
}

/**
 * What an agency has collected: external payments that have succeeded and are effective while it has the loan, without what of them was
 * charged back. The commission is that of each payment. One that bought the debt keeps all and has no commission.
 */
export function collectedBy(
  { transactions, chargebacks }: LoanState,
  { assignedOn, endedOn, assignmentType, commissionRate }: Placement,
): Collected {
  const last = endedOn === null ? Infinity : addDays(endedOn, -1);
  const rate = assignmentType === 'contingency' ? commissionRate : null;
  let [collected, commission] = [0, 0];
  for (const record of transactions.among(({ firstDay, lastDay }) => lastDay >= assignedOn && firstDay <= last)) {
    const { day } = record.effective;
    if (!isCollected(record) || day < assignedOn || day > last) continue;
    const paid = cents(movedCents(record) - lostCents(chargebacksOf(chargebacks, record.id)));
    collected += paid;
    commission += rate === null ? ZERO : commissionOn(paid, rate);
  }
  return { collectedCents: cents(collected), commissionCents: cents(commission) };
}

/** While a payment is in dispute its money is still there. */
const isCollected = ({ transactionType, isExternal, status }: TransactionRecord): boolean =>
  transactionType === 'payment' && isExternal && (status === 'succeeded' || status === 'inDispute');
