import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { amortizeDraw, previewDraw } from './amortize.js';
import { activateDraw, cancelDraw, changeDrawFee, closeDraw } from './status.js';
import { chargeDrawFee } from '../fees/decide.js';
import { createDraw, updateDraw } from './change.js';

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
