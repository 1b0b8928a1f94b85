import { must } from '../../../engine/index.js';
import type { EventDraft } from '../../kernel/fact.js';
import { dateText } from '../../wire.js';
import { recordOf } from '../context.js';
import type { Applying } from '../applying.js';
import type { LoanState } from '../state.js';
import type { CreditRecord, CreditReporting, CreditReportingStatus, OneTimeFields, OneTimeValues } from './types.js';

/** Facts about the credit reporting of a loan. */
export interface CreditReportingFacts {
  readonly CreditReportingStarted: Pick<CreditReportingStatus, 'id' | 'creditAgencyId' | 'startDay'> & { readonly caseId: string | null };
  readonly CreditReportingFieldsSet: OneTimeFields & { readonly caseId: string | null };
  readonly CreditReportingStopped: Pick<CreditReportingStatus, 'id' | 'endDay' | 'finalStatusCode'> & { readonly caseId: string | null };
  readonly CreditReportingDeleted: Pick<
    CreditReportingStatus,
    'id' | 'endDay' | 'finalStatusCode' | 'deletedReason' | 'deletedReasonDetails'
  > & { readonly caseId: string | null };
  /** The record of a month, made for a file. */
  readonly CreditReported: Omit<CreditRecord, 'createdAt' | 'oneTime'>;
  /** The file with the record failed. */
  readonly CreditReportNotSent: Pick<CreditRecord, 'id'>;
}

/** The status of a loan's reporting to an agency as it begins. */
export const startedStatus = (
  begun: Pick<CreditReportingStatus, 'id' | 'creditAgencyId' | 'startDay'>,
  at: number,
): CreditReportingStatus => ({
  ...begun,
  endDay: null,
  status: 'active',
  accountStatusCode: null,
  finalStatusCode: null,
  deletedReason: null,
  deletedReasonDetails: null,
  createdAt: at,
  updatedAt: at,
});

export const APPLY_CREDIT_REPORTING: {
  readonly [Type in keyof CreditReportingFacts]: (applying: Applying, body: CreditReportingFacts[Type]) => void;
} = {
  CreditReportingStarted({ state, fact, emit }, { caseId: _case, ...body }) {
    const at = fact.businessAt;
    const started = startedStatus(body, at);
    put(state, { statuses: [...state.creditReporting.statuses, started] });
    emit?.(statusEvent(state, 'loan.creditreporting.created', started));
  },
  CreditReportingFieldsSet({ state }, { caseId: _case, ...fields }) {
    put(state, { oneTime: fields });
  },
  CreditReportingStopped(applying, { caseId: _case, id, ...changes }) {
    const { status } = must(statusNamed(applying.state, id), `the credit reporting ${id}`);
    const stopped = change(applying, id, { ...changes, status: 'stopping' });
    if (status === 'active') applying.emit?.(statusEvent(applying.state, 'loan.creditreporting.stopped', stopped));
  },
  CreditReportingDeleted(applying, { caseId: _case, id, ...changes }) {
    const { status } = must(statusNamed(applying.state, id), `the credit reporting ${id}`);
    const deleted = change(applying, id, { ...changes, status: 'deleting' });
    if (status === 'active') applying.emit?.(statusEvent(applying.state, 'loan.creditreporting.stopped', deleted));
  },
  CreditReported(applying, body) {
    const { state, fact } = applying;
    const { records, oneTime } = state.creditReporting;
    const record: CreditRecord = { ...body, createdAt: fact.businessAt };
    const isUsing = body.outcome !== 'held' && oneTime?.forAgencies.includes(body.creditAgencyId) === true;
    put(state, { records: [...records, isUsing ? { ...record, oneTime: valuesOf(oneTime) } : record] });
    if (body.outcome === 'held') return;
    const { status } = must(statusNamed(state, body.statusId), `the credit reporting ${body.statusId}`);
    const ended = status === 'stopping' ? 'stopped' : status === 'deleting' ? 'deleted' : status;
    change(applying, body.statusId, { accountStatusCode: body.fields.accountStatus, status: ended });
    if (oneTime === null) return;
    const forAgencies = oneTime.forAgencies.filter((id) => id !== body.creditAgencyId);
    put(state, { oneTime: forAgencies.length === 0 ? null : { ...oneTime, forAgencies } });
  },
  CreditReportNotSent({ state, fact }, { id }) {
    state.creditReporting = withoutSent(state.creditReporting, id, fact.businessAt);
  },
};

