import { addDays, type Day, startOfDay } from '../../../engine/index.js';
import { companyOf, feeTypesOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { type Fact, type FactDraft, factOf, SYSTEM_AGENT } from '../../kernel/fact.js';
import { nextItemsDay, type ScheduledWork, workThrough } from '../catch-up.js';
import { activationOf, recordOf } from '../context.js';
import { evolveLoan } from '../evolve.js';
import { scheduledFeeWork } from '../fees/quote.js';
import { newTriggers, recurringFeeWork } from '../fees/recurring.js';
import { cloneLoan } from '../packing.js';
import type { LoanState } from '../state.js';
import { creditWork } from '../transactions/daily.js';

/** What the service does to a loan by itself without anybody's money, in the order of a day. */
const WORK: readonly ScheduledWork<EvolveEnv>[] = [recurringFeeWork, creditWork, scheduledFeeWork];

/**
 * The loan on a coming day with the fees and credits that are booked by then: those that are scheduled, and fees of periods and years.
 * Payments are not made. A copy, on which the same functions have booked them that will on their days; the loan itself if there are none.
 */
export function loanToCome(state: LoanState, env: EvolveEnv, day: Day): LoanState {
  if (activationOf(state) === null) return state;
  const triggers = newTriggers(state, feeTypesOf(companyOf(env, state.tenant), recordOf(state).loanTypeId));
  const first = nextItemsDay(WORK, state);
  if (triggers === null && (first === null || first > day)) return state;
  const copy = cloneLoan(state);
  if (triggers !== null) evolveLoan(copy, factToCome(copy, triggers), null, env);
  for (const draft of workThrough(WORK, copy, day, env)) evolveLoan(copy, factToCome(copy, draft), null, env);
  return copy;
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
