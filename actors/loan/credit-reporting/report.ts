import { addYears, type Day, day as dayFrom, metro2 } from '../../../engine/index.js';
import { companyOf, type CreditAgencyRecord, creditAgencyOf, currentSettings } from '../../company/index.js';
import type { CommandSpec, QueryEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, loanTypeOf, recordOf, statusOf } from '../context.js';
import type { LoanState } from '../state.js';
import { notReportable } from './decide.js';
import { consumersOf } from './consumers.js';
import { deriveRecord, type DerivedRecord, recordFrom } from './derive.js';
import type { CreditReportingFacts } from './evolve.js';
import type { CreditRecord, CreditReportingStatus, MetCheck } from './types.js';

/** The work of a file on each of its loans: a command that no route leads to. */
export const REPORT_CREDIT = 'loan.reportCredit';

/** The file for which loans are reported. */
export interface ReportCredit {
  readonly fileId: string;
  readonly creditAgencyId: string;
  readonly activityDay: Day;
}

const ADULT_YEARS = 18;

/** Records a loan's month for a file. A loan with nothing to report records nothing. */
export const reportCredit: CommandSpec<LoanState, ReportCredit> = {
  kind: 'loan',
  type: REPORT_CREDIT,
  place: { on: 'target' },
  decide({ state, env, body }) {
    const asked = body;
    const nothing = { facts: [], reply: () => ({ data: undefined }) };
    const agency = creditAgencyOf(companyOf(env, state.tenant), asked.creditAgencyId);
    if (agency === undefined || activationOf(state) === null || statusOf(state) === 'canceled') return nothing;
    const { status, facts } = begunStatus(state, agency, () => env.newId('LS'), notReportable(env, state) === null && isNamed(state));
    if (status === null || !isReportable(state, status, asked)) return nothing;
    const judged = judgedRecord(env, state, agency, status, asked.activityDay);
    if (judged === null) return nothing;
    const record: CreditReportingFacts['CreditReported'] = {
      id: env.newId('KR'),
      statusId: status.id,
      creditAgencyId: agency.id,
      fileId: asked.fileId,
      activityDay: asked.activityDay,
      ...judged.kept,
    };
    return {
      facts: [...facts, ...fraudFacts(state, status), { type: 'CreditReported', body: record }],
      reply: () => ({ data: undefined }),
    };

    function isNamed(loan: LoanState): boolean {
      const { creditAgencyIds } = currentSettings(loanTypeOf(env, loan)).creditReporting;
      return creditAgencyIds.some((anyId) => creditAgencyOf(companyOf(env, loan.tenant), anyId)?.id === asked.creditAgencyId);
    }
  },
};

/** The reporting to the agency; that of a loan which is enrolled with this file begins with its activation. */
function begunStatus(
  state: LoanState,
  { id: creditAgencyId, stored }: CreditAgencyRecord,
  newId: () => string,
  mayEnroll: boolean,
): { readonly status: CreditReportingStatus | null; readonly facts: readonly FactDraft[] } {
  const known = state.creditReporting.statuses.filter((each) => each.creditAgencyId === creditAgencyId);
  const newest = known.at(-1);
  if (newest !== undefined) return { status: newest, facts: [] };
  if (!stored.enrollExistingLoans || !mayEnroll) return { status: null, facts: [] };
  const startDay = activationOf(state)?.contract.terms.activation ?? dayFrom(0);
  const started = { id: newId(), creditAgencyId, startDay };
  const status: CreditReportingStatus = {
    ...started,
    endDay: null,
    status: 'active',
    accountStatusCode: null,
    finalStatusCode: null,
    deletedReason: null,
    deletedReasonDetails: null,
    createdAt: 0,
    updatedAt: 0,
  };
  return { status, facts: [{ type: 'CreditReportingStarted', body: { ...started, caseId: null } }] };
}

const UNDER_WAY: ReadonlySet<string> = new Set(['active', 'stopping', 'deleting']);

/** A loan that has ended is reported once. */
const ENDED: ReadonlySet<string> = new Set(['13', '64']);

function isReportable(state: LoanState, { id, status, startDay, accountStatusCode }: CreditReportingStatus, asked: ReportCredit): boolean {
  if (!UNDER_WAY.has(status) || asked.activityDay < startDay) return false;
  // Nothing was ever sent, so nothing has to be deleted.
  if (status === 'deleting' && accountStatusCode === null) return false;
  return !state.creditReporting.records.some(({ statusId, fileId }) => statusId === id && fileId === asked.fileId);
}

interface Judged {
  readonly derived: DerivedRecord;
  readonly kept: Pick<CreditRecord, 'outcome' | 'fields' | 'checks'>;
}

