import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { cancelPaymentPlan } from './commands/cancel-payment-plan.js';
import { changeDueDates } from './commands/change-due-dates.js';
import { changeLoanTerms } from './commands/change-loan-terms.js';
import { createPaymentPlan } from './commands/create-payment-plan.js';
import { deferDueDate } from './commands/defer-due-date.js';
import { deferRemainingBalances } from './commands/defer-remaining-balances.js';
import { deferSchedule } from './commands/defer-schedule.js';

export { planEndedBy } from './plan-work.js';
export { modificationQueries } from './queries.js';

export const modificationCommands: readonly CommandSpec<LoanState>[] = [
  changeDueDates,
  deferDueDate,
  deferSchedule,
  deferRemainingBalances,
  changeLoanTerms,
  createPaymentPlan,
  cancelPaymentPlan,
];
