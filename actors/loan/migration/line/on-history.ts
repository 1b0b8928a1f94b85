import type { CommandContext, Decision } from '../../../kernel/actor.js';
import type { ChargeFeeRequest } from '../../fees/types.js';
import type { LoanState } from '../../state.js';
import { cancelPastFee, findPastFee, recordPastFee } from './commands/past-fees.js';
import { findPastTransaction } from './commands/past-transactions.js';
import { clearPast, reversePast } from './commands/periods.js';

type Context = CommandContext<LoanState>;

interface OnHistory {
  /** Whether a command means history of a line and no live object. */
  isAbout(context: Context): boolean;
  decide(context: Context): Decision<LoanState>;
}

const namesPastTransaction = ({ state, command }: Context): boolean =>
  findPastTransaction(state, command.params['transactionId']) !== undefined;

/** Commands of live objects that are asked of history, too, and what they do then. */
const ON_HISTORY: Readonly<Record<string, OnHistory>> = {
  'transaction.reverse': { isAbout: namesPastTransaction, decide: reversePast },
  'transaction.cancel': { isAbout: namesPastTransaction, decide: clearPast },
  'loanFee.charge': {
    isAbout: ({ state, body }) => state.record?.type === 'lineOfCredit' && (body as ChargeFeeRequest).migration != null,
    decide: recordPastFee,
  },
  'loanFee.cancel': { isAbout: ({ state, command }) => findPastFee(state, command.params['feeId']) !== undefined, decide: cancelPastFee },
};

/** The command, or what it does to a line's history when it is about that. */
export function onHistory(context: Context, decide: (context: Context) => Decision<LoanState>): Decision<LoanState> {
  const history = ON_HISTORY[context.command.type];
  return history?.isAbout(context) === true ? history.decide(context) : decide(context);
}

/** Commands of live objects that history knows, too. */
export const OF_HISTORY: ReadonlySet<string> = new Set(Object.keys(ON_HISTORY));
