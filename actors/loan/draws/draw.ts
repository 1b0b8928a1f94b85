import type { AutoAmortization, Cents, DrawType, Rate } from '../../../engine/index.js';
import type { Agent } from '../../kernel/fact.js';
import type { LoanStatus } from '../machine.js';
import type { AdditionalPerson } from '../people/person.js';
import type {
  DynamicFeeTerms,
  InterestRateBand,
  MerchantDiscount,
  MetaData,
  MinPaymentTerms,
  PromoRateBand,
} from '../origination/terms.js';
import type { RateRow } from '../rates/rows.js';
import type { DeclineReason, LoanTimestamps } from '../state.js';

/** A draw of a line of credit: a record of its own within the line's loan. Replaced, never written. */
export interface Draw {
  /** Its number in the line's ledger facts: its place among the line's draws, from 1. */
  readonly draw: number;
  /** `LN`, as of a loan. */
  readonly id: string;
  readonly externalId: string | null;
  readonly drawType: DrawType;
  /** Its own: `active` from its activation on. What the line's status makes of it is derived (`drawStatusOf`). */
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
  /** First counter of the ids that are derived: of its draw fee, then of its rates at origination. A static draw has none. */
  readonly idBase?: number;
  readonly createdStamp: number;
  readonly updatedAt: number;
  readonly createdBy: Agent;
}

/** A draw as the fact of its creation has it; the rest is in the envelope. */
export type NewDraw = Omit<Draw, 'createdStamp' | 'updatedAt' | 'createdBy'>;

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
  readonly dynamicFees: readonly DynamicFeeTerms[];
  readonly serviceFeeCents: Cents | null;
  readonly serviceFeeCapCents: Cents | null;
  readonly minPayment: MinPaymentTerms | null;
  readonly autoAmortization: AutoAmortization | null;
  readonly grace: { readonly isApplicable: boolean | null; readonly periodsToRestore: number | null } | null;
  readonly merchantDiscount: MerchantDiscount | null;
}

/** Its draw fee, a hundred interest rates and a hundred promo rates. */
export const DRAW_IDS = 201;

/** Draws that one line may have. */
export const MAX_DRAWS = 5_000;
