import type { Day } from '../../calendar/index.js';
import { claimedPrincipal, type Installment, type ScheduledLedger, ownPrincipal } from './ledger.js';

/**
 * Running sums over the rows before the current row, for one pass through the rows of a ledger in order: each row costs the same, however
 * many there are. Queries are only for days before the due date of the current row.
 */
export class RowsBefore {
  readonly #ledger: ScheduledLedger;
  readonly #isInOrder: boolean;
  readonly #dueDays: Day[] = [];
  /** Cumulative sums after each passed row. */
  readonly #asked: number[] = [];
  readonly #paid: number[] = [];
  #allPaidCents = 0;
  #aheadCents = 0;
  #claimedCents = 0;

  constructor(ledger: ScheduledLedger) {
    this.#ledger = ledger;
    let isInOrder = true;
    let before = ledger.terms.start;
    for (const row of ledger.installments) {
      if (row.dueDay < before) isInOrder = false;
      before = row.dueDay;
      this.#allPaidCents += row.paid.principal;
      this.#aheadCents += paidOfOwn(row);
    }
    this.#isInOrder = isInOrder;
  }

  /** Whether no row is due before an earlier one. */
  get isInOrder(): boolean {
    return this.#isInOrder;
  }

  /** Moves on to the next row: the amounts of this row are final for the sums. */
  pass(row: Installment): void {
    this.#dueDays.push(row.dueDay);
    this.#asked.push((this.#asked.at(-1) ?? 0) + row.due.principal + row.movedOut.principal);
    this.#paid.push((this.#paid.at(-1) ?? 0) + row.paid.principal);
    this.#aheadCents -= paidOfOwn(row);
    this.#claimedCents += claimedPrincipal(row);
  }

  /** Principal of the rows before. */
  get claimedCents(): number {
    return this.#claimedCents;
  }

  /** Principal that was paid in advance of the rows after this one. */
  paidAfter(row: Installment): number {
    return this.#aheadCents - paidOfOwn(row);
  }

  /** Principal of the rows due up to a day, including what has moved on. */
  askedBy(day: Day): number {
    return this.#isInOrder ? (this.#asked[this.#lastDueBy(day)] ?? 0) : askedBy(this.#ledger, day);
  }

  /** Principal that was paid of the rows due after a day. */
  paidOfLater(day: Day): number {
    return this.#isInOrder ? this.#allPaidCents - (this.#paid[this.#lastDueBy(day)] ?? 0) : paidOfLater(this.#ledger, day);
  }

  #lastDueBy(day: Day): number {
    let at = this.#dueDays.length - 1;
    while (at >= 0 && (this.#dueDays[at] ?? day) > day) at -= 1;
    return at;
  }
}

/** Principal that was paid of a row's own principal. */
export const paidOfOwn = (row: Installment): number =>
  row.kind === 'regular' ? Math.max(0, row.paid.principal - (row.due.principal - ownPrincipal(row))) : 0;

export function askedBy({ installments }: ScheduledLedger, day: Day): number {
  let cents = 0;
  for (const { dueDay, due, movedOut } of installments) if (dueDay <= day) cents += due.principal + movedOut.principal;
  return cents;
}

export function paidOfLater({ installments }: ScheduledLedger, day: Day): number {
  let cents = 0;
  for (const { dueDay, paid } of installments) if (dueDay > day) cents += paid.principal;
  return cents;
}
