import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { chargebackCommands, chargebackQueries } from './chargebacks/index.js';
import { backdateTransaction, cancelTransaction, rescheduleTransaction, returnTransaction, reverseTransaction } from './commands/status.js';
import { createTransaction } from './commands/create.js';
import { previewTransaction } from './commands/preview.js';
import { reimburseLoan } from './commands/reimburse.js';
import { updateTransaction } from './commands/update.js';
import { awaitingCardWork, movedByCard } from './awaiting-card.js';
import { awaitingFile } from './awaiting-file.js';
import { cardProcessingCommands } from './commands/card-processing.js';
import { fileTransaction, refuseUnsendable } from './commands/processing.js';
import { portfolioQueries } from './portfolio.js';
import { oneLoanQueries } from './queries.js';
export type * from './evolve.js';

export const transactionQueries: readonly QuerySpec<LoanState>[] = [
  ...oneLoanQueries,
  ...portfolioQueries,
  ...chargebackQueries,
  awaitingFile,
  awaitingCardWork,
  movedByCard,
];

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
  fileTransaction,
  refuseUnsendable,
  ...cardProcessingCommands,
  ...chargebackCommands,
];
