import { computeLedger } from '../../../engine/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import { termsOf } from '../ledger.js';
import type { LoanState } from '../state.js';
import { reimbursedBy } from '../transactions/reimbursement.js';
import type { BalancesReply } from '../views/balance-types.js';
import { balancesReply } from '../views/balances.js';
import type { LedgerRange } from './ledger-lines.js';

/** The balances at the end of a day, as they were known at a moment. Null before activation. */
export function balancesAsOf(state: LoanState, env: EvolveEnv, { through, knownAt }: LedgerRange): BalancesReply | null {
  const { servicing } = state;
  if (servicing === null || through < servicing.contract.terms.activation) return null;
  const facts = servicing.facts.filter(({ recordedAt }) => knownAt === null || recordedAt <= knownAt).map(({ fact }) => fact);
  return balancesReply(computeLedger(termsOf(state, env), facts, through), {}, reimbursedBy(state, through, knownAt));
}
