import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { createAutopay } from './commands/create.js';
import { cancelAutopay, cancelAutopayPayment, rescheduleAutopayPayment, updateAutopay } from './commands/manage.js';
export { autopayQueries } from './queries.js';

export const autopayCommands: readonly CommandSpec<LoanState>[] = [
  createAutopay,
  updateAutopay,
  cancelAutopay,
  rescheduleAutopayPayment,
  cancelAutopayPayment,
];
