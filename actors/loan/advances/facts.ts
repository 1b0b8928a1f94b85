import type { Day } from '../../../engine/index.js';
import type { LoanAdvance, NewAdvance } from './advance.js';
import type { AdvanceStatus } from './machine.js';

export interface AdvanceMade {
  readonly advance: NewAdvance;
  readonly caseId: string | null;
}

export interface AdvanceChanged {
  readonly advanceId: string;
  readonly changes: Partial<Pick<LoanAdvance, 'amountCents' | 'details' | 'metaData' | 'externalId'>>;
}

export interface AdvanceMoved {
  readonly advanceId: string;
  readonly status: AdvanceStatus;
  /** Of an advance that settles: the ledger's number, and the day that it counts from. */
  readonly number: number | null;
  readonly day: Day;
}

/** Facts about advances; what they do to the ledger is a ledger fact of its own, which follows. */
export interface AdvanceFacts {
  readonly AdvanceMade: AdvanceMade;
  readonly AdvanceChanged: AdvanceChanged;
  readonly AdvanceMoved: AdvanceMoved;
}
