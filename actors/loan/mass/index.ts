export { isLoanMove, loanFigures } from './figures.js';
export { orderReplays, replayFrom, type ReplayManyRequest } from './replay.js';
export { selectLoans } from './selection.js';
