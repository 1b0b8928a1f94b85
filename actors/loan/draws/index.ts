import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { amortizeDraw, previewDraw } from './commands/amortize.js';
import { activateDraw } from './commands/activate.js';
import { chargeDrawFee } from '../fees/decide.js';
import { changeDrawFee } from './commands/fee.js';
import { createDraw } from './commands/create.js';
import { cancelDraw, closeDraw } from './commands/end.js';
import { updateDraw } from './commands/update.js';

export { drawQueries } from './view.js';

export const drawCommands: readonly CommandSpec<LoanState>[] = [
  createDraw,
  updateDraw,
  activateDraw,
  cancelDraw,
  closeDraw,
  chargeDrawFee,
  changeDrawFee,
  amortizeDraw,
  previewDraw,
];
