import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { cancelRefund, createRefund, updateRefund } from './decide.js';

export { refundQueries } from './view.js';

export const refundCommands: readonly CommandSpec<LoanState>[] = [createRefund, updateRefund, cancelRefund];
