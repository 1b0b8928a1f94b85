import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { chargebackCommands, chargebackQueries } from './chargebacks/index.js';
import { backdateTransaction } from './commands/backdate.js';
import { cancelTransaction } from './commands/cancel.js';
import { createTransaction } from './commands/create.js';
import { previewTransaction } from './commands/preview.js';
import { reimburseLoan } from './commands/reimburse.js';
import { rescheduleTransaction } from './commands/reschedule.js';
import { returnTransaction } from './commands/return.js';
import { reverseTransaction } from './commands/reverse.js';
import { updateTransaction } from './commands/update.js';
import { portfolioQueries } from './portfolio.js';
import { oneLoanQueries } from './queries.js';
export type * from './evolve.js';

export const transactionQueries: readonly QuerySpec<LoanState>[] = [...oneLoanQueries, ...portfolioQueries, ...chargebackQueries];

export const transactionCommands: readonly CommandSpec<LoanState>[] = [
  createTransaction,
  previewTransaction,
  updateTransaction,
  cancelTransaction,
  reverseTransaction,
  backdateTransaction,
  rescheduleTransaction,
  reimburseLoan,
  returnTransaction,
  ...chargebackCommands,
];
