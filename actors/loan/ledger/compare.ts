import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf } from '../context.js';
import { digestOf, recompute, runningOf } from './running.js';
import type { LedgerSummary, LoanState } from '../state.js';

export interface LedgerComparison {
  /** Of the ledger that runs along with the facts: what is served. */
  readonly running: { readonly digest: string; readonly summary: LedgerSummary };
  /** Of one that is computed from all facts at once. */
  readonly recomputed: { readonly digest: string; readonly summary: LedgerSummary };
}

/** A loan's running ledger beside a replay of all its facts; null before activation. */
export function compareLedgers(state: LoanState, env: EvolveEnv): LedgerComparison | null {
  const activation = activationOf(state);
  if (activation === null) return null;
  runningOf(state, env);
  return { running: { digest: digestOf(state), summary: activation.summary }, recomputed: recompute(state, env) };
}
