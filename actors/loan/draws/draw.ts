import type { AutoAmortization, Cents, DrawType, Rate } from '../../../engine/index.js';
import type { Agent } from '../../runtime/fact.js';
import type { LoanStatus } from '../machine.js';
import type { AdditionalPerson } from '../people/person.js';
import type { InterestRateBand, MerchantDiscount, MetaData, PromoRateBand } from '../origination.js';
import type { RateRow } from '../rate-rows.js';
import type { DeclineReason, LoanTimestamps } from '../state.js';

/** A draw of a line of credit (loans.md 8): a record of its own within the line's loan. Replaced, never written. */
export interface Draw {
  /** Its number in the line's ledger facts. */
  readonly draw: number;
  /** `LN`, as of a loan. */
  readonly id: string;
  readonly externalId: string | null;
  readonly drawType: DrawType;
  /** While it is not active; the line's status and the ledger tell the rest. */
  readonly status: LoanStatus;
  readonly nickname: string;
  readonly isClosed: boolean;
  readonly declineReason: DeclineReason | null;
  readonly cancellationReason: string | null;
  readonly labels: readonly string[];
  readonly additionalPeople: readonly AdditionalPerson[];
  readonly metaData: MetaData | null;
  readonly atOrigination: DrawOrigination;
  /** All rates of its own once one was added or changed; null: the line's, or those of its origination. */
  readonly rates: readonly RateRow[] | null;
  readonly timestamps: LoanTimestamps;
  readonly createdStamp: number;
  readonly updatedAt: number;
  readonly createdBy: Agent;
}

/** What was given is kept; null means the line's. */
export interface DrawOrigination {
  readonly interestRates: readonly InterestRateBand[] | null;
  readonly promoRates: readonly PromoRateBand[] | null;
  readonly aprNominal: Rate | null;
  readonly aprEffective: Rate | null;
  /** A limit of its own, in one of two forms. */
  readonly creditLimitCents: Cents | null;
  readonly creditLimitPercentage: Rate | null;
  readonly drawFeeCents: Cents;
  readonly drawFeePercentageOfPrincipal: Rate;
  readonly serviceFeeCents: Cents | null;
  readonly serviceFeeCapCents: Cents | null;
  readonly minPayment: { readonly percentageOfPrincipal: Rate; readonly minCents: Cents } | null;
  readonly autoAmortization: AutoAmortization | null;
  readonly grace: { readonly isApplicable: boolean; readonly periodsToRestore: number } | null;
  readonly merchantDiscount: MerchantDiscount | null;
}
