import { addDays, AmortizationError, type Day, formatRate, type Rate } from '../../../engine/index.js';
import { type CompanyState, currentSettings, type LoanType, type LoanTypeSettings } from '../../company/index.js';
import { type ErrorType, type Fault, refuse } from '../../errors.js';
import { lineScheduleFaults } from '../line/schedule.js';
import type { Origination } from '../origination/terms.js';
import { planOf } from '../origination/schedule-plan.js';

/** A fault that stored configuration or amounts find, with the name of its refusal. */
export interface Checked extends Fault {
  readonly errorType: ErrorType;
}

/** 422 with every fault that was found; the first one names the refusal. */
export function refuseFaults(checks: readonly Checked[]): void {
  const [first] = checks;
  if (first === undefined) return;
  refuse(first.errorType, first.message, {
    errors: checks.map(({ path, expected, message }) => ({ path, expected, message })),
  });
}

/** The active loan type that a body names. */
export function checkLoanType(company: CompanyState, id: string, type: 'installment' | 'lineOfCredit'): LoanType {
  const refuseType = (path: string, expected: string, message: string): never =>
    refuse('ruleViolation', message, { errors: [{ path, expected, message }] });
  const loanType = company.loanTypes.get(id);
  if (loanType === undefined) return refuseType('loanTypeId', 'the id of an active loan type', `There is no loan type ${id}.`);
  if (loanType.status !== 'active') return refuseType('loanTypeId', 'an active loan type', `The loan type ${id} is inactive.`);
  if (loanType.type !== type) return refuseType('type', loanType.type, `The loan type ${id} is for ${loanType.type} loans.`);
  return loanType;
}

export interface TermsToCheck {
  readonly atOrigination: Origination;
  readonly loanType: LoanType;
  readonly today: Day;
}

/** What the product's settings say about terms; the schedule must be one that can be computed. */
export function checkTerms({ atOrigination, loanType, today }: TermsToCheck, checks: Checked[]): void {
  const settings = currentSettings(loanType);
  checkFrequency(atOrigination, settings, checks);
  if (settings.enforceRateLimits) checkRates(atOrigination, settings, checks);
  if (loanType.type === 'lineOfCredit') return void checks.push(...lineScheduleFaults(atOrigination, settings));
  if (!settings.structure.allowMultipleAdvances && (atOrigination.advanceSchedule?.length ?? 0) > 1) {
    checks.push(fault('atOrigination.advanceSchedule', 'one advance', 'the loan type allows no multiple advances'));
  }
  checkSchedule(atOrigination, settings, today, checks);
}

/** Terms that no schedule fits are refused when they are given, not when the loan is activated. */
function checkSchedule(terms: Origination, settings: LoanTypeSettings, today: Day, checks: Checked[]): void {
  const first = terms.expectedPayments?.[0]?.date;
  const start = first !== undefined && first <= today ? addDays(first, -1) : today;
  try {
    planOf(terms, settings, start, terms.expectedPayments === null ? 'reAmortize' : 'useAtOrigination');
  } catch (error) {
    if (!(error instanceof AmortizationError)) throw error;
    checks.push(fault('atOrigination', 'terms that pay the loan off', error.message));
  }
}

function checkFrequency(terms: Origination, settings: LoanTypeSettings, checks: Checked[]): void {
  const allowed = settings.schedule.allowedFrequencies;
  if (allowed.includes(terms.paymentFrequency)) return;
  checks.push(fault('atOrigination.paymentFrequency', allowed.join(', '), `the loan type allows no ${terms.paymentFrequency} payments`));
}

export function checkRates(
  terms: Pick<Origination, 'interestRates'>,
  { interest: { minRate, maxRate } }: LoanTypeSettings,
  checks: Checked[],
): void {
  const expected = `${formatRate(minRate ?? (0 as Rate))} to ${maxRate === null ? 'any rate' : formatRate(maxRate)}`;
  terms.interestRates.forEach((band, index) => {
    const isWithin = (minRate === null || band.rate >= minRate) && (maxRate === null || band.rate <= maxRate);
    if (isWithin) return;
    const path = `atOrigination.interestRates[${index}].rate`;
    checks.push({ errorType: 'rateOutOfRange', path, expected, message: 'the rate lies outside of the loan type’s range' });
  });
}

const fault = (path: string, expected: string, message: string): Checked => ({ errorType: 'ruleViolation', path, expected, message });
