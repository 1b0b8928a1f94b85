import type { tags } from 'typia';
import type { PromoKind } from '../../company/index.js';
import type { Amount, AnyId, DateText, DateTimeText, ExternalId, MetaData, RateValue, Whole } from '../../wire.js';
import type { ActionRequest } from '../requests.js';
import type { PromoCancelReason } from './program.js';

/** Bodies, queries and replies of promo programs. */

type PromoDays = Whole & tags.Maximum<36500>;

interface PromoTermsRequest {
  /** Not together with `promoDurationDays`. */
  readonly promoEndDate?: DateText | null;
  readonly promoDurationDays?: (PromoDays & tags.Minimum<1>) | null;
  readonly promoGracePeriodDays?: PromoDays | null;
  readonly disqualifyOverdueDays?: (PromoDays & tags.Minimum<1>) | null;
  /** Another spelling of `disqualifyOverdueDays`. */
  readonly sacDisqualifyOverdueDays?: (PromoDays & tags.Minimum<1>) | null;
  readonly metaData?: MetaData | null;
  readonly externalId?: ExternalId | null;
}

export interface CreatePromoProgramRequest extends ActionRequest, PromoTermsRequest {
  readonly promoTypeId: AnyId;
  /** Lines of credit and draws only allow `pending`. */
  readonly status: 'pending' | 'active';
  /** Default: the day of activation. */
  readonly promoStartDate?: DateText | null;
  /** For lines of credit and draws, instead of `promoStartDate`. */
  readonly promoStartDatetime?: DateTimeText | null;
}

export interface UpdatePromoProgramRequest extends ActionRequest, PromoTermsRequest {}

export interface CancelPromoProgramRequest extends ActionRequest {
  readonly promoCancelReason?: 'adminError' | 'borrowerRequest';
}

type PromoStatusValue = 'pending' | 'active' | 'exercised' | 'canceled' | 'expired';

export interface ListPromoProgramsQuery {
  readonly status?: readonly PromoStatusValue[];
}

export interface PromoProgramsReply {
  readonly promoPrograms: readonly PromoProgramReply[];
}

export interface PromoProgramReply {
  readonly id: string;
  /** The draw, for a draw's program. */
  readonly drawId: string | null;
  readonly externalId: string | null;
  readonly promoTypeId: string;
  readonly status: PromoStatusValue;
  readonly promoType: PromoKind;
  readonly displayName: string;
  readonly description: string | null;
  readonly promoStartDate: DateText;
  readonly promoStartDatetime: DateTimeText | null;
  readonly promoEndDate: DateText;
  readonly promoDurationDays: number;
  readonly promoGracePeriodDays: number;
  readonly disqualifyOverdueDays: number | null;
  /** The end with the days of grace. */
  readonly promoEffectiveEndDate: DateText;
  /** For a reduced rate: by how much the interest rate is reduced. */
  readonly promoRate: RateValue | null;
  readonly promoCancelReason: PromoCancelReason | null;
  readonly promoCanceledBy: PromoCanceledBy | null;
  /** The promo rate that was added when it was exercised, in the interface's spelling. */
  readonly sacExcercisedRateId: string | null;
  /** The amount left to pay by the effective end; null if the program can no longer be earned. */
  readonly remainingAmountToExercise: Amount | null;
  /** The interest that would be waived, or was. */
  readonly totalDeferredInterestAmount: Amount | null;
  readonly metaData: MetaData | null;
  readonly caseId: string | null;
  readonly timestamps: {
    readonly createdAt: DateTimeText;
    readonly activatedAt: DateTimeText | null;
    readonly reactivatedAt: DateTimeText | null;
    readonly canceledAt: DateTimeText | null;
    readonly exercisedAt: DateTimeText | null;
  };
}

interface PromoCanceledBy {
  readonly id: string;
  readonly name: string | null;
  readonly userType: string;
  readonly descriptor: string | null;
  readonly employee: { readonly id: string | null };
}
