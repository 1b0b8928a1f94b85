import { type Cents, cents, type Day, divideRounded, type DrawActivated, must, type Rate, RATE_ONE, type RateTimeline } from '../../../engine/index.js';
import type { LoanTypeSettings } from '../../company/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import { recordOf } from '../context.js';
import type { LedgerChange } from '../facts.js';
import { creditTermsOf, minimumOf } from '../line/contract.js';
import { lineOf } from '../line/ledger.js';
import { indexOf, rateRowsOf, timelineOf } from '../rate-rows.js';
import { ratesFrom } from '../schedule-plan.js';
import type { LoanState } from '../state.js';
import type { Draw } from './draw.js';

/** What the activation of a draw on a day brings to the line's ledger: its own terms, and the line's where it has none. */
export function drawContractOf(state: LoanState, env: EvolveEnv, draw: Draw, settings: LoanTypeSettings, day: Day): LedgerChange<DrawActivated> {
  const { atOrigination: line } = recordOf(state);
  const { atOrigination: own, drawType } = draw;
  return {
    type: 'drawActivated',
    draw: draw.draw,
    drawType,
    rates: drawRatesOf(state, env, draw, day),
    minimum: minimumOf(own.minPayment, creditTermsOf(line).minPayment, settings),
    grace: {
      isApplicable: own.grace?.isApplicable ?? settings.grace.isGracePeriodApplicable,
      periodsToRestore: own.grace?.periodsToRestore ?? settings.grace.numPeriodsToRestoreGrace,
    },
    fee: { amountCents: own.drawFeeCents, percentageOfPrincipal: own.drawFeePercentageOfPrincipal, logic: settings.fees.drawFeeLogic },
    limitCents: limitOf(own, cents(lineOf(state, env).limitCents)),
    amortization: own.autoAmortization,
  };
}

/** A limit of its own: the amount, or its share of the line's, halves up. Null: the line's alone. */
export function limitOf({ creditLimitCents, creditLimitPercentage }: Draw['atOrigination'], lineCents: Cents): Cents | null {
  return creditLimitPercentage === null ? creditLimitCents : shareOf(lineCents, creditLimitPercentage);
}

const shareOf = (whole: Cents, share: Rate): Cents => cents(Number(divideRounded(BigInt(whole) * BigInt(share), BigInt(RATE_ONE), 'halfUp')));

/** Rates that were agreed for the draw begin with it; else those of the line hold, as they stand. Caps are the line's. */
function drawRatesOf(state: LoanState, env: EvolveEnv, { atOrigination: own }: Draw, day: Day): RateTimeline {
  const { activation } = must(state.line, `${state.id} has no line of credit`).contract.terms;
  const { interestRates, promoRates, rateCaps } = recordOf(state).atOrigination;
  if (own.interestRates === null && own.promoRates === null) return timelineOf(rateRowsOf(state, env), indexOf(state, env), activation);
  const bands = { interestRates: own.interestRates ?? interestRates, promoRates: own.promoRates ?? promoRates, rateCaps };
  return ratesFrom({ ...bands, index: indexOf(state, env) }, day);
}
