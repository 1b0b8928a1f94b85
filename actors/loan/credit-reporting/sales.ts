import { type Day, metro2, ownersOn } from '../../../engine/index.js';
import { collectionAgencyOf, companyOf, investorOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { placementOn } from '../collection/index.js';
import { ownershipOf } from '../owners/index.js';
import type { LoanState } from '../state.js';

const NAME_LENGTH = 30;
const BOUGHT = '1';
const SOLD = '2';

/**
 * The segment K2 of a record. A sale whose report was asked for names the buyer as long as the buyer has the loan; else
 * a loan that was migrated names its seller. Null: neither.
 */
export function saleOf(env: EvolveEnv, state: LoanState, activityDay: Day): metro2.AccountRecord['K2'] {
  const buyer = metro2.fieldText(buyerOf(env, state, activityDay), NAME_LENGTH);
  if (buyer !== null) return { purchasedSoldIndicator: SOLD, purchasedSoldName: buyer };
  const seller = metro2.fieldText(state.migration?.creditReporting?.purchasedFromName, NAME_LENGTH);
  return seller === null ? null : { purchasedSoldIndicator: BOUGHT, purchasedSoldName: seller };
}

/** The collection agency that has the loan, else the first of its owners; null where their sale is not to be reported. */
function buyerOf(env: EvolveEnv, state: LoanState, day: Day): string | null {
  const company = companyOf(env, state.tenant);
  const placement = placementOn(state, day);
  if (placement?.isK2SegmentReported === true) return collectionAgencyOf(company, placement.agencyId)?.stored.legalName ?? null;
  const owner = ownersOn(ownershipOf(state, env), day).find(({ isK2SegmentReported }) => isK2SegmentReported);
  return owner === undefined ? null : (investorOf(company, owner.investorId)?.stored.legalName ?? null);
}
