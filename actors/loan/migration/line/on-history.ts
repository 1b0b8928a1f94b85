import type { CommandContext, Decision } from '../../../kernel/actor.js';
import type { ChargeFeeRequest } from '../../fees/types.js';
import type { LoanState } from '../../state.js';
import { cancelPastFee, findPastFee, recordPastFee } from './past-fees.js';
import { clearPast, findPastTransaction, reversePast } from './past-transactions.js';

type Context<Body = unknown> = CommandContext<LoanState, Body>;

interface OnHistory {
  /** Whether a command concerns a line's history instead of a live object. */
  isAbout(context: Context): boolean;
  decide(context: Context): Decision<LoanState>;
}

const namesPastTransaction = ({ state, command }: Context): boolean =>
  findPastTransaction(state, command.params['transactionId']) !== undefined;

/** Commands of live objects that also work on history, and what they do there. */
const ON_HISTORY: Readonly<Record<string, OnHistory>> = {
  'transaction.reverse': { isAbout: namesPastTransaction, decide: reversePast },
  'transaction.cancel': { isAbout: namesPastTransaction, decide: clearPast },
  'loanFee.charge': {
    isAbout: ({ state, body }: Context<ChargeFeeRequest>) => state.record?.type === 'lineOfCredit' && body.migration != null,
    decide: recordPastFee,
  },
  'loanFee.cancel': { isAbout: ({ state, command }) => findPastFee(state, command.params['feeId']) !== undefined, decide: cancelPastFee },
};

/** Decides the command, or its counterpart on a line's history. */
export function onHistory(context: Context, decide: (context: Context) => Decision<LoanState>): Decision<LoanState> {
  const history = ON_HISTORY[context.command.type];
  return history?.isAbout(context) === true ? history.decide(context) : decide(context);
}

/** The types of these commands. */
export const OF_HISTORY: ReadonlySet<string> = new Set(Object.keys(ON_HISTORY));
