import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { cancelPurchase, createPurchase, updatePurchase } from './change.js';
import { cancelDispute, openDispute, updateDispute } from './dispute.js';

export { purchaseQueries } from './queries.js';

export const purchaseCommands: readonly CommandSpec<LoanState>[] = [
  createPurchase,
  updatePurchase,
  cancelPurchase,
  openDispute,
  updateDispute,
  cancelDispute,
];
