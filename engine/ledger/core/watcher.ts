import type { Day } from '../../calendar/index.js';
import type { Rate } from '../../money/index.js';
import type { Bucket, Component } from '../../waterfall/index.js';
import type { LedgerEntry } from './entries.js';
import type { LedgerEvent } from './ledger-events.js';
import type { Interest } from './interest.js';

/**
 * Is told, in order, what a ledger does. Watching never changes what is computed. Every method may be called many times
 * a day of the ledger's time; what a watcher leaves out is not made for it.
 */
export interface LedgerWatcher {
  happened(ledgerEvent: LedgerEvent): void;
  entered?(entry: LedgerEntry): void;
  accrued?(accrual: Accrual): void;
  allocated?(allocation: Allocation): void;
}

/** Interest of the days `[from, until)`, which share base and rate. */
export interface Accrual {
  readonly from: Day;
  readonly until: Day;
  readonly principalCents: number;
  readonly rate: Rate;
  readonly rateBeforeDiscount: Rate;
  readonly interest: Interest;
  readonly interestBeforeDiscount: Interest;
}

/** Where a cent of a payment went: one row a bucket and obligation that it met. */
export interface Allocation {
  readonly transaction: number;
  readonly bucket: Bucket | `chargedOff${Capitalize<Component>}` | 'paidOver';
  /** The obligation that the money fulfilled; null: none. */
  readonly obligation: number | null;
  readonly amountCents: number;
}
