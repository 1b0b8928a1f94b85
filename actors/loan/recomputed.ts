import { computeLedger, stateDigest } from '../../engine/index.js';
import type { EvolveEnv } from '../runtime/actor.js';
import { factsOf, ledgerOf, summaryOf } from './ledger.js';
import type { LedgerSummary, LoanState } from './state.js';

export interface LedgerComparison {
  /** Of the ledger that runs along with the facts: what is served. */
  readonly running: { readonly digest: string; readonly summary: LedgerSummary };
  /** Of one that is computed from all facts at once. */
  readonly recomputed: { readonly digest: string; readonly summary: LedgerSummary };
}

/** A loan's running ledger beside a replay of all its facts; null before activation. */
export function compareLedgers(state: LoanState, env: EvolveEnv): LedgerComparison | null {
  const { servicing } = state;
  if (servicing === null) return null;
  const running = ledgerOf(state, env);
  const recomputed = computeLedger(running.terms, factsOf(servicing), running.day);
  return {
    running: { digest: stateDigest(running), summary: servicing.summary },
    recomputed: { digest: stateDigest(recomputed), summary: summaryOf(recomputed) },
  };
}
