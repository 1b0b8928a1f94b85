import type { LoanMove } from '../machine.js';
import type { LoanState } from '../state.js';

type Staged = Pick<LoanState, 'migration' | 'servicing' | 'line'>;

/** A loan in preparation of its migration from another system: recorded activity waits for the replay. */
export const isInPreparation = ({ migration }: Staged): boolean => migration !== null && migration.status === 'prepMigration';

/** The loan as if it were migrated now, which exists only during a command or a query. */
export const isMigrationTrial = (state: Staged): boolean => (state.servicing ?? state.line) !== null && isInPreparation(state);

/** Not migrated yet: in preparation, or after a migration that failed. */
export const isBeforeMigration = ({ migration }: Staged): boolean =>
  migration?.status === 'prepMigration' || migration?.status === 'failed';

/**
 * Moves of a loan's past that may be recorded in any order: the status after a replay of what is recorded so far is not the status on the
 * day of the move.
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

/** Moves that must wait for the migration: it activates the loan itself, and autopay begins afterwards. */
const LATER_MOVES: ReadonlySet<LoanMove> = new Set<LoanMove>(['activate', 'enrollAutopay']);

export const isForLater = (move: LoanMove): boolean => LATER_MOVES.has(move);
