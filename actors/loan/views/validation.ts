import type { Rate } from '../../../engine/index.js';
import { currentSettings, type InterestSettings } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf, loanTypeOf, recordOf } from '../context.js';
import type { Origination } from '../origination/terms.js';
import type { LoanState } from '../state.js';
import type { AmountsValidationView, RatesValidationView } from './types.js';

/** The loan's rates and APRs against its product's limits: flags that inform. */
export function ratesValidation(state: LoanState, env: EvolveEnv): RatesValidationView {
  const { interest } = currentSettings(loanTypeOf(env, state));
  const { atOrigination: terms } = recordOf(state);
  return ratesAgainst(terms, activationOf(state)?.contract ?? null, interest);
}

/** Rates at origination and at activation against a product's limits. */
export function ratesAgainst(
  terms: RatesAtOrigination,
  contract: RatesAtActivation | null,
  interest: InterestSettings,
): RatesValidationView {
  const rates = terms.interestRates.map((band) => band.rate);
  return {
    interestRateAtOrigExceedsMax: rates.some((rate) => isAbove(rate, interest.maxRate)),
    interestRateAtOrigBelowMin: interest.minRate !== null && rates.some((rate) => rate < (interest.minRate ?? 0)),
    aprNominalAtOrigExceedsMax: isAbove(terms.aprNominal, interest.maxAprNominal),
    aprEffectiveAtOrigExceedsMax: isAbove(terms.aprEffective, interest.maxAprEffective),
    aprNominalAtActExceedsMax: isAbove(contract?.aprNominal, interest.maxAprNominal),
    aprEffectiveAtActExceedsMax: isAbove(contract?.aprEffective, interest.maxAprEffective),
  };
}

/** Who owes by draws gave no figures that the service could have computed otherwise. */
export const NOTHING_TO_COMPARE: AmountsValidationView = {
  principalMatch: true,
  interestMatch: true,
  feesMatch: true,
  totalAdvancesMatch: true,
  recurringAmountsMatch: true,
};

/** After activation: whether the caller's figures agree with the service's own amortization. */
export const amountsValidation = ({ servicing, line }: Pick<LoanState, 'servicing' | 'line'>): AmountsValidationView | null =>
  servicing?.contract.amountsValidation ?? (line === null ? null : NOTHING_TO_COMPARE);

type RatesAtOrigination = Pick<Origination, 'interestRates' | 'aprNominal' | 'aprEffective'>;

interface RatesAtActivation {
  readonly aprNominal: Rate;
  readonly aprEffective: Rate;
}

const isAbove = (rate: Rate | null | undefined, most: Rate | null): boolean => rate != null && most !== null && rate > most;
