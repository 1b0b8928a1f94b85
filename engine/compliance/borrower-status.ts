import { addDays, addYears, type Day, dayAt, formatDay, parseDay } from '../calendar/index.js';
import { type Considered, isAbout } from './considered.js';
import type { ScreenedCase, ScreenedContact, ScreenedLoan } from './situation.js';

/*
 * What cases and monitoring say about a borrower. A canceled case says nothing; a completed case says what it found. If a completed case
 * has no outcome, the borrower is protected.
 */

type Of = (considered: Considered) => boolean;

const casesOf = ({ situation }: Considered, caseType: string): readonly ScreenedCase[] =>
  situation.cases.filter((known) => known.caseType === caseType && !known.isOfAnother && (known.isOpen || known.status === 'completed'));

const openCases = (considered: Considered, caseType: string): readonly ScreenedCase[] =>
  casesOf(considered, caseType).filter(({ isOpen }) => isOpen);

/** Open cases about the debt of the contact. Other cases are about the borrower, whatever loans they name. */
const openOnDebt = (considered: Considered, caseType: string): readonly ScreenedCase[] =>
  openCases(considered, caseType).filter((known) => isAbout(known, considered));

const hasHit = ({ situation }: Considered, kind: string): boolean => situation.person.hits.has(kind);

/** A monitoring hit counts only if there is no case of its kind, canceled cases included. */
const isHitAlone = (considered: Considered, kind: string, caseType: string): boolean =>
  hasHit(considered, kind) && !considered.situation.cases.some((known) => known.caseType === caseType && !known.isOfAnother);

/** Outcomes that say that a report was wrong. */
const WRONG: ReadonlySet<string | null> = new Set(['denied', 'withdrawn', 'duplicate']);

/** Whether a case, closed with this outcome, has found that its report was wrong. */
export const isReportWrong = (outcome: string | null): boolean => WRONG.has(outcome);

export const isDeceased: Of = (considered) =>
  isHitAlone(considered, 'deceased', 'deceased') || casesOf(considered, 'deceased').some(isDeathReported);

const isDeathReported = ({ isOpen, outcome }: Reported): boolean => isOpen || !WRONG.has(outcome);

/** Representatives of a deceased borrower. */
const FOR_THE_DEAD: ReadonlySet<string> = new Set(['executor', 'legalRepresentative', 'attorney', 'guardian']);

export function speaksForTheDead(considered: Considered, contact: ScreenedContact): boolean {
  const named = casesOf(considered, 'deceased').some(({ fields }) => fields['estateRepresentativeContactId'] === contact.id);
  return named || FOR_THE_DEAD.has(contact.affiliation);
}

/** The borrower asked not to be contacted about the debt. A granted request stays in force after its case. */
export function isCeased(considered: Considered): boolean {
  const { contact } = considered.situation;
  return ceaseRequests(considered).some(({ fields }) => {
    if (fields['scope'] === 'channels') return fields['requestChannel'] == null;
    return fields['scope'] === 'thirdParty' ? contact !== null && contact.affiliation !== 'self' : true;
  });
}

export const ceaseRequests = (considered: Considered): readonly ScreenedCase[] =>
  casesOf(considered, 'ceaseCommunication').filter((known) => isAbout(known, considered) && (known.isOpen || known.outcome === 'approved'));

/** No act to collect from the petition to its end, and none after a discharge unless the debt was reaffirmed (11 USC 362, 524). */
export const isInBankruptcy: Of = (considered) =>
  isHitAlone(considered, 'bankruptcy', 'bankruptcy') ||
  considered.situation.cases.some(
    (known) => known.caseType === 'bankruptcy' && isAbout(known, considered) && stays(known, todayOf(considered)),
  );

/**
 * Chapters of another person's case on the loan that protect the borrower (11 USC 1201, 1301), beside a joint filing (302). An unknown
 * chapter may be one of them.
 */
const PROTECTING_OTHERS: ReadonlySet<unknown> = new Set(['chapter12', 'chapter13', 'unknown', undefined, null]);
const ENDED_IN_COURT: ReadonlySet<unknown> = new Set(['dismissed', 'closedFiledInError']);
/** Days in which a reaffirmation may be rescinded (11 USC 524(c)). */
const RESCISSION_DAYS = 60;

type Reported = Pick<ScreenedCase, 'fields' | 'isOpen' | 'isOfAnother' | 'status' | 'outcome'>;

