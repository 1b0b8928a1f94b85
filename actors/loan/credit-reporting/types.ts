import type { tags } from 'typia';
import type { Day, metro2 } from '../../../engine/index.js';
import type { PageQuery } from '../../list-order.js';
import type { AnyId, DateText, DateTimeText, Text } from '../../wire.js';

/*
 * The credit reporting of a loan: one status for each agency, and what was reported month by month.
 *
 *   active ─► stopping ─► stopped       the final report is in the next file
 *   active, stopping, stopped ─► deleting ─► deleted
 *
 * If the file with the last record failed, `stopped` is `stopping` again, and `deleted` is `deleting`.
 */

type ReportingStatus = 'active' | 'stopping' | 'stopped' | 'deleting' | 'deleted';

type DeletedReason = 'legal' | 'fraud' | 'reportedInError' | 'borrowerDispute' | 'other';

/** The reporting of a loan to one agency. Replaced, never changed. */
export interface CreditReportingStatus {
  readonly id: string;
  readonly creditAgencyId: string;
  readonly startDay: Day;
  readonly endDay: Day | null;
  readonly status: ReportingStatus;
  /** That of the last report. */
  readonly accountStatusCode: string | null;
  /** The code of the final report, as the caller has set it. */
  readonly finalStatusCode: string | null;
  readonly deletedReason: DeletedReason | null;
  readonly deletedReasonDetails: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Fields of the base segment, as a caller sets them for one report. */
export interface OneTimeValues {
  readonly specialComment: string | null;
  readonly ecoaCode: string | null;
  readonly complianceConditionCode: string | null;
}

/** For the next report to each agency. */
export interface OneTimeFields extends OneTimeValues {
  /** The agencies that have not got them yet. */
  readonly forAgencies: readonly string[];
}

/** A check that a record has met. */
export interface MetCheck {
  readonly check: string;
  readonly fields: readonly string[];
}

/** What was reported of a month, or would have been: all fields of the base segment that are no personal data. */
export interface ReportedFields {
  readonly identificationNumber: string | null;
  readonly consumerAccountNumber: string | null;
  readonly portfolioType: string | null;
  readonly accountType: string | null;
  readonly dateOpened: Day | null;
  readonly creditLimit: number;
  readonly highestCredit: number;
  readonly termsDuration: string | null;
  readonly termsFrequency: string | null;
  readonly scheduledMonthlyPayment: number;
  readonly actualPayment: number;
  readonly accountStatus: string | null;
  readonly paymentRating: string | null;
  readonly paymentHistoryProfile: string | null;
  readonly specialComment: string | null;
  readonly complianceConditionCode: string | null;
  readonly currentBalance: number;
  readonly amountPastDue: number;
  readonly originalChargeOffAmount: number;
  readonly dateOfAccountInformation: Day | null;
  readonly dateOfFirstDelinquency: Day | null;
  readonly dateClosed: Day | null;
  readonly dateOfLastPayment: Day | null;
  readonly interestType: string | null;
  readonly ecoaCode: string | null;
  readonly consumerInformationIndicator: string | null;
}

export interface CreditRecord {
  readonly id: string;
  readonly statusId: string;
  readonly creditAgencyId: string;
  readonly fileId: string;
  /** The last day of the month. */
  readonly activityDay: Day;
  /** `held`: it must not be sent as it is, and is not in the file. `notSent`: its file failed, so the agency does not have it. */
  readonly outcome: 'reported' | 'held' | 'notSent';
  readonly fields: ReportedFields;
  /** The indicators of other people on the loan, by their ids. Absent: nobody else is on it, or it is of an earlier release. */
  readonly otherIndicators?: Readonly<Record<string, string | null>>;
  /** The segment L1; absent in records of earlier releases. */
  readonly numberChange?: metro2.NumberChange | null;
  /** Why it is held; for a record that was reported, what to know of it. */
  readonly checks: readonly MetCheck[];
  /** The one-time fields that it used. Absent: none. */
  readonly oneTime?: OneTimeValues;
  readonly createdAt: number;
}

export interface CreditReporting {
  /** In the order of their start. */
  readonly statuses: readonly CreditReportingStatus[];
  readonly oneTime: OneTimeFields | null;
  /** In the order of recording. */
  readonly records: readonly CreditRecord[];
}

/** Loans that are not reported share this object. */
export const NO_CREDIT_REPORTING: CreditReporting = { statuses: [], oneTime: null, records: [] };

/** The file for which loans are reported. */
export interface ReportCredit {
  readonly fileId: string;
  readonly creditAgencyId: string;
  readonly activityDay: Day;
}

export type AccountStatusCode =
  | '05'
  | '11'
  | '13'
  | '61'
  | '62'
  | '63'
  | '64'
  | '65'
  | '71'
  | '78'
  | '80'
  | '82'
  | '83'
  | '84'
  | '88'
  | '89'
  | '93'
  | '94'
  | '95'
  | '96'
  | '97'
  | 'DA'
  | 'DF';

export interface StartCreditReportingRequest {
  readonly creditAgencyId: AnyId;
  /** Months that end before it are not reported. */
  readonly reportingStartDate: DateText;
  readonly caseId?: AnyId | null;
}

export interface CreditFieldsRequest {
  readonly metro2: {
    readonly specialCommentBaseSegment?: ('B' | 'CN' | 'CO' | 'M' | 'O' | 'AC' | 'AI' | 'AP' | 'AU' | 'AW' | 'CI') | null;
    readonly ecoaCodeBaseSegment?: ('1' | '2' | '3' | '5' | '7' | 'T' | 'X' | 'W' | 'Z') | null;
    readonly complianceConditionCode?: ('XA' | 'XB' | 'XC' | 'XD' | 'XE' | 'XF' | 'XG' | 'XH' | 'XJ' | 'XR') | null;
  };
  readonly caseId?: AnyId | null;
}

export interface StopCreditReportingRequest {
  /** Default today. */
  readonly reportingEndDate?: DateText | null;
  readonly metro2?: { readonly accountStatusCode?: AccountStatusCode | null } | null;
  readonly caseId?: AnyId | null;
}

export interface DeleteCreditReportingRequest {
  readonly deletedReason: DeletedReason;
  readonly deletedReasonDetails?: Text | null;
  readonly metro2?: { readonly accountStatusCode?: AccountStatusCode | null } | null;
  readonly caseId?: AnyId | null;
}

export type ListCreditReportingQuery = PageQuery;

export interface CreditRecordsQuery extends PageQuery {
  readonly creditAgencyId?: AnyId;
  /** The first and the last activity date. */
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
}

export interface CreditReportingStatusView {
  readonly id: string & tags.MaxLength<20>;
  readonly object: 'creditReportingStatus';
  readonly loanId: string;
  readonly creditAgencyId: string;
  readonly reportingStartDate: DateText;
  readonly reportingEndDate: DateText | null;
  readonly status: ReportingStatus;
  readonly accountStatusCode: string | null;
  readonly metro2: { readonly accountStatusCode: string | null };
  readonly deletedReason: DeletedReason | null;
  readonly deletedReasonDetails: string | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
}

type DateOf<Value> = Value extends Day ? DateText : Value;

export interface CreditRecordView {
  readonly id: string;
  readonly object: 'creditReportingRecord';
  readonly loanId: string;
  readonly reportingStatusId: string;
  readonly creditAgencyId: string;
  readonly creditReportingFileId: string;
  readonly activityDate: DateText;
  readonly outcome: CreditRecord['outcome'];
  readonly metro2: {
    readonly [Name in keyof ReportedFields]: ReportedFields[Name] extends Day | null ? DateText | null : DateOf<ReportedFields[Name]>;
  };
  readonly checks: readonly MetCheck[];
  readonly createdAt: DateTimeText;
  readonly updatedAt: null;
  readonly deletedAt: null;
}
