import type { tags } from 'typia';
import type { AnyId, DateText, ExternalId, ShortText, Text } from '../../wire.js';
import type { ActionRequest, Duration, FrequencyValue, LoanAmount } from '../requests.js';

/** Bodies of what changes a schedule (loan-terms 1 and 4). */

type SpecificDays = readonly (number | ShortText)[] & tags.MaxItems<2>;

/** Of what was agreed while another system serviced the loan. */
interface PastRequest {
  readonly migration?: { readonly effectiveDate: DateText } | null;
}

interface ToolRequest extends ActionRequest, PastRequest {
  /** The modification fee of the product is not charged. */
  readonly waiveFee?: boolean;
}

export interface ChangeDueDatesRequest extends ToolRequest {
  readonly dueDatesFrequency: FrequencyValue;
  readonly specificDays?: SpecificDays | null;
  readonly agreementDocumentId?: AnyId | null;
}

export interface DeferDueDateRequest extends ToolRequest {
  readonly existingDueDate: DateText;
  /** A later due date; null or absent: one more after the last. */
  readonly newDueDate?: DateText | null;
}

export interface DeferScheduleRequest extends ToolRequest {
  readonly days: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<3660>;
  /** Default: the next due date. */
  readonly startDueDate?: DateText | null;
}

export interface ChangeLoanTermsRequest extends ToolRequest {
  readonly selectedDueDate: DateText;
  readonly isExtendLoanDuration?: boolean;
  /** Due dates from the selected one on; of interest alone, when `isInterestOnly`. */
  readonly numberOfPeriods?: Duration | null;
  readonly isInterestOnly?: boolean;
  readonly amount?: LoanAmount | null;
  readonly dueDatesFrequency?: FrequencyValue | null;
  readonly specificDays?: SpecificDays | null;
  readonly agreementDocumentId?: AnyId | null;
}

export interface CreatePaymentPlanRequest extends ActionRequest, PastRequest {
  readonly externalId?: ExternalId | null;
  readonly paymentPlanType: 'fixedAmountAndFees' | 'interestOnlyAndFees';
  readonly numberOfPeriods: Duration;
  /** Of `fixedAmountAndFees`. */
  readonly amount?: LoanAmount | null;
  /** Default: the next due date. */
  readonly selectedDueDate?: DateText | null;
  readonly isExtendLoanDuration?: boolean;
}

export interface CancelPaymentPlanRequest extends ActionRequest, PastRequest {
  readonly reasonDetails?: Text | null;
}
