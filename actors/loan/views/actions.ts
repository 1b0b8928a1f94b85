import type { LoanState } from '../state.js';
import type { ViewEnv } from './loan.js';
import { ratesValidation } from './validation.js';
import { scheduleRows } from './schedule.js';
import type { ActivationReply } from './types.js';

/** What activation answers (loans.md 1.5). */
export function activationReply(state: LoanState, env: ViewEnv): ActivationReply {
  return {
    schedule: scheduleRows(state, env),
    ratesValidation: ratesValidation(state, env),
    amountsValidation: state.servicing?.contract.amountsValidation ?? null,
  };
}
