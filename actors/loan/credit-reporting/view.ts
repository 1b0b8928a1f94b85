import { must } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { QuerySpec, QueryContext } from '../../kernel/actor.js';
import { pageOf } from '../../list-order.js';
import { dateText, dateTimeText, dayOfText, orNull } from '../../wire.js';
import { requirePerson } from '../context.js';
import type { LoanState } from '../state.js';
import { statusNamed } from './evolve.js';
import type {
  CreditRecord,
  CreditRecordsQuery,
  CreditRecordView,
  CreditReportingStatus,
  CreditReportingStatusView,
  ReportedFields,
} from './types.js';

export const statusOfLoan = (state: LoanState, id: string | undefined): CreditReportingStatus =>
  statusNamed(state, id) ?? refuse('notFound', `The loan ${state.id} has no credit reporting ${id ?? ''}.`);

export const reportingView = (state: LoanState, known: CreditReportingStatus): CreditReportingStatusView => ({
  id: known.id,
  object: 'creditReportingStatus',
  loanId: state.id,
  creditAgencyId: known.creditAgencyId,
  reportingStartDate: dateText(known.startDay),
  reportingEndDate: orNull(dateText, known.endDay),
  status: known.status,
  accountStatusCode: known.accountStatusCode,
  metro2: { accountStatusCode: known.finalStatusCode },
  deletedReason: known.deletedReason,
  deletedReasonDetails: known.deletedReasonDetails,
  createdAt: dateTimeText(known.createdAt),
  updatedAt: dateTimeText(known.updatedAt),
  deletedAt: null,
});

export const fieldsView = (fields: ReportedFields): CreditRecordView['metro2'] => ({
  ...fields,
  dateOpened: orNull(dateText, fields.dateOpened),
  dateOfAccountInformation: orNull(dateText, fields.dateOfAccountInformation),
  dateOfFirstDelinquency: orNull(dateText, fields.dateOfFirstDelinquency),
  dateClosed: orNull(dateText, fields.dateClosed),
  dateOfLastPayment: orNull(dateText, fields.dateOfLastPayment),
});

const recordView = (state: LoanState, record: CreditRecord): CreditRecordView => ({
  id: record.id,
  object: 'creditReportingRecord',
  loanId: state.id,
  reportingStatusId: record.statusId,
  creditAgencyId: record.creditAgencyId,
  creditReportingFileId: record.fileId,
  activityDate: dateText(record.activityDay),
  outcome: record.outcome,
  metro2: fieldsView(record.fields),
  checks: record.checks,
  createdAt: dateTimeText(record.createdAt),
  updatedAt: null,
  deletedAt: null,
});

export const creditReportingQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'creditReporting.list',
    on: 'target',
    read({ state, env, query, request }: QueryContext<LoanState, object>) {
      requirePerson(state, request.params['personId'], env);
      return pageOf(
        state.creditReporting.statuses.toReversed(),
        query,
        (known) => reportingView(state, known),
        () => null,
      );
    },
  },
  {
    kind: 'loan',
    type: 'creditReporting.get',
    on: 'target',
    read({ state, env, request }) {
      requirePerson(state, request.params['personId'], env);
      return reportingView(state, statusOfLoan(state, request.params['reportingStatusId']));
    },
  },
  {
    kind: 'loan',
    type: 'creditReporting.records',
    on: 'target',
    read({ state, env, query, request }: QueryContext<LoanState, CreditRecordsQuery>) {
      requirePerson(state, request.params['personId'], env);
      const { creditAgencyId, fromDate, toDate, ...page } = query;
      const from = fromDate === undefined ? -Infinity : dayOfText(fromDate);
      const to = toDate === undefined ? Infinity : dayOfText(toDate);
      const wanted = state.creditReporting.records.filter(
        (record) =>
          (creditAgencyId === undefined || record.creditAgencyId === creditAgencyId) &&
          record.activityDay >= from &&
          record.activityDay <= to,
      );
      return pageOf(
        wanted.toReversed(),
        page,
        (record) => recordView(state, record),
        () => null,
      );
    },
  },
];

export const newestStatus = (state: LoanState): CreditReportingStatus =>
  must(state.creditReporting.statuses.at(-1), 'a status that was started');
