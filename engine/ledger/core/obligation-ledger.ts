import type { Day } from '../../calendar/index.js';
import type { EntrySource } from './entries.js';
import type { LedgerEvent } from './ledger-events.js';
import type { LedgerStatus, ObligationState, StandingOrders } from './state.js';
import type { LedgerSettings, Since } from './terms.js';

/** What following obligations, statuses and settings needs of a ledger: installment loans and lines of credit have it alike. */
export interface ObligationLedger {
  readonly terms: { readonly settings: readonly Since<LedgerSettings>[] };
  readonly watcher: { happened(ledgerEvent: LedgerEvent): void } | null;
  readonly orders: StandingOrders;
  seconds: number;
  source: EntrySource;
  readonly day: Day;
  status: LedgerStatus;
  statusSince: Day;
  readonly thresholdHolders: readonly string[];
  settingsIndex: number;
  /** By due date. */
  readonly obligations: readonly ObligationState[];
  /** Every obligation before this position is fulfilled. */
  firstOpenObligation: number;
  /** Before this position no enforcement is to come. Only saves looking: zero is always right. */
  firstUnenforced: number;
  isOverdue: boolean;
}
