import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { createPurchase } from './commands/create.js';
import { openDispute } from './commands/open-dispute.js';
import { cancelPurchase, updatePurchase } from './commands/update.js';
import { cancelDispute, updateDispute } from './commands/update-dispute.js';

export { purchaseQueries } from './queries.js';

export const purchaseCommands: readonly CommandSpec<LoanState>[] = [
  createPurchase,
  updatePurchase,
  cancelPurchase,
  openDispute,
  updateDispute,
  cancelDispute,
];
