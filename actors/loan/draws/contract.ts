import { shareOfCents, type Cents, cents, type Day, type DrawActivated } from '../../../engine/index.js';
import type { LoanTypeSettings } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { recordOf } from '../context.js';
import type { LedgerChange } from '../facts.js';
import { creditTermsOf, minimumOf } from '../line/activate.js';
import { lineOf } from '../line/ledger.js';
import type { LoanState } from '../state.js';
import type { Draw } from './draw.js';
import { timelineOfDraw } from './rate-rows.js';

/** The terms that the activation of a draw gives to the line's ledger: its own, and the line's where it has none. */
export function drawContractOf(
  state: LoanState,
  env: EvolveEnv,
  draw: Draw,
  settings: LoanTypeSettings,
  day: Day,
): LedgerChange<DrawActivated> {
  const { atOrigination: line } = recordOf(state);
  const { atOrigination: own, drawType } = draw;
  return {
    type: 'drawActivated',
    draw: draw.draw,
    drawType,
    rates: timelineOfDraw(state, env, draw, day),
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

/** The draw's own limit: an amount, or a share of the line's limit, halves rounded up. Null: only the line's limit applies. */
export function limitOf({ creditLimitCents, creditLimitPercentage }: Draw['atOrigination'], lineCents: Cents): Cents | null {
  return creditLimitPercentage === null ? creditLimitCents : shareOfCents(lineCents, creditLimitPercentage, 'halfUp');
}
