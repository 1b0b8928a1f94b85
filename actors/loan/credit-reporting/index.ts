export { reportingCanceled } from './cancellation.js';
export { creditReportingBegun, creditReportingCommands } from './decide.js';
export { fieldsView } from './view.js';
export {
  lineInFile,
  REPORT_CREDIT,
  reportCredit,
  reportOf,
  TAKE_BACK_REPORTS,
  takeBackReports,
} from './report.js';
export type {
  CreditFieldsRequest,
  CreditRecordsQuery,
  CreditRecordView,
  CreditReportingStatusView,
  DeleteCreditReportingRequest,
  ListCreditReportingQuery,
  ReportCredit,
  StartCreditReportingRequest,
  StopCreditReportingRequest,
} from './types.js';
export { creditReportingQueries } from './view.js';
