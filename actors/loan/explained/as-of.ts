import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf } from '../context.js';
import { computedThrough } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { reimbursedBy } from '../transactions/reimbursement.js';
import type { BalancesReply } from '../views/balance-types.js';
import { balancesReply, standingOfLedger } from '../views/balances.js';
import type { LedgerRange } from './ledger-lines.js';

/** The balances at the end of a day, as they were known at a moment. Null before activation. */
export function balancesAsOf(state: LoanState, env: EvolveEnv, { through, knownAt }: LedgerRange): BalancesReply | null {
  const activation = activationOf(state);
  if (activation === null || through < activation.contract.terms.activation) return null;
  const ledger = computedThrough(state, env, through, knownAt);
  return balancesReply(standingOfLedger(ledger, state), {}, reimbursedBy(state, through, knownAt));
}
