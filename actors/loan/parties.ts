import type { Placement, RecordedCommission } from './collection/index.js';
import type { RecordedOwners } from './owners/index.js';
import type { MerchantReserve } from './payouts/merchant-reserve.js';
import type { RecordedRemittanceStatus, Remittance } from './remittances/index.js';

/** What a loan has to do with parties other than its borrowers. Lists are in the order of recording. */
export interface LoanParties {
  readonly ownerChanges: readonly RecordedOwners[];
  /** At collection agencies; at most the last has not ended. */
  readonly placements: readonly Placement[];
  /** What agencies have kept; absent: nothing. */
  readonly commissions?: readonly RecordedCommission[];
  /** What is held back of the money of its merchant; absent: nothing. */
  readonly merchantReserve?: MerchantReserve;
  /** What settlements have paid to investors. */
  readonly remittances: readonly Remittance[];
  /** What has become of their transfers; absent in snapshots of earlier releases. */
  readonly remittanceStatuses?: readonly RecordedRemittanceStatus[];
}

/** A loan that has nothing to do with any. */
export const NO_PARTIES: LoanParties = { ownerChanges: [], placements: [], remittances: [] };