type Env = Parameters<typeof deriveRecord>[0];

/** The record of a month with what is wrong with it; null: there is nothing to report. */
export function judgedRecord(
  env: Env,
  state: LoanState,
  agency: CreditAgencyRecord,
  status: CreditReportingStatus,
  activityDay: Day,
): Judged | null {
  const before = lastReported(state, status.id, activityDay);
  const asked = { agency, status: withFraud(state, status), activityDay, before };
  const derived = deriveRecord(env, state, asked);
  if (derived === null) return null;
  const { account, consumers, fields } = derived;
  if (before !== null && isRepeated(before, fields)) return null;
  const faults = metro2.validateRecord({
    activityDate: activityDay,
    account,
    before:
      before === null || !isMonthBefore(before.activityDay, activityDay)
        ? null
        : { activityDate: before.activityDay, account: { ...account, base: { ...account.base, ...before.fields }, L1: null } },
    isCorrection: isCorrected(before, fields),
  });
  const { birthDate } = consumers.main;
  const isMinor = birthDate !== null && addYears(birthDate, ADULT_YEARS) > activityDay;
  const checks: readonly MetCheck[] = [
    ...faults.map(({ check, fields: named }) => ({ check, fields: named })),
    ...(isMinor ? [{ check: 'minor', fields: ['birthDate'] }] : []),
  ];
  const isHeld = isMinor || faults.some(({ isBlocking }) => isBlocking);
  return { derived, kept: { outcome: isHeld ? 'held' : 'reported', fields, checks } };
}

/** After it has ended, and after a discharge, an account is reported once. */
function isRepeated({ fields: before, activityDay: _day }: CreditRecord, now: CreditRecord['fields']): boolean {
  const isEnded = ENDED.has(now.accountStatus ?? '') && now.accountStatus === before.accountStatus;
  const isDischarged =
    'EFGH'.includes(now.consumerInformationIndicator ?? ' ') && now.consumerInformationIndicator === before.consumerInformationIndicator;
  return isEnded || isDischarged;
}

/** The history says of last month something else than what was sent. */
const isCorrected = (before: CreditRecord | null, { paymentHistoryProfile: now }: CreditRecord['fields']): boolean =>
  before !== null && (before.fields.paymentHistoryProfile ?? '').slice(0, 22) !== (now ?? '').slice(1, 23);

const lastReported = ({ creditReporting: { records } }: LoanState, statusId: string, before: Day): CreditRecord | null =>
  records.findLast((record) => record.statusId === statusId && record.outcome === 'reported' && record.activityDay < before) ?? null;

const isMonthBefore = (earlier: Day, later: Day): boolean => metro2.endOfLastMonth(later) === earlier;

const isFraud = (state: LoanState): boolean =>
  statusOf(state) === 'chargedOff' && (recordOf(state).chargedOffReason ?? activationOf(state)?.summary.chargeOffReason) === 'fraudulent';

/** A loan that was charged off for fraud is deleted at every agency; no other reason does that. */
const withFraud = (state: LoanState, status: CreditReportingStatus): CreditReportingStatus =>
  isFraud(state) && status.status !== 'deleting' ? { ...status, status: 'deleting', finalStatusCode: 'DF' } : status;

function fraudFacts(state: LoanState, { id, status, startDay }: CreditReportingStatus): readonly FactDraft[] {
  if (!isFraud(state) || status === 'deleting') return [];
  const endDay = activationOf(state)?.summary.through ?? startDay;
  const body: CreditReportingFacts['CreditReportingDeleted'] = {
    id,
    endDay,
    finalStatusCode: 'DF',
    deletedReason: 'fraud',
    deletedReasonDetails: null,
    caseId: null,
  };
  return [{ type: 'CreditReportingDeleted', body }];
}

/** The line of a loan in a file: what was recorded for it, with the names of today. Null: the loan is not in the file. */
export function lineInFile(env: QueryEnv, state: LoanState, asked: ReportCredit): string | null {
  const record = state.creditReporting.records.findLast(({ fileId }) => fileId === asked.fileId);
  const agency = creditAgencyOf(companyOf(env, state.tenant), asked.creditAgencyId);
  if (record === undefined || record.outcome === 'held' || agency === undefined) return null;
  const status = state.creditReporting.statuses.find(({ id }) => id === record.statusId);
  const before = lastReported(state, record.statusId, asked.activityDay);
  const consumers = consumersOf(env, state, asked.activityDay);
  if (status === undefined || consumers === null) return null;
  const named = { asked: { agency, status, activityDay: asked.activityDay, before }, consumers, fields: record.fields };
  return metro2.writeAccount(recordFrom(env, state, named));
}
