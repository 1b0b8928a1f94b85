import { must } from '../../../engine/index.js';
import type { EventDraft } from '../../kernel/fact.js';
import { dateText } from '../../wire.js';
import { recordOf } from '../context.js';
import type { Applying } from '../applying.js';
import type { LoanState } from '../state.js';
import type { CreditRecord, CreditReporting, CreditReportingStatus, OneTimeFields } from './types.js';

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
  readonly CreditReported: Omit<CreditRecord, 'createdAt'>;
}

export const APPLY_CREDIT_REPORTING: {
  readonly [Type in keyof CreditReportingFacts]: (applying: Applying, body: CreditReportingFacts[Type]) => void;
} = {
  CreditReportingStarted({ state, fact, emit }, { caseId: _case, ...body }) {
    const at = fact.businessAt;
    const started: CreditReportingStatus = {
      ...body,
      endDay: null,
      status: 'active',
      accountStatusCode: null,
      finalStatusCode: null,
      deletedReason: null,
      deletedReasonDetails: null,
      createdAt: at,
      updatedAt: at,
    };
    put(state, { statuses: [...state.creditReporting.statuses, started] });
    emit?.(statusEvent(state, 'loan.creditreporting.created', started));
  },
  CreditReportingFieldsSet({ state }, { caseId: _case, ...fields }) {
    put(state, { oneTime: fields });
  },
  CreditReportingStopped(applying, { caseId: _case, id, ...changes }) {
    const stopped = change(applying, id, { ...changes, status: 'stopping' });
    applying.emit?.(statusEvent(applying.state, 'loan.creditreporting.stopped', stopped));
  },
  CreditReportingDeleted(applying, { caseId: _case, id, ...changes }) {
    const { status } = must(statusNamed(applying.state, id), `the credit reporting ${id}`);
    const deleted = change(applying, id, { ...changes, status: 'deleting' });
    if (status === 'active') applying.emit?.(statusEvent(applying.state, 'loan.creditreporting.stopped', deleted));
  },
  CreditReported(applying, body) {
    const { state, fact } = applying;
    put(state, { records: [...state.creditReporting.records, { ...body, createdAt: fact.businessAt }] });
    if (body.outcome === 'held') return;
    const { status } = must(statusNamed(state, body.statusId), `the credit reporting ${body.statusId}`);
    const ended = status === 'stopping' ? 'stopped' : status === 'deleting' ? 'deleted' : status;
    change(applying, body.statusId, { accountStatusCode: body.fields.accountStatus, status: ended });
    const { oneTime } = state.creditReporting;
    if (oneTime === null) return;
    const forAgencies = oneTime.forAgencies.filter((id) => id !== body.creditAgencyId);
    put(state, { oneTime: forAgencies.length === 0 ? null : { ...oneTime, forAgencies } });
  },
};

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
