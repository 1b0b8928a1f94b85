import { AmortizationError, type Day } from '../../../engine/index.js';
import { companyOf, feeTypesOf, indexStampOf, loanTypeVersions, settingsAt } from '../../company/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime } from '../../kernel/fact.js';
import { plannedCents } from '../advances/advance.js';
import { effectiveNow, loanTypeOf, recordOf } from '../context.js';
import type { LoanActivated } from '../facts.js';
import { lateFeeTerms } from '../fees/late.js';
import { recurringTriggers } from '../fees/recurring.js';
import { indexOf } from '../rates/rows.js';
import type { ActivateLoanRequest, InterestRateRequest, ScheduleRequest } from '../requests.js';
import type { Contract, LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import { contractOf } from './contract.js';
import type { PlanMode } from './schedule-plan.js';

/** The contract that activation on a day brings into force; refuses terms without a possible schedule from that day. */
export const activationFrom = (
  state: LoanState,
  env: ViewEnv,
  day: Day,
  request: Pick<ActivateLoanRequest, 'amortizationAtActivation'>,
): LoanActivated => ({ contract: contractFrom(state, env, day, modeOf(state, request, day)), ...productAtActivation(state, env) });

/** The product's part of an activation, apart from the contract. */
export function productAtActivation(state: LoanState, env: ViewEnv): Omit<LoanActivated, 'contract'> {
  const { loanTypeId, atOrigination, zone } = recordOf(state);
  const company = companyOf(env, state.tenant);
  const feeTypes = feeTypesOf(company, loanTypeId);
  return {
    lateFees: lateFeeTerms(feeTypes, atOrigination),
    recurring: recurringTriggers(feeTypes),
    indexStamp: indexStampOf(company, loanTypeId),
    recordedDay: env.today(zone),
  };
}

/** The effective time of an activation: now if it is today, otherwise the beginning of its day. */
export function effectiveAtActivation(env: DecideEnv, state: LoanState, day: Day): EffectiveTime {
  const now = effectiveNow(env, state);
  return day === now.day ? now : { day, seconds: 0 };
}

/** Given rows are used unchanged, unless they would fall due before activation. */
function modeOf(state: LoanState, request: Pick<ActivateLoanRequest, 'amortizationAtActivation'>, day: Day): PlanMode {
  const given = recordOf(state).atOrigination.expectedPayments;
  const mode = request.amortizationAtActivation ?? (given === null ? 'reAmortize' : 'useAtOrigination');
  if (mode === 'reAmortize') return mode;
  const [first] = given ?? [];
  if (first === undefined) {
    refuse('ruleViolation', '`amortizationAtActivation` must be reAmortize: the loan has no expected payments at origination.', {
      errors: [{ path: 'amortizationAtActivation', expected: 'reAmortize', message: 'the loan has no expected payments' }],
    });
  }
  if (first.date > day) return mode;
  return refuse(
    'ruleViolation',
    '`amortizationAtActivation` must be reAmortize: an expected payment is due on or before the activation date.',
    {
      errors: [{ path: 'amortizationAtActivation', expected: 'reAmortize', message: 'an expected payment is before activation' }],
    },
  );
}

function contractFrom(state: LoanState, env: EvolveEnv, day: Day, mode: PlanMode): Contract {
  const { atOrigination: origination, loanTypeId } = recordOf(state);
  const settings = settingsAt(loanTypeVersions(companyOf(env, state.tenant), loanTypeId), day);
  try {
    return contractOf({
      origination,
      settings,
      day,
      mode,
      index: indexOf(state, env),
      plannedCents: allowsAdvances(state, env) ? plannedCents(state, day) : 0,
    });
  } catch (error) {
    if (!(error instanceof AmortizationError)) throw error;
    return refuse('ruleViolation', `The loan cannot be amortized from this day: ${error.message}.`, {
      errors: [{ path: 'activationDate', expected: 'a day from which the terms pay the loan off', message: error.message }],
      cause: error,
    });
  }
}

/** Whether a loan allows several advances: its activation pays out only what is not planned for later. */
export const allowsAdvances = (state: LoanState, env: EvolveEnv): boolean =>
  loanTypeOf(env, state).versions.at(-1)?.settings.structure.allowMultipleAdvances === true;

/** Reads address fields: encrypts with the borrower's data key, and finds the contact that an id names. */
export interface AddressReader {
  seal(address: object): Uint8Array;
  sealCard(card: object): Uint8Array;
  /** Null if the borrower has no such contact. */
  contact(anyId: string): { readonly id: string; readonly address: { readonly state?: string | null }; readonly isValid: boolean } | null;
}

export function rateFaults(request: Pick<ScheduleRequest, 'interestRates' | 'promoRates' | 'rateCaps'>, path: string): readonly Fault[] {
  return [
    ...bandFaults(request.interestRates, `${path}.interestRates`),
    ...bandFaults(request.promoRates ?? [], `${path}.promoRates`),
    ...bandFaults(request.rateCaps ?? [], `${path}.rateCaps`),
    ...negativeRateFaults(request.interestRates, `${path}.interestRates`),
  ];
}

function bandFaults(bands: readonly { readonly days?: number | null }[], path: string): readonly Fault[] {
  return bands
    .slice(0, -1)
    .flatMap((band, index) =>
      band.days == null ? [fault(`${path}[${index}].days`, 'a number of days', 'only the last band may last until the end')] : [],
    );
}

function negativeRateFaults(rates: readonly InterestRateRequest[], path: string): readonly Fault[] {
  return rates.flatMap((band, index) =>
    band.rate < 0 && band.interestType !== 'spread'
      ? [fault(`${path}[${index}].rate`, 'zero or more', 'an absolute rate cannot be negative')]
      : [],
  );
}

export const fault = (path: string, expected: string, message: string): Fault => ({ path, expected, message });
