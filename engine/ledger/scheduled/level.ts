import type { Day } from '../../calendar/index.js';
import { RATE_ONE } from '../../money/index.js';
import { claimedInterest, type Installment, type ScheduledLedger, type Moved, NOTHING_MOVED } from './ledger.js';
import { cutsOf, type GrowthOfDays, growthOf, rateOn, toMultiple } from './split.js';

/** Precision of the solution in parts of a cent: far finer than the rounding of a thousand periods. */
const SCALE = 10n ** 30n;

/**
 * The level amount that brings the principal from the first day of the first installment to zero with the last one, rounded
 * as the terms say. The balance after each installment is linear in the amount, `owed - paid * amount`, for any mixture of
 * rates, advances and periods.
 */
export function solveAmount(ledger: ScheduledLedger, installments: readonly Installment[], principalCents: number): number {
  let owed = BigInt(principalCents) * SCALE;
  let paid = 0n;
  for (const installment of installments) {
    const earned = earnedBy(ledger, installment, owed, paid);
    owed = earned.owed;
    if (installment.isPrincipalFree) continue;
    owed += earned.owedInterest;
    paid += earned.paidInterest + SCALE;
  }
  return paid === 0n ? 0 : toMultiple(ledger, owed, paid);
}

/** The balance over which coming rows are solved. */
export interface Rest {
  readonly from: Day;
  /** The balance of that day. */
  readonly principalCents: number;
  /** Interest of earlier nights that is in no row yet: the first open row takes it. */
  readonly waitingCents: number;
  /** Principal of a row in addition to the level, less what has left the balance already. */
  besideLevel(row: Installment): number;
  /** What was paid of a row's own amounts: the row has at least that, and interest above the level waits. */
  held(row: Installment): Moved;
}

/**
 * The level amount that brings the rest to zero with the last row. Rows that were paid in advance stay as they are; interest of
 * their periods above their amount waits for the next row. Amounts in addition to the level are paid with their rows.
 */
export function solveRest(ledger: ScheduledLedger, rows: readonly Installment[], rest: Rest): number {
  const amountCents = solveWith(ledger, rows, rest, null);
  const row = rows.find(({ isFixed, isPrincipalFree }) => !isFixed && !isPrincipalFree);
  const { principal, interest } = row === undefined ? NOTHING_MOVED : rest.held(row);
  if (row === undefined || principal === 0) return amountCents;
  if (BigInt(amountCents - principal) * SCALE >= waitingFor(ledger, rows, rest, row)) return amountCents;
  const besideHeld = solveWith(ledger, rows, rest, { row, takesInterest: true });
  return besideHeld >= principal + interest ? besideHeld : solveWith(ledger, rows, rest, { row, takesInterest: false });
}

/** A row with the principal that was paid, and interest up to its amount, but at least the interest that was paid. */
interface HeldRow {
  readonly row: Installment;
  readonly takesInterest: boolean;
}

/** Interest of the first open row. The amount does not change the balance before it. */
function waitingFor(ledger: ScheduledLedger, rows: readonly Installment[], rest: Rest, first: Installment): bigint {
  let waiting = BigInt(rest.waitingCents) * SCALE;
  for (const row of rows) {
    waiting += earnedBy(ledger, row, BigInt(rest.principalCents) * SCALE, 0n, rest.from).owedInterest;
    if (row === first) break;
    waiting -= BigInt(claimedInterest(row)) * SCALE;
  }
  return waiting;
}

function solveWith(ledger: ScheduledLedger, rows: readonly Installment[], rest: Rest, held: HeldRow | null): number {
  let owed = BigInt(rest.principalCents) * SCALE;
  let paid = 0n;
  let waiting = BigInt(rest.waitingCents) * SCALE;
  let paidWaiting = 0n;
  for (const row of rows) {
    const earned = earnedBy(ledger, row, owed, paid, rest.from);
    owed = earned.owed;
    waiting += earned.owedInterest;
    paidWaiting += earned.paidInterest;
    if (row.isFixed) {
      waiting -= BigInt(claimedInterest(row)) * SCALE;
      continue;
    }
    if (row === held?.row) {
      const { principal, interest } = rest.held(row);
      owed -= BigInt(rest.besideLevel(row) + principal) * SCALE;
      waiting += BigInt(held.takesInterest ? principal : -interest) * SCALE;
      if (held.takesInterest) paidWaiting += SCALE;
      continue;
    }
    if (!row.isPrincipalFree) {
      owed += waiting - BigInt(rest.besideLevel(row)) * SCALE;
      paid += paidWaiting + SCALE;
    }
    waiting = 0n;
    paidWaiting = 0n;
  }
  return paid === 0n ? 0 : toMultiple(ledger, owed, paid);
}

interface Earned {
  readonly owed: bigint;
  readonly owedInterest: bigint;
  readonly paidInterest: bigint;
}

/** The interest of a period on both parts of the balance. Advances in the period raise `owed`. */
function earnedBy(
  ledger: ScheduledLedger,
  installment: Installment,
  owedBefore: bigint,
  paid: bigint,
  since: Day = installment.from,
): Earned {
  const cuts = cutsOf(ledger, installment, [since]).filter((day) => day >= since);
  let owed = owedBefore;
  let owedInterest = 0n;
  let paidInterest = 0n;
  for (const [position, from] of cuts.entries()) {
    owed += advancedOn(ledger, installment, from);
    const to = cuts[position + 1];
    if (to === undefined) break;
    const { numerator, denominator } = solvingGrowth(ledger, installment, from, to);
    owedInterest += (owed * numerator) / denominator;
    paidInterest += (paid * numerator) / denominator;
  }
  return { owed, owedInterest, paidInterest };
}

/** Uses a month of 30 days in a year of 365 instead of the period's own days, if the terms solve the amount that way. */
function solvingGrowth(ledger: ScheduledLedger, installment: Installment, from: Day, to: Day): GrowthOfDays {
  const { principal } = ledger.terms;
  if (principal.type !== 'level' || principal.solvedOver === 'schedule') return growthOf(ledger, installment, from, to);
  const days = BigInt(installment.dueDay - installment.from);
  return { numerator: BigInt(rateOn(ledger, from)) * 30n * BigInt(to - from), denominator: BigInt(RATE_ONE) * 365n * days };
}

/** Advances on a period's first day belong to the opening, those on its due date to the next period's balance. */
function advancedOn(ledger: ScheduledLedger, { from, dueDay }: Installment, day: Day): bigint {
  if (day === from || day === dueDay) return 0n;
  let cents = 0;
  for (const advance of ledger.advances) if (advance.day === day) cents += advance.amountCents;
  return BigInt(cents) * SCALE;
}
