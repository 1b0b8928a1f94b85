import { type Day, isReportWrong, metro2, parseDay } from '../../engine/index.js';
import { ALL_ROWS } from '../kernel/actor.js';
import type { CreditCases, CreditEnv, LoanState } from '../loan/index.js';
import { caseOfLoans, isAboutLoan } from './cases/loans.js';
import { isActive } from './cases/machine.js';
import type { CaseState } from './cases/state.js';

const NO_CASES: CreditCases = {
  indicator: null,
  petitionOn: null,
  isDeceased: false,
  isOnMilitaryDuty: false,
  isInDisaster: false,
  isDisputed: false,
  isDisputeCanceled: false,
};

/** Types of cases of which credit reporting speaks. */
const DISPUTES: ReadonlySet<CaseState['caseType']> = new Set(['disputeOfDebt', 'creditBureauDispute']);

/**
 * What the cases of a person say about the credit reporting of a loan. A bankruptcy counts after its case is closed, too, and as it was on
 * the last day of the month; other cases count as they are now.
 */
export function creditCases(env: CreditEnv, loan: LoanState, personId: string, activityDay: Day): CreditCases {
  const { rows } = env.list('case', {
    parentId: personId,
    matches: ({ parentId }) => parentId === personId,
    limit: ALL_ROWS,
  });
  if (rows.length === 0) return NO_CASES;
  const all = rows
    .flatMap(({ id }) => env.read<CaseState>('case', id) ?? [])
    .filter((known) => isAboutLoan(env, caseOfLoans(known), loan.id));
  const cases = all.filter(({ status }) => status !== 'deleted' && status !== 'canceled');
  const hasDispute = (some: readonly CaseState[]): boolean => some.some(({ caseType }) => DISPUTES.has(caseType));
  const open = new Set(cases.filter(({ status }) => isActive(status)).map(({ caseType }) => caseType));
  return {
    ...ofBankruptcies(cases, activityDay),
    isDeceased: cases.some(reportsDeath),
    isOnMilitaryDuty: open.has('militaryDuty'),
    isInDisaster: open.has('federalEmergency'),
    isDisputed: [...open].some((caseType) => DISPUTES.has(caseType)),
    isDisputeCanceled: hasDispute(all) && !hasDispute(cases),
  };
}

/** A completed case counts unless its outcome says that the report was wrong, as contact rules read it; a canceled one never does. */
export const reportsDeath = ({ caseType, status, outcome }: CaseState): boolean =>
  caseType === 'deceased' && (isActive(status) || (status === 'completed' && !isReportWrong(outcome)));

/** That of the last petition. Before the court has a petition, nothing is reported of it. */
function ofBankruptcies(cases: readonly CaseState[], activityDay: Day): CreditCases {
  let last: { readonly filedOn: Day; readonly fields: CaseState['fields'] } | null = null;
  for (const { caseType, fields } of cases) {
    const filedOn = caseType === 'bankruptcy' ? dayOf(fields['courtCaseFiledDate']) : null;
    if (filedOn !== null && filedOn <= activityDay && (last === null || filedOn > last.filedOn)) last = { filedOn, fields };
  }
  if (last === null) return NO_CASES;
  const { filedOn, fields } = last;
  const chapter = typeof fields['courtCaseChapter'] === 'string' ? fields['courtCaseChapter'] : null;
  const stage = stageOf(fields, activityDay);
  return { ...NO_CASES, indicator: metro2.bankruptcyIndicator(chapter, stage), petitionOn: stage === 'dismissed' ? null : filedOn };
}

function stageOf(fields: CaseState['fields'], activityDay: Day): 'petition' | 'discharged' | 'dismissed' | 'reaffirmed' {
  const isPast = (day: Day | null): boolean => day !== null && day <= activityDay;
  if (isPast(dayOf(fields['reaffirmationDate']))) return 'reaffirmed';
  const disposition = fields['courtCaseDebtorDisposition'];
  const end = disposition ?? fields['courtCaseLastStatus'];
  const endedOn = dayOf(fields[disposition == null ? 'courtCaseLastStatusUpdatedDate' : 'courtCaseDebtorDispositionDate']);
  // A decision of the court without a date counts at once.
  return (end === 'discharged' || end === 'dismissed') && (endedOn === null || isPast(endedOn)) ? end : 'petition';
}

const dayOf = (value: unknown): Day | null => (typeof value === 'string' ? (parseDay(value) ?? null) : null);
