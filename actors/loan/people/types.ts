import type { PageQuery } from '../../list-order.js';
import type { AnyId, DateText, DateTimeText } from '../../wire.js';
import type { ActionRequest, LoanRelationType } from '../requests.js';

/** Bodies, queries and replies of the people on a loan. */

export interface AddLoanPersonRequest extends ActionRequest {
  readonly personId: AnyId;
  readonly loanRelationType: LoanRelationType;
  /** Default today. */
  readonly startDate?: DateText | null;
  readonly endDate?: DateText | null;
  readonly receivesNotices?: boolean;
}

/** Absent fields stay as they are; null removes the end date. */
export interface UpdateLoanPersonRequest extends ActionRequest {
  readonly loanRelationType?: LoanRelationType;
  readonly startDate?: DateText;
  readonly endDate?: DateText | null;
  readonly receivesNotices?: boolean;
}

export interface ListLoanPeopleQuery extends PageQuery {
  readonly loanRelationType?: LoanRelationType;
}

export interface LoanPersonView {
  readonly id: string;
  readonly personId: string;
  readonly loanRelationType: LoanRelationType;
  readonly startDate: DateText;
  readonly endDate: DateText | null;
  readonly receivesNotices: boolean;
  readonly createdAt: DateTimeText;
  readonly deletedAt: null;
}
