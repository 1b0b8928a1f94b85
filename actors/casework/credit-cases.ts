import { type Day, metro2, parseDay } from '../../engine/index.js';
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

/** What the cases of a person say about the credit reporting of a loan. A bankruptcy counts after its case is closed, too. */
export function creditCases(env: CreditEnv, loan: LoanState, personId: string): CreditCases {
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
  const bankruptcy = cases.findLast(({ caseType }) => caseType === 'bankruptcy');
  return {
    ...(bankruptcy === undefined ? NO_CASES : ofBankruptcy(bankruptcy)),
    isDeceased: cases.some(({ caseType }) => caseType === 'deceased'),
    isOnMilitaryDuty: open.has('militaryDuty'),
    isInDisaster: open.has('federalEmergency'),
    isDisputed: [...open].some((caseType) => DISPUTES.has(caseType)),
    isDisputeCanceled: hasDispute(all) && !hasDispute(cases),
  };
}

function ofBankruptcy({ fields }: CaseState): CreditCases {
  const filedOn = dayOf(fields['courtCaseFiledDate']);
  // Before the court has a petition, nothing is reported of it.
  if (filedOn === null) return NO_CASES;
  const chapter = typeof fields['courtCaseChapter'] === 'string' ? fields['courtCaseChapter'] : null;
  const end = fields['courtCaseDebtorDisposition'] ?? fields['courtCaseLastStatus'];
  const stage = dayOf(fields['reaffirmationDate']) !== null ? 'reaffirmed' : end === 'discharged' || end === 'dismissed' ? end : 'petition';
  return { ...NO_CASES, indicator: metro2.bankruptcyIndicator(chapter, stage), petitionOn: stage === 'dismissed' ? null : filedOn };
}

const dayOf = (value: unknown): Day | null => (typeof value === 'string' ? (parseDay(value) ?? null) : null);
