import type { LoanMove } from '../machine.js';
import type { LoanState } from '../state.js';

type Staged = Pick<LoanState, 'migration' | 'servicing' | 'line'>;

/** Being taken over from another system: what is recorded waits for the replay. */
export const isInPreparation = ({ migration }: Staged): boolean => migration !== null && migration.status === 'prepMigration';

/** The loan as it would be if it were migrated now, which exists only while something is decided or read. */
export const isTrial = (state: Staged): boolean => (state.servicing ?? state.line) !== null && isInPreparation(state);

/** Not taken in yet: in preparation, or after a run that failed. */
export const isOutside = ({ migration }: Staged): boolean => migration?.status === 'prepMigration' || migration?.status === 'failed';

/**
 * What may be recorded of a loan's past in any order: the status that the replay has reached with what is there so far
 * says nothing of the status on the day of what is recorded.
 */
const PAST_MOVES: ReadonlySet<LoanMove> = new Set<LoanMove>([
  'pay',
  'payDown',
  'manageMoney',
  'chargeFee',
  'cancelFee',
  'changeRates',
  'refund',
  'manageRefund',
  'advance',
  'accelerate',
  'chargeOff',
  'purchase',
  'managePurchase',
]);

export const isOfThePast = (move: LoanMove): boolean => PAST_MOVES.has(move);

/** What a loan on its way in does later: it is activated by the migration itself, and enrolled afterwards. */
const LATER_MOVES: ReadonlySet<LoanMove> = new Set<LoanMove>(['activate', 'enrollAutopay']);

export const isForLater = (move: LoanMove): boolean => LATER_MOVES.has(move);
