import type { Day } from '../../../engine/index.js';
import { livePlacement } from '../collection/index.js';
import type { LoanState } from '../state.js';

/**
 * Since when a collection agency has the loan; null: none has it. A debt that the agency has bought is not placed. Account status 93
 * follows for a loan that is not charged off, as after a charge-off that was reversed; charged-off loans keep 97.
 */
export function placedOn(state: Pick<LoanState, 'parties'>): Day | null {
  const placement = livePlacement(state);
  return placement?.status === 'assigned' && placement.assignmentType !== 'wholeSale' ? placement.assignedOn : null;
}
