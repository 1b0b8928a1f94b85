import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { cancelFee } from './commands/cancel.js';
import { changeFee } from './commands/change.js';
import { changeOriginationFee } from './commands/change-origination.js';
import { chargeFee } from './commands/charge.js';

export { feeQueries } from './queries.js';

export const feeCommands: readonly CommandSpec<LoanState>[] = [chargeFee, cancelFee, changeFee, changeOriginationFee];
