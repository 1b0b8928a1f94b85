import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { cancelFee, changeFee, changeOriginationFee, chargeFee } from './decide.js';

export { feeQueries } from './view.js';

export const feeCommands: readonly CommandSpec<LoanState>[] = [chargeFee, cancelFee, changeFee, changeOriginationFee];
