import type { Emit, EvolveEnv } from '../kernel/actor.js';
import type { Fact } from '../kernel/fact.js';
import type { LoanState } from './state.js';

/** A fact that is applied to a loan. `emit` is null in a recovery and in a simulation: nothing is published. */
export interface Applying {
  readonly state: LoanState;
  readonly fact: Fact;
  readonly emit: Emit | null;
  readonly env: EvolveEnv;
}

/** The reason of an order. */
export interface Why {
  readonly caseId: string | null;
  /** A value that the interface or the service defines. */
  readonly reason: string | null;
  /** Free text of the caller. */
  readonly writtenReason?: string | null;
}

export const NO_REASON: Why = { caseId: null, reason: null };
