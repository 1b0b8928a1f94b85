import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { addRateCap, changeRateCap, removeRateCap, scraCommands } from './scra.js';
import { addRates, changeRate, removeRate } from './rate-commands.js';

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
