import { addDays, type Day, dayAt, LAST_DAY, must } from '../../engine/index.js';
import { companyOf, type FeeType, feeTypesEditedAt, feeTypesOf } from '../company/index.js';
import type { AgendaPlace, DecideEnv, EvolveEnv } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import { activationOf, effectiveNow, recordOf } from './context.js';
import type { CaughtUp } from './facts.js';
import type { LateFeesTaken } from './fees/evolve.js';
import { lateFeesAt, lateFeeTerms, sameLateFees } from './fees/late.js';
import { inOneOrder } from './ledger/one-order.js';
import { indexTakenDrafts, pendingEdition } from './rates/changes.js';
import { newTriggers } from './fees/recurring.js';
import type { LoanState } from './state.js';
import type { ScheduledWork } from './scheduled-work.js';

/** The zone whose days the loan lives by, and the next day on which it has something to do. */
export function loanAgenda(work: readonly ScheduledWork[], state: LoanState): AgendaPlace | null {
  if (state.record === null) return null;
  const nextDay = earlier(activationOf(state)?.summary.nextDay ?? null, nextItemsDay(work, state));
  return nextDay === null ? null : { zone: state.record.zone, nextDay };
}

/** Since the last day that is done, when its product's index has values that it has not taken in. */
export function loanBehind(state: LoanState, env: EvolveEnv): AgendaPlace | null {
  const activation = activationOf(state);
  return activation !== null && pendingEdition(state, env) !== undefined
    ? { zone: recordOf(state).zone, nextDay: activation.summary.through }
    : null;
}

/**
 * What the closed days ask of a loan, in order: the ledger's daily work up to a day with scheduled items, those
 * items, and so on up to today. Each fact is applied before the next is asked for.
 */
export function* catchUpLoan(work: readonly ScheduledWork[], state: LoanState, throughDay: Day, env: DecideEnv): Iterable<FactDraft> {
  yield* editedFees(state, env);
  for (;;) {
    const itemsDay = nextItemsDay(work, state);
    const stop = itemsDay !== null && itemsDay < throughDay ? itemsDay : throughDay;
    const activation = activationOf(state);
    if (activation !== null && activation.summary.through < stop) {
      yield { type: 'CaughtUp', body: { through: stop } satisfies CaughtUp };
      // The ledger's own work may bring items of its own.
      if (stop !== itemsDay) continue;
    }
    if (itemsDay === null || itemsDay > throughDay) break;
    for (const kind of work) if (kind.nextDay(state) === itemsDay) yield* kind.due(state, itemsDay, env);
  }
  for (let edition = pendingEdition(state, env); edition !== undefined; edition = pendingEdition(state, env)) {
    yield* inOneOrder(indexTakenDrafts(state, env, edition, effectiveNow(env, state)));
  }
}

/**
 * Edits of the product's fees hold for the daily work from the next day on: the loan takes them over
 * before it moves past that day.
 */
function* editedFees(state: LoanState, env: DecideEnv): Iterable<FactDraft> {
  const activation = activationOf(state);
  if (activation === null || activation.summary.status === 'canceled') return;
  const feeTypes = feeTypesOf(companyOf(env, state.tenant), recordOf(state).loanTypeId);
  const lateFees = newLateFees(state, env, feeTypes);
  if (lateFees !== null) yield lateFees;
  const triggers = newTriggers(state, feeTypes);
  if (triggers !== null) yield triggers;
}

function newLateFees(state: LoanState, env: DecideEnv, feeTypes: readonly FeeType[]): FactDraft | null {
  const { sources, summary } = must(activationOf(state), `${state.id} is active`);
  const record = recordOf(state);
  const lateFees = lateFeeTerms(feeTypes, record.atOrigination, sources.lateFeeTypes);
  if (sameLateFees(lateFees, lateFeesAt(sources.lateFees, LAST_DAY))) return null;
  const nextDay = addDays(dayAt(record.zone, feeTypesEditedAt(companyOf(env, state.tenant), record.loanTypeId)), 1);
  const from = nextDay > summary.through ? nextDay : addDays(summary.through, 1);
  return { type: 'LateFeesTaken', body: { from, lateFees } satisfies LateFeesTaken };
}

function nextItemsDay(work: readonly ScheduledWork[], state: LoanState): Day | null {
  let found: Day | null = null;
  for (const kind of work) found = earlier(found, kind.nextDay(state));
  return found;
}

function earlier(a: Day | null, b: Day | null): Day | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
