import { day as dayFrom } from '../../../engine/index.js';
import { companyOf, type CreditAgencyRecord, creditAgencyOf, currentSettings } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, loanTypeOf, recordOf, statusOf } from '../context.js';
import { CREDIT_FILE, type CreditFileState } from '../credit-files/credit-file.js';
import type { LoanState } from '../state.js';
import { startedStatus, withoutSent } from './evolve.js';
import type { CreditRecord, CreditReportingStatus, ReportCredit } from './types.js';

/* Whether a loan is reported to an agency, and from which status on. */

/** Why a loan must not be reported; null if it may. */
export function notReportable(env: EvolveEnv, state: LoanState): string | null {
  if (recordOf(state).atOrigination.skipCreditReporting)
    return 'The loan is kept out of credit reporting (`atOrigination.skipCreditReporting`).';
  if (!currentSettings(loanTypeOf(env, state)).creditReporting.isCreditReportingAllowed)
    return 'The loan type does not allow credit reporting (`isCreditReportingAllowed`).';
  return null;
}

/** The reporting to the agency; that of a loan which is enrolled with this file begins with its activation. */
export function begunStatus(
  env: EvolveEnv,
  state: LoanState,
  agency: CreditAgencyRecord,
  newId: () => string,
): { readonly status: CreditReportingStatus | null; readonly facts: readonly FactDraft[] } {
  const newest = newestStatusAt(state, agency.id);
  if (newest !== undefined) return { status: newest, facts: [] };
  const mayEnroll = statusOf(state) !== 'canceled' && notReportable(env, state) === null && isNamed(env, state, agency.id);
  if (!agency.stored.enrollExistingLoans || !mayEnroll) return { status: null, facts: [] };
  const startDay = activationOf(state)?.contract.terms.activation ?? dayFrom(0);
  const started = { id: newId(), creditAgencyId: agency.id, startDay };
  return { status: startedStatus(started, 0), facts: [{ type: 'CreditReportingStarted', body: { ...started, caseId: null } }] };
}

/** The loan type names the agency. */
function isNamed(env: EvolveEnv, state: LoanState, agencyId: string): boolean {
  const { creditAgencyIds } = currentSettings(loanTypeOf(env, state)).creditReporting;
  return creditAgencyIds.some((anyId) => creditAgencyOf(companyOf(env, state.tenant), anyId)?.id === agencyId);
}

const newestStatusAt = ({ creditReporting }: LoanState, agencyId: string): CreditReportingStatus | undefined =>
  creditReporting.statuses.findLast(({ creditAgencyId }) => creditAgencyId === agencyId);

const UNDER_WAY: ReadonlySet<string> = new Set(['active', 'stopping', 'deleting']);

/** Of a canceled loan only what is on file is ended. */
const ENDING: ReadonlySet<string> = new Set(['stopping', 'deleting']);

export const isFraud = (state: LoanState): boolean =>
  statusOf(state) === 'chargedOff' && (recordOf(state).chargedOffReason ?? activationOf(state)?.summary.chargeOffReason) === 'fraudulent';

export function isReportable(state: LoanState, known: CreditReportingStatus, asked: ReportCredit): boolean {
  const { id, status, startDay } = known;
  // Fraud deletes what a final report has left on file, too.
  const isToDo = UNDER_WAY.has(status) || (status === 'stopped' && isFraud(state));
  if (!isToDo || asked.activityDay < startDay) return false;
  const isCanceled = statusOf(state) === 'canceled';
  if (isCanceled && !ENDING.has(status)) return false;
  // Nothing was ever sent, so nothing has to be ended.
  if ((isCanceled || status === 'deleting') && !wasReported(state, known)) return false;
  return !state.creditReporting.records.some(({ statusId, fileId }) => statusId === id && fileId === asked.fileId);
}

/** A file that failed may have reached the agency in part, or by the lender's own hand. */
export const wasReported = ({ creditReporting: { records } }: LoanState, { id }: CreditReportingStatus): boolean =>
  records.some(({ statusId, outcome }) => statusId === id && outcome !== 'held');

export const hasFailed = (env: EvolveEnv, fileId: string): boolean => env.read<CreditFileState>(CREDIT_FILE, fileId)?.status === 'failed';

/** The newest records for an agency whose files failed, newest first: up to the last file that was sent. */
function failedRecords(env: EvolveEnv, state: LoanState, agencyId: string): readonly CreditRecord[] {
  const status = newestStatusAt(state, agencyId);
  const records = state.creditReporting.records.filter(({ statusId, outcome }) => statusId === status?.id && outcome === 'reported');
  const sent = records.findLastIndex(({ fileId }) => !hasFailed(env, fileId));
  return records.slice(sent + 1).reverse();
}

export const notSentFacts = (env: EvolveEnv, state: LoanState, agencyId: string): readonly FactDraft[] =>
  failedRecords(env, state, agencyId).map(({ id }) => ({ type: 'CreditReportNotSent', body: { id } }));

/** The loan as it is once the facts of its records that were not sent are recorded. */
export function withoutFailed(env: EvolveEnv & { readonly now: number }, state: LoanState, agencyId: string): LoanState {
  const failed = failedRecords(env, state, agencyId);
  if (failed.length === 0) return state;
  const creditReporting = failed.reduce((reporting, { id }) => withoutSent(reporting, id, env.now), state.creditReporting);
  return { ...state, creditReporting };
}
