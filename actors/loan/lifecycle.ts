import type { Lifecycle } from '../kernel/actor.js';
import { activationOf, statusOf } from './context.js';
import { isLine, runningOf } from './ledger/running.js';
import { loanMachine } from './machine.js';
import type { LoanState } from './state.js';

/** A loan by its machine: its status, and what its ledger knows of orders that hold again once something is owed. */
export const loanLifecycle: Lifecycle<LoanState> = {
  machine: loanMachine,
  at(state, env) {
    if (state.record === null) return { value: 'pending' };
    const value = statusOf(state);
    if (activationOf(state) === null) return { value };
    const running = runningOf(state, env);
    const isFrozen = isLine(running) ? running.isFrozen : running.frozenSteps !== null;
    return { value, context: { isFrozen, isAccelerated: running.acceleratedSince !== null } };
  },
};
