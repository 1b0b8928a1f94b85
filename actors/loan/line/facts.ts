import type { LimitChanged } from '../../../engine/index.js';
import type { LedgerChange, LedgerChanged } from '../facts.js';

/** Another limit of the line or of a draw; `reason` is the adverse action's. */
export interface CreditLimitChanged extends LedgerChanged {
  readonly change: LedgerChange<LimitChanged>;
  readonly sendNotice: boolean;
}

export interface LineFacts {
  readonly CreditLimitChanged: CreditLimitChanged;
}
