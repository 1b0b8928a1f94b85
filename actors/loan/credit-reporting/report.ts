import { type Day, metro2 } from '../../../engine/index.js';
import { companyOf, type CreditAgencyRecord, creditAgencyOf } from '../../company/index.js';
import type { CommandSpec, QueryEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf } from '../context.js';
import type { LoanState } from '../state.js';
import { consumersOf, isMinor } from './consumers.js';
import { deriveRecord, type DerivedRecord, recordFrom } from './derive.js';
import type { CreditReportingFacts } from './evolve.js';
import { isRemoving } from './indicators.js';
import { changeIn } from './numbers.js';
import { begunStatus, hasFailed, isFraud, isReportable, notSentFacts, withoutFailed } from './reportable.js';
import type { CreditRecord, CreditReportingStatus, MetCheck, ReportCredit } from './types.js';

/** The work of a file on each of its loans: a command that no route leads to. */
export const REPORT_CREDIT = 'loan.reportCredit';

/** The work of a file that failed on each of its loans: a command that no route leads to. */
export const TAKE_BACK_REPORTS = 'loan.takeBackReports';

/** Records a loan's month for a file. A loan with nothing to report records nothing. */
export const reportCredit: CommandSpec<LoanState, ReportCredit> = {
  kind: 'loan',
  type: REPORT_CREDIT,
  place: { on: 'target' },
  decide({ state, env, body: asked }) {
    const reply = (): { readonly data: undefined } => ({ data: undefined });
    const taken = notSentFacts(env, state, asked.creditAgencyId);
    const report = hasFailed(env, asked.fileId) ? null : reportOf(env, state, asked, () => env.newId('LS'));
    if (report === null) return { facts: taken, reply };
    const record: CreditReportingFacts['CreditReported'] = {
      id: env.newId('KR'),
      statusId: report.status.id,
      creditAgencyId: report.status.creditAgencyId,
      fileId: asked.fileId,
      activityDay: asked.activityDay,
      ...report.judged.kept,
    };
    return { facts: [...taken, ...report.facts, { type: 'CreditReported', body: record }], reply };
  },
};

/** Takes back what a loan recorded for a file that failed. The next file does the same if it comes first. */
export const takeBackReports: CommandSpec<LoanState, Pick<ReportCredit, 'creditAgencyId'>> = {
  kind: 'loan',
  type: TAKE_BACK_REPORTS,
  place: { on: 'target' },
  decide: ({ state, env, body }) => ({ facts: notSentFacts(env, state, body.creditAgencyId), reply: () => ({ data: undefined }) }),
};

/** The report of a loan to an agency. */
interface Report {
  readonly status: CreditReportingStatus;
  /** What has to be recorded before the report. */
  readonly facts: readonly FactDraft[];
  readonly judged: Judged;
}

/** What is reported of a loan, for a file and for its preview; null: nothing. Reports in files that failed count as never made. */
export function reportOf(env: Env, recorded: LoanState, asked: ReportCredit, newId: () => string): Report | null {
  const agency = creditAgencyOf(companyOf(env, recorded.tenant), asked.creditAgencyId);
  if (agency === undefined || activationOf(recorded) === null) return null;
  const state = withoutFailed(env, recorded, agency.id);
  const { status, facts } = begunStatus(env, state, agency, newId);
  if (status === null || !isReportable(state, status, asked)) return null;
  const judged = judgedRecord(env, state, agency, status, asked.activityDay);
  return judged && { status, facts: [...facts, ...fraudFacts(state, status)], judged };
}

interface Judged {
  readonly derived: DerivedRecord;
  readonly faults: readonly metro2.RecordFault[];
  readonly kept: Pick<CreditRecord, 'fields' | 'otherIndicators' | 'numberChange' | 'checks'> & { readonly outcome: 'reported' | 'held' };
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
  const { account, consumers, fields, otherIndicators, numberChange } = derived;
  if (before !== null && asked.status.status === 'active' && isRepeated(before, derived)) return null;
  const faults = metro2.validateRecord({
    activityDate: activityDay,
    account,
    before:
      before === null || !isMonthBefore(before.activityDay, activityDay)
        ? null
        : {
            activityDate: before.activityDay,
            account: { ...account, base: { ...account.base, ...before.fields }, L1: changeIn(state, { ...before, agency }) },
          },
    isCorrection: isCorrected(before, fields),
  });
  const isOfMinor = isMinor(consumers.main, activityDay);
  const checks: readonly MetCheck[] = [
    ...faults.map(({ check, fields: named }) => ({ check, fields: named })),
    ...(isOfMinor ? [{ check: 'minor', fields: ['birthDate'] }] : []),
  ];
  const isHeld = isOfMinor || faults.some(({ isBlocking }) => isBlocking);
  const ofOthers = otherIndicators === undefined ? {} : { otherIndicators };
  return { derived, faults, kept: { outcome: isHeld ? 'held' : 'reported', fields, ...ofOthers, numberChange, checks } };
}

/** A loan that has ended is reported once. */
const ENDED: ReadonlySet<string> = new Set(['13', '64']);

/**
 * After it has ended, and after a discharge, an account is reported once; the removal of an indicator, a final report or a deletion may
 * still follow.
 */
function isRepeated(sent: CreditRecord, { fields: now, otherIndicators }: DerivedRecord): boolean {
  if (isRemoving({ main: now.consumerInformationIndicator, others: otherIndicators }, sent)) return false;
  const { fields: before } = sent;
  const isEnded = ENDED.has(now.accountStatus ?? '') && now.accountStatus === before.accountStatus;
  const isDischarged =
    'EFGH'.includes(now.consumerInformationIndicator ?? ' ') && now.consumerInformationIndicator === before.consumerInformationIndicator;
  return isEnded || isDischarged;
}

/** The ledger says of an earlier month something else than what was sent: what a record says of such months comes from the ledger alone. */
function isCorrected(before: CreditRecord | null, now: CreditRecord['fields']): boolean {
  if (before === null) return false;
  const { paymentHistoryProfile, originalChargeOffAmount } = before.fields;
  const history = now.paymentHistoryProfile ?? '';
  const isReassessed = originalChargeOffAmount > 0 && now.originalChargeOffAmount > 0;
  return (
    (paymentHistoryProfile ?? '').slice(0, 22) !== history.slice(1, 23) ||
    !isLetterOf(before.fields, history.slice(0, 1)) ||
    (isReassessed && originalChargeOffAmount !== now.originalChargeOffAmount)
  );
}

/** From a petition on the history has `D`, whatever the status. */
function isLetterOf(before: CreditRecord['fields'], letter: string): boolean {
  const letters = before.consumerInformationIndicator === null ? metro2.lettersAfter(before) : null;
  return letters === null || letters.includes(letter);
}

const lastReported = ({ creditReporting: { records } }: LoanState, statusId: string, before: Day): CreditRecord | null =>
  records.findLast((record) => record.statusId === statusId && record.outcome === 'reported' && record.activityDay < before) ?? null;

const isMonthBefore = (earlier: Day, later: Day): boolean => metro2.endOfLastMonth(later) === earlier;

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
  const consumers = consumersOf(env, state, asked.activityDay);
  if (consumers === null) return null;
  const { fields, otherIndicators, numberChange } = record;
  const change = changeIn(state, { fields, numberChange, agency });
  const named = { activityDay: asked.activityDay, consumers, fields, otherIndicators, numberChange: change };
  return metro2.writeAccount(recordFrom(env, state, named));
}
