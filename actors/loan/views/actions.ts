import { recordOf } from '../context.js';
import { installment } from '../ledger/installment.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from './loan.js';
import { amountsValidation, ratesValidation } from './validation.js';
import { rowsOf } from './schedule.js';
import type { ActivationReply } from './types.js';

/** What activation answers. Its rows are printed when it is rendered, of a copy that stays where it is. */
export function activationReply(state: LoanState, env: ViewEnv): ActivationReply {
  const ledger = installment.on(state, env, env.today(recordOf(state).zone));
  return {
    get schedule() {
      return rowsOf(ledger, state, env);
    },
    ratesValidation: ratesValidation(state, env),
    amountsValidation: amountsValidation(state),
  };
}