function stays({ fields, isOpen, isOfAnother, status, outcome }: Reported, today: Day): boolean {
  if (!isOpen && status !== 'completed') return false;
  const isOfStranger = isOfAnother && fields['isJointFiling'] !== true;
  if (isOfStranger && !PROTECTING_OTHERS.has(fields['courtCaseChapter'])) return false;
  if (fields['courtCaseDebtorDisposition'] === 'discharged' || fields['courtCaseLastStatus'] === 'discharged')
    return !isOfStranger && !isReaffirmed(fields['reaffirmationDate'], today);
  if (fields['courtCaseDebtorDisposition'] === 'reinstated' || fields['courtCaseLastStatus'] === 'reinstated') return isOpen;
  const isDismissed = ENDED_IN_COURT.has(fields['courtCaseDebtorDisposition']) || ENDED_IN_COURT.has(fields['courtCaseLastStatus']);
  return isOpen && !isDismissed && !WRONG.has(outcome);
}

function isReaffirmed(date: unknown, today: Day): boolean {
  const since = typeof date === 'string' ? parseDay(date) : undefined;
  return since !== undefined && addDays(since, RESCISSION_DAYS) <= today;
}

/** Why money must not be taken from an account without asking again. */
export type CollectingBar = 'bankruptcy' | 'deceased';

/**
 * Whether a case bars automatic payments from the account of its borrower, or of another person on the loan (`isOfAnother`). The automatic
 * stay covers everyone that it protects; a death covers the account of the deceased.
 */
export function barToCollecting(known: Reported & Pick<ScreenedCase, 'caseType'>, today: Day): CollectingBar | null {
  if (known.caseType === 'bankruptcy') return stays(known, today) ? 'bankruptcy' : null;
  const isDead =
    known.caseType === 'deceased' && !known.isOfAnother && (known.isOpen || known.status === 'completed') && isDeathReported(known);
  return isDead ? 'deceased' : null;
}

const todayOf = ({ plan, situation }: Considered): Day => dayAt(situation.companyZone, plan.at);

/** Identity theft was reported and not refuted. */
export const isTheftReported: Of = (considered) =>
  casesOf(considered, 'identityTheft').some((known) => {
    if (!isAbout(known, considered)) return false;
    const { isOpen, fields, outcome } = known;
    return isOpen ? fields['fraudConfirmed'] !== false : fields['fraudConfirmed'] === true || outcome === 'approved';
  });

/** The debt is disputed, until the answer was sent. */
export const isDisputed: Of = (considered) =>
  openOnDebt(considered, 'disputeOfDebt').some(({ fields }) => fields['responseSentDate'] == null);

/** A request for validation within its period is not answered yet (12 CFR 1006.38). */
export const isUnvalidated: Of = (considered) =>
  openOnDebt(considered, 'debtValidation').some(({ fields }) => {
    const { requestDate, validationPeriodEndDate: end, responseSentDate } = fields;
    const isLate = typeof requestDate === 'string' && typeof end === 'string' && requestDate > end;
    return responseSentDate == null && requestDate != null && !isLate;
  });

/**
 * The borrower is on active duty and the loan is older than the duty (50 USC 3901 ff.); for a mortgage also in the year after the duty
 * (3953(c)), when the case is usually closed. Unknown dates count in favor of the borrower.
 */
export function isProtectedByDuty(considered: Considered): boolean {
  if (isHitAlone(considered, 'militaryDuty', 'militaryDuty')) return true;
  const today = todayOf(considered);
  const loans: readonly (ScreenedLoan | null)[] = considered.loans.length === 0 ? [null] : considered.loans;
  return casesOf(considered, 'militaryDuty').some((known) => loans.some((loan) => isSpared(known, loan, today)));
}

function isSpared({ fields, isOpen, outcome }: ScreenedCase, loan: ScreenedLoan | null, today: Day): boolean {
  const { dutyStartDate: start, dutyEndDate } = fields;
  const isOlder = typeof start !== 'string' || loan === null || loan.originatedOn === null || formatDay(loan.originatedOn) < start;
  if (!isOlder || (!isOpen && WRONG.has(outcome))) return false;
  const end = typeof dutyEndDate === 'string' ? parseDay(dutyEndDate) : undefined;
  if (end === undefined) return isOpen;
  return isOpen && today <= end ? true : loan?.isMortgage === true && today <= addYears(end, YEARS_AFTER_DUTY);
}

const YEARS_AFTER_DUTY = 1;

/** The borrower lives in the area of a declared disaster, while the relief lasts. */
export function isInDisaster(considered: Considered): boolean {
  if (!considered.situation.isDisasterPolicyOn) return false;
  if (isHitAlone(considered, 'disaster', 'federalEmergency')) return true;
  const today = formatDay(todayOf(considered));
  return openCases(considered, 'federalEmergency').some(
    ({ fields }) => typeof fields['assistanceEndDate'] !== 'string' || fields['assistanceEndDate'] >= today,
  );
}
