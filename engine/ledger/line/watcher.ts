import type { LineFee } from './state.js';
import type { Accrual, Allocation } from '../core/watcher.js';
import type { EntryComponent, EntryLine, EntryType, LedgerEntry } from '../core/entries.js';
import type { LedgerEvent } from '../core/ledger-events.js';
/** Why balances of a line changed, beside what changes those of an installment loan. */
export type LineEntryType =
  | EntryType
  | 'purchase'
  | 'purchaseRefund'
  | 'drawFee'
  | 'minimumInterest'
  /** Interest of the days since the statement, when a grace is lost. */
  | 'graceLost'
  /** The same taken back, when a grace comes back. */
  | 'graceRestored'
  | 'balancesDeferred'
  | 'migration';

type LineEntryComponent = EntryComponent | 'drawFees';

export interface LineEntryLine extends Omit<EntryLine, 'component'> {
  readonly component: LineEntryComponent;
  /** Null: of the line itself, and the counter line. */
  readonly draw: number | null;
}

/** One change of balances. The lines with the counter line sum to zero. */
export interface LineEntry extends Omit<LedgerEntry, 'entryType' | 'lines'> {
  readonly entryType: LineEntryType;
  readonly lines: readonly LineEntryLine[];
}

type OfBothLedgers = Exclude<LedgerEvent, { readonly type: 'balanceChanged' }>;
type BalanceChanged = Extract<LedgerEvent, { readonly type: 'balanceChanged' }>;
type At = Pick<BalanceChanged, 'day' | 'seconds'>;

/** What a line reports while it moves forward. */
export type LineLedgerEvent =
  | OfBothLedgers
  | (Omit<BalanceChanged, 'cause'> & { readonly cause: LineEntryType | 'replay' })
  | (At & { readonly type: 'graceChanged'; readonly draw: number; readonly isEligible: boolean })
  | (At & {
      readonly type: 'minimumInterestCharged';
      readonly draw: number;
      readonly period: number;
      readonly amountCents: BalanceChanged['balances']['totalCents'];
    })
  | (At & { readonly type: 'drawFeeBooked'; readonly draw: number; readonly amountCents: BalanceChanged['balances']['totalCents'] })
  | (At & { readonly type: 'drawPaidOff'; readonly draw: number })
  | (At & { readonly type: 'feeCapitalized'; readonly of: FeeNamed; readonly amountCents: BalanceChanged['balances']['totalCents'] });

/** What tells a fee of a line from all others. */
type FeeNamed = Pick<LineFee, 'draw' | 'origin' | 'fee' | 'feeTypeId' | 'obligation'>;

/** Is told, in order, what a line's ledger does. Watching never changes what is computed. */
export interface LineWatcher {
  happened(ledgerEvent: LineLedgerEvent): void;
  entered?(entry: LineEntry): void;
  accrued?(accrual: LineAccrual): void;
  allocated?(allocation: LineAllocation): void;
}

export interface LineAccrual extends Accrual {
  readonly draw: number;
  /** A grace came back: nothing accrues on these days, whatever was told of them before. */
  readonly isTakenBack?: true;
}

/** Where a cent of a payment went; draw null: the line's own fees, and what was paid over. */
export interface LineAllocation extends Allocation {
  readonly draw: number | null;
}
