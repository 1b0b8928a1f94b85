import type { Allocation, LedgerEntry } from './entries.js';

/** All that a ledger has emitted. It is not stored, because it can be computed again. */
export interface Recorded<State, Entry, Event, Allocated, Accrued> {
  readonly state: State;
  /** In effective order. */
  readonly entries: readonly Entry[];
  readonly ledgerEvents: readonly Event[];
  readonly allocations: readonly Allocated[];
  readonly accruals: readonly Accrued[];
}

/** A watcher that collects what a ledger emits. The types are those of the kind of ledger. */
export class Recorder<Entry extends Pick<LedgerEntry, 'day' | 'seconds'>, Event, Allocated extends Allocation, Accrued> {
  readonly entries: Entry[] = [];
  readonly ledgerEvents: Event[] = [];
  readonly allocations: Allocated[] = [];
  readonly accruals: Accrued[] = [];

  happened(ledgerEvent: Event): void {
    this.ledgerEvents.push(ledgerEvent);
  }

  entered(entry: Entry): void {
    this.entries.push(entry);
  }

  allocated(allocation: Allocated): void {
    keepAllocation(this.allocations, allocation);
  }

  accrued(accrual: Accrued): void {
    this.accruals.push(accrual);
  }

  interestBooked(accrual: Accrued): void {
    this.accruals.push(accrual);
  }

  /** The record of a ledger. Sorts entries in effective order: the entries of one day may come in another order. */
  recordOf<State>(state: State): Recorded<State, Entry, Event, Allocated, Accrued> {
    const { ledgerEvents, allocations, accruals } = this;
    return {
      state,
      entries: [...this.entries].sort((a, b) => a.day - b.day || a.seconds - b.seconds),
      ledgerEvents,
      allocations,
      accruals,
    };
  }
}

/** Adds an allocation. Overpaid money that has paid other amounts since is not overpaid any more. */
export function keepAllocation<Kept extends Allocation>(allocations: Kept[], allocation: Kept): void {
  const isOver = ({ transaction, bucket }: Kept): boolean => transaction === allocation.transaction && bucket === 'paidOver';
  const at = allocation.amountCents < 0 && allocation.bucket === 'paidOver' ? allocations.findIndex(isOver) : -1;
  const over = allocations[at];
  if (over === undefined) {
    allocations.push(allocation);
    return;
  }
  const amountCents = over.amountCents + allocation.amountCents;
  allocations.splice(at, 1);
  if (amountCents > 0) allocations.push({ ...over, amountCents });
  else if (amountCents < 0) keepAllocation(allocations, { ...allocation, amountCents });
}
