import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { cancelAutopay, cancelAutopayPayment, createAutopay, rescheduleAutopayPayment, updateAutopay } from './decide.js';
export { autopayQueries } from './view.js';

export const autopayCommands: readonly CommandSpec<LoanState>[] = [
  createAutopay,
  updateAutopay,
  cancelAutopay,
  rescheduleAutopayPayment,
  cancelAutopayPayment,
];
