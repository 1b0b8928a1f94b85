import type { Day } from '../calendar/index.js';
import type { LedgerStatus } from '../ledger/core/index.js';
import type { LineLedgerEvent } from '../ledger/line/index.js';

/** A record has whole dollars: what is below one is neither owed nor late. */
const LEAST_CENTS = 100;

/** What credit reporting needs of the life of a loan, in the order of its days. */
export type CreditChange =
  /** From this day on the loan is so many days late, and one more with each day. */
  | { readonly type: 'late'; readonly day: Day; readonly daysLate: number }
  /** Nothing is late any more. */
  | { readonly type: 'current'; readonly day: Day }
  | { readonly type: 'status'; readonly day: Day; readonly status: LedgerStatus }
  /** Whether a dollar is owed that is not charged off. */
  | { readonly type: 'owed'; readonly day: Day; readonly isOwed: boolean };

/** Watches a ledger that is computed from its facts, and keeps what credit reporting needs. */
export class LifeRecorder {
  readonly leastLateCents = LEAST_CENTS;
  readonly changes: CreditChange[] = [];
  /** The highest balance of a line ever. */
  highestCents = 0;
  /** What was owed when the loan was charged off last. */
  chargeOffCents = 0;
  #late: { readonly day: Day; readonly daysLate: number } | null = null;
  #isOwed = false;

  happened(ledgerEvent: LineLedgerEvent): void {
    const { day } = ledgerEvent;
    if (ledgerEvent.type === 'statusChanged') this.changes.push({ type: 'status', day, status: ledgerEvent.newStatus });
    if (ledgerEvent.type !== 'balanceChanged') return;
    const { balances, previousBalances, cause } = ledgerEvent;
    if (cause === 'chargeOff') this.chargeOffCents = previousBalances.totalCents;
    const isOwed = balances.totalCents >= LEAST_CENTS;
    if (isOwed !== this.#isOwed) this.changes.push({ type: 'owed', day, isOwed });
    this.#isOwed = isOwed;
  }

  owed(balanceCents: number): void {
    this.highestCents = Math.max(this.highestCents, balanceCents);
  }

  /** A ledger reports each further day; only what does not follow from the last one is kept. */
  late(day: Day, daysLate: number | null): void {
    const last = this.#late;
    if (daysLate === null) {
      if (last !== null) this.changes.push({ type: 'current', day });
      this.#late = null;
      return;
    }
    if (last !== null && day - last.day === daysLate - last.daysLate) return;
    this.#late = { day, daysLate };
    this.changes.push({ type: 'late', day, daysLate });
  }
}