const valuesOf = ({ specialComment, ecoaCode, complianceConditionCode }: OneTimeValues): OneTimeValues => ({
  specialComment,
  ecoaCode,
  complianceConditionCode,
});

const REOPENED: Readonly<Partial<Record<CreditReportingStatus['status'], CreditReportingStatus['status']>>> = {
  stopped: 'stopping',
  deleted: 'deleting',
};

/** The reporting after the newest record of a status turned out not to have been sent: what it ended and used waits for the next one. */
export function withoutSent(reporting: CreditReporting, recordId: string, at: number): CreditReporting {
  const {
    creditAgencyId,
    statusId,
    oneTime: used,
  } = must(
    reporting.records.find(({ id }) => id === recordId),
    `the record ${recordId}`,
  );
  const records = reporting.records.map((record) => (record.id === recordId ? { ...record, outcome: 'notSent' as const } : record));
  const last = records.findLast((record) => record.statusId === statusId && record.outcome === 'reported');
  const accountStatusCode = last?.fields.accountStatus ?? null;
  const statuses = reporting.statuses.map((known) =>
    known.id === statusId ? { ...known, accountStatusCode, status: REOPENED[known.status] ?? known.status, updatedAt: at } : known,
  );
  return { records, statuses, oneTime: waitingAgain(reporting.oneTime, used, creditAgencyId) };
}

/** Fields that were set meanwhile replace those that were not sent. */
function waitingAgain(waiting: OneTimeFields | null, used: OneTimeValues | undefined, agencyId: string): OneTimeFields | null {
  if (used === undefined) return waiting;
  if (waiting === null) return { ...used, forAgencies: [agencyId] };
  const isSame = ONE_TIME_VALUES.every((name) => waiting[name] === used[name]);
  return isSame && !waiting.forAgencies.includes(agencyId) ? { ...waiting, forAgencies: [...waiting.forAgencies, agencyId] } : waiting;
}

const ONE_TIME_VALUES = ['specialComment', 'ecoaCode', 'complianceConditionCode'] as const;

function put(state: LoanState, changes: Partial<CreditReporting>): void {
  state.creditReporting = { ...state.creditReporting, ...changes };
}

function change({ state, fact }: Applying, id: string, changes: Partial<CreditReportingStatus>): CreditReportingStatus {
  const before = must(statusNamed(state, id), `the credit reporting ${id}`);
  const changed: CreditReportingStatus = { ...before, ...changes, updatedAt: fact.businessAt };
  put(state, { statuses: state.creditReporting.statuses.map((known) => (known.id === id ? changed : known)) });
  return changed;
}

export const statusNamed = ({ creditReporting }: LoanState, id: string | undefined): CreditReportingStatus | undefined =>
  creditReporting.statuses.find((known) => known.id === id);

function statusEvent(
  state: LoanState,
  eventType: string,
  { id, creditAgencyId, startDay, endDay, status }: CreditReportingStatus,
): EventDraft {
  const { personId, externalId } = recordOf(state);
  return {
    eventType,
    objectType: 'creditReportingStatus',
    objectId: id,
    refs: { loanId: state.id, personId },
    externalIds: { loanId: externalId },
    data: {
      creditAgencyId,
      reportingStartDate: dateText(startDay),
      reportingEndDate: endDay === null ? null : dateText(endDay),
      status,
    },
  };
}
