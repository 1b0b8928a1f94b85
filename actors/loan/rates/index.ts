import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { addRateCap, changeRateCap, removeRateCap } from './commands/caps.js';
import { addRates, changeRate, removeRate } from './commands/rates.js';
import { scraCommands } from './commands/scra.js';

export { rateQueries } from './queries.js';

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
