import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { cancelPaymentPlan, createPaymentPlan } from './payment-plan.js';
import { changeDueDates, changeLoanTerms } from './change.js';
import { deferDueDate, deferRemainingBalances, deferSchedule } from './defer.js';

export { planEndedBy } from './state.js';
export { modificationQueries } from './view.js';

export const modificationCommands: readonly CommandSpec<LoanState>[] = [
  changeDueDates,
  deferDueDate,
  deferSchedule,
  deferRemainingBalances,
  changeLoanTerms,
  createPaymentPlan,
  cancelPaymentPlan,
];
