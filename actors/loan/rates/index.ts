import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { addRateCap, changeRateCap, removeRateCap } from './caps.js';
import { addRates, changeRate, removeRate } from './rate-commands.js';
import { scraCommands } from './scra.js';

export { rateQueries } from './view.js';

export const rateCommands: readonly CommandSpec<LoanState>[] = [
  addRates,
  changeRate,
  removeRate,
  addRateCap,
  changeRateCap,
  removeRateCap,
  ...scraCommands('installment'),
  ...scraCommands('lineOfCredit'),
];
