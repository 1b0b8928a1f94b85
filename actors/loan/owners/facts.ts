import type { Day, Rate } from '../../../engine/index.js';

/** An owner of a loan, or of a share of it. */
export interface LoanOwner {
  readonly id: string;
  readonly investorId: string;
  readonly share: Rate;
  /** What it has paid for principal that it did not own before, as a part of that principal. Absent: nothing was said. */
  readonly priceRatio?: Rate;
  /** The next credit file has a K2 segment that says that the loan was sold to this owner. */
  readonly isK2SegmentReported: boolean;
}

export interface OwnerFacts {
  readonly OwnersChanged: OwnersChanged;
}

/** The loan belongs to these owners from a day on. */
export interface OwnersChanged {
  readonly effectiveDay: Day;
  readonly owners: readonly LoanOwner[];
  readonly caseId: string | null;
  /** The change of many loans that it is part of. */
  readonly ownerChangeId: string | null;
}

/** The same in the state of the loan. */
export interface RecordedOwners extends OwnersChanged {
  /** Milliseconds of the company's clock. */
  readonly recordedAt: number;
}
