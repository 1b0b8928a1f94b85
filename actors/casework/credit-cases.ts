import { type Day, isReportWrong, metro2, parseDay } from '../../engine/index.js';
import type { CreditCases, CreditEnv, LoanState } from '../loan/index.js';
import { caseOfLoans, isAboutLoan } from './cases/loans.js';
import { isActive } from './cases/machine.js';
import type { CaseState } from './cases/state.js';

const NO_CASES: CreditCases = {
  indicator: null,
  petitionOn: null,
  wrongPetitionOn: null,
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
  const known = env.readBelow<CaseState>('case', personId);
  if (known.length === 0) return NO_CASES;
  const all = known.filter((each) => !isUnverified(each) && isAboutLoan(env, caseOfLoans(each), loan.id));
  const cases = all.filter(({ status }) => status !== 'deleted' && status !== 'canceled');
  const hasDispute = (some: readonly CaseState[]): boolean => some.some(({ caseType }) => DISPUTES.has(caseType));
  const open = new Set(cases.filter(({ status }) => isActive(status)).map(({ caseType }) => caseType));
  return {
    ...ofBankruptcies(all, activityDay),
    isDeceased: cases.some(reportsDeath),
    isOnMilitaryDuty: open.has('militaryDuty'),
    isInDisaster: open.has('federalEmergency'),
    isDisputed: [...open].some((caseType) => DISPUTES.has(caseType)),
    isDisputeCanceled: hasDispute(all) && !hasDispute(cases),
  };
}

/** A death that only a bank's return reports: nobody has taken up its case. Reports of sources begin as `processing`. */
const isUnverified = ({ caseType, status, autoCreated }: CaseState): boolean =>
  caseType === 'deceased' && status === 'initiated' && autoCreated;

/** A completed case counts unless its outcome says that the report was wrong, as contact rules read it; a canceled one never does. */
export const reportsDeath = ({ caseType, status, outcome }: CaseState): boolean =>
  caseType === 'deceased' && (isActive(status) || (status === 'completed' && !isReportWrong(outcome)));

type Stage = 'petition' | 'discharged' | 'dismissed' | 'withdrawn' | 'reaffirmed';

interface Petition {
  readonly filedOn: Day;
  readonly chapter: string | null;
  readonly stage: Stage;
}

/**
 * That of the last petition; one that was withdrawn counts if there is no other. Before the court has a petition, nothing is reported of
 * it.
 */
function ofBankruptcies(all: readonly CaseState[], activityDay: Day): Pick<CreditCases, 'indicator' | 'petitionOn' | 'wrongPetitionOn'> {
  const bankruptcies = all.flatMap((known) => {
    const filedOn = known.caseType === 'bankruptcy' ? dayOf(known.fields['courtCaseFiledDate']) : null;
    return filedOn === null || filedOn > activityDay ? [] : [{ known, filedOn }];
  });
  const petitions = bankruptcies
    .filter(({ known }) => !isInError(known))
    .map(({ known, filedOn }) => petitionOf(known, filedOn, activityDay));
  const wrongPetitionOn = firstOf(bankruptcies.filter(({ known }) => isInError(known)).map(({ filedOn }) => filedOn));
  const last = lastOf(petitions.filter(({ stage }) => stage !== 'withdrawn')) ?? lastOf(petitions);
  if (last === null) return { indicator: null, petitionOn: null, wrongPetitionOn };
  const { filedOn, chapter, stage } = last;
  const isEnded = stage === 'dismissed' || stage === 'withdrawn';
  return { indicator: metro2.bankruptcyIndicator(chapter, stage), petitionOn: isEnded ? null : filedOn, wrongPetitionOn };
}

const firstOf = (days: readonly Day[]): Day | null =>
  days.reduce<Day | null>((first, day) => (first === null || day < first ? day : first), null);

const lastOf = (petitions: readonly Petition[]): Petition | null =>
  petitions.reduce<Petition | null>((last, petition) => (last === null || petition.filedOn > last.filedOn ? petition : last), null);

/** Nobody filed what the case is about. An outcome `withdrawn` says that the petition was filed, and was taken back. */
const isInError = ({ status, outcome }: CaseState): boolean =>
  status === 'canceled' || status === 'deleted' || (status === 'completed' && isReportWrong(outcome) && outcome !== 'withdrawn');

function petitionOf(known: CaseState, filedOn: Day, activityDay: Day): Petition {
  const { courtCaseChapter } = known.fields;
  return { filedOn, chapter: typeof courtCaseChapter === 'string' ? courtCaseChapter : null, stage: stageOf(known, activityDay) };
}

function stageOf({ fields, status, outcome }: CaseState, activityDay: Day): Stage {
  const isPast = (day: Day | null): boolean => day !== null && day <= activityDay;
  if (isPast(dayOf(fields['reaffirmationDate']))) return 'reaffirmed';
  if (status === 'completed' && outcome === 'withdrawn') return 'withdrawn';
  const disposition = fields['courtCaseDebtorDisposition'];
  const end = disposition ?? fields['courtCaseLastStatus'];
  const endedOn = dayOf(fields[disposition == null ? 'courtCaseLastStatusUpdatedDate' : 'courtCaseDebtorDispositionDate']);
  // A decision of the court without a date counts at once.
  return typeof end === 'string' && (endedOn === null || isPast(endedOn)) ? (STAGES[end] ?? 'petition') : 'petition';
}

/** Where a decision or the last status of the court case ends the petition. A case that was filed in error is as if taken back. */
const STAGES: Readonly<Record<string, Stage>> = { discharged: 'discharged', dismissed: 'dismissed', closedFiledInError: 'withdrawn' };

const dayOf = (value: unknown): Day | null => (typeof value === 'string' ? (parseDay(value) ?? null) : null);
