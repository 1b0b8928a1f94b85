import type { Cents, Day } from '../../../engine/index.js';
import type { AdvanceDetails, MetaData } from '../origination/terms.js';
import type { AdvanceStatus } from './machine.js';

/** Money that is paid out to the borrower after activation, or is planned to be. */
export interface LoanAdvance {
  readonly id: string;
  readonly externalId: string | null;
  readonly status: AdvanceStatus;
  readonly amountCents: Cents;
  readonly originalCents: Cents;
  readonly day: Day;
  /** Since midnight; null: at the end of a past day, now for today. */
  readonly seconds: number | null;
  /** Its number in the ledger's facts; null while it has raised no principal, and for what activation paid out. */
  readonly number: number | null;
  readonly details: AdvanceDetails | null;
  readonly metaData: MetaData | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly settledAt: number | null;
  readonly canceledAt: number | null;
}

/** What the envelope gives a new advance is left out. */
export type NewAdvance = Omit<LoanAdvance, 'originalCents' | 'createdAt' | 'updatedAt' | 'settledAt' | 'canceledAt'>;
