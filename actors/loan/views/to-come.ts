import { addDays, type Day, must, startOfDay } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { bodyForRow } from '../../kernel/erased.js';
import { type Fact, type FactDraft, factOf, SYSTEM_AGENT } from '../../kernel/fact.js';
import { nextItemsDay, type ScheduledWork, workThrough } from '../catch-up.js';
import type { Applying } from '../applying.js';
import { activationOf, recordOf } from '../context.js';
import { APPLY_FEES } from '../fees/evolve.js';
import { scheduledFeeWork } from '../fees/quote.js';
import { recurringFeeWork } from '../fees/recurring.js';
import { adoptRules, caughtUp, ledgerChanged } from '../ledger/evolve.js';
import { cloneLoan } from '../packing.js';
import type { LoanState } from '../state.js';
import { creditWork } from '../transactions/daily.js';
import { APPLY_TRANSACTIONS } from '../transactions/evolve.js';

/** What the service does to a loan by itself without anybody's money, in the order of a day. */
const WORK: readonly ScheduledWork<EvolveEnv>[] = [recurringFeeWork, creditWork, scheduledFeeWork];

/**
 * The loan on a coming day with the fees and credits that are booked by then: those that are scheduled, and fees of periods and years.
 * Payments are not made. A copy, on which the same functions have booked them that will on their days; the loan itself if there are none.
 */
export function loanToCome(state: LoanState, env: EvolveEnv, day: Day): LoanState {
  if (activationOf(state) === null) return state;
  const first = nextItemsDay(WORK, state);
  if (first === null || first > day) return state;
  const copy = cloneLoan(state);
  for (const draft of workThrough(WORK, copy, day, env)) apply(copy, draft, env);
  return copy;
}

/** The facts of this work. */
const APPLY: { readonly [Type in string]?: (applying: Applying, body: never) => void } = {
  CaughtUp: caughtUp,
  LedgerChanged: ledgerChanged,
  ...APPLY_FEES,
  ...APPLY_TRANSACTIONS,
};

function apply(state: LoanState, draft: FactDraft, env: EvolveEnv): void {
  const fact = factToCome(state, draft);
  const applying: Applying = { state, fact, emit: null, env };
  adoptRules(applying);
  must(APPLY[fact.type], `the work of coming days yields ${fact.type}`)(applying, bodyForRow(fact));
}

/** The fact at the start of the next day that is not done. */
function factToCome(state: LoanState, draft: FactDraft): Fact {
  const through = activationOf(state)?.summary.through;
  const at = through === undefined ? 0 : startOfDay(recordOf(state).zone, addDays(through, 1));
  return factOf(
    draft,
    { tenant: state.tenant, kind: 'loan', id: state.id },
    { sequence: 0, stamp: at * 1000, businessAt: at, by: SYSTEM_AGENT, requestId: 'toCome', commandId: 'toCome' },
  );
}
