import { addDays, type Day, LAST_DAY, must } from '../../engine/index.js';
import { companyOf, type FeeType, feeTypesEdition, feeTypesOf } from '../company/index.js';
import type { AgendaEntry, DecideEnv, EvolveEnv } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import { advanceWork } from './advances/advance.js';
import { autopayWork } from './autopay/daily.js';
import { commissionWork } from './collection/index.js';
import { activationOf, effectiveNow, recordOf } from './context.js';
import type { CaughtUp } from './facts.js';
import type { LateFeesTaken } from './fees/evolve.js';
import { lateFeesAt, lateFeeTerms, sameLateFees } from './fees/late.js';
import { scheduledFeeWork } from './fees/quote.js';
import { merchantReserveWork } from './payouts/reserve-releases.js';
import { newTriggers, recurringFeeWork } from './fees/recurring.js';
import { inOneOrder } from './ledger/one-order.js';
import { planWork } from './modifications/state.js';
import { promiseWork } from './promises/decide.js';
import { promoWork } from './promo-programs/daily.js';
import { indexRateDrafts, pendingEdition } from './rates/changes.js';
import type { LoanState } from './state.js';
import { statementWork } from './statements/index.js';
import { transactionWork } from './transactions/daily.js';
import type { SettlementPort } from './transactions/settlement.js';

/**
 * The work of the days that are over, in order. Edits of the product's fees come behind the day on which they were last made, and hold
 * from the next one. At the end come the editions of the product's index that the loan has not applied yet. Each fact is applied before
 * the next one is taken from the iterable.
 */
export function* catchUpLoan(work: readonly ScheduledWork[], state: LoanState, throughDay: Day, env: DecideEnv): Iterable<FactDraft> {
  if (feeEdits(state, env).length > 0) {
    const lastBefore = addDays(editionOf(state, env).from, -1);
    yield* workThrough(work, state, lastBefore < throughDay ? lastBefore : throughDay, env);
    yield* feeEdits(state, env);
  }
  yield* workThrough(work, state, throughDay, env);
  for (let edition = pendingEdition(state, env); edition !== undefined; edition = pendingEdition(state, env)) {
    yield* inOneOrder(indexRateDrafts(state, env, edition, effectiveNow(env, state)));
  }
}

/** The ledger's daily work up to a day with scheduled items, those items, and so on through a day. */
export function* workThrough<Env extends EvolveEnv>(
  work: readonly ScheduledWork<Env>[],
  state: LoanState,
  throughDay: Day,
  env: Env,
): Iterable<FactDraft> {
  for (;;) {
    const itemsDay = nextItemsDay(work, state);
    const stop = itemsDay !== null && itemsDay < throughDay ? itemsDay : throughDay;
    const activation = activationOf(state);
    if (activation !== null && activation.summary.through < stop) {
      yield { type: 'CaughtUp', body: { through: stop } satisfies CaughtUp };
      // The ledger's work may lead to new scheduled items.
      if (stop !== itemsDay) continue;
    }
    if (itemsDay === null || itemsDay > throughDay) return;
    for (const kind of work) if (kind.nextDay(state) === itemsDay) yield* kind.due(state, itemsDay, env);
  }
}

/** Work is due since the last day that is done if the product's index or its fees have changed and the loan has not taken that. */
export function loanBehind(state: LoanState, env: EvolveEnv): AgendaEntry | null {
  const activation = activationOf(state);
  if (activation === null || (pendingEdition(state, env) === undefined && !hasEditedFees(state, env))) return null;
  return { zone: recordOf(state).zone, nextDay: activation.summary.through };
}

/** Whether the product's fees are others from a day on that the loan has not done: whatever comes on a later day comes behind them. */
const hasEditedFees = (state: LoanState, env: EvolveEnv): boolean =>
  editionOf(state, env).from > must(activationOf(state), `${state.id} is active`).summary.through && feeEdits(state, env).length > 0;

/** When the product's fees were edited last, and the first day on which that holds. */
function editionOf(state: LoanState, env: EvolveEnv): ReturnType<typeof feeTypesEdition> {
  const { loanTypeId, zone } = recordOf(state);
  return feeTypesEdition(companyOf(env, state.tenant), loanTypeId, zone);
}

/** The loan's time zone, and the next day on which it has work to do. */
export function loanAgenda(work: readonly ScheduledWork[], state: LoanState): AgendaEntry | null {
  if (state.record === null) return null;
  const nextDay = earlier(activationOf(state)?.summary.nextDay ?? null, nextItemsDay(work, state));
  return nextDay === null ? null : { zone: state.record.zone, nextDay };
}

/** Scheduled work of a loan, done on its days after the ledger's daily work. */
export interface ScheduledWork<Env extends EvolveEnv = DecideEnv> {
  /** The earliest day with something to do; a day that is past means now. Null when nothing waits. */
  nextDay(state: LoanState): Day | null;
  /** The facts to record on that day. Afterwards `nextDay` must be later. */
  due(state: LoanState, day: Day, env: Env): Iterable<FactDraft>;
}

/** In the order of a day. */
export const scheduledWork = (settlement: SettlementPort): readonly ScheduledWork[] => [
  statementWork,
  advanceWork,
  recurringFeeWork,
  transactionWork(settlement),
  autopayWork,
  promiseWork,
  promoWork,
  planWork,
  commissionWork,
  merchantReserveWork,
  scheduledFeeWork, // effective at its named time, or at the end of the day: after the work above, which is effective at 01:00
];

/** The facts by which a loan takes the product's fees as they are now; none where it has them. */
function feeEdits(state: LoanState, env: EvolveEnv): readonly FactDraft[] {
  const activation = activationOf(state);
  if (activation === null || activation.summary.status === 'canceled') return [];
  const feeTypes = feeTypesOf(companyOf(env, state.tenant), recordOf(state).loanTypeId);
  return [newLateFees(state, env, feeTypes), newTriggers(state, feeTypes)].filter((draft) => draft !== null);
}

function newLateFees(state: LoanState, env: EvolveEnv, feeTypes: readonly FeeType[]): FactDraft | null {
  const { sources, summary } = must(activationOf(state), `${state.id} is active`);
  const record = recordOf(state);
  const lateFees = lateFeeTerms(feeTypes, record.atOrigination, sources.lateFeeTypes);
  if (sameLateFees(lateFees, lateFeesAt(sources.lateFees, LAST_DAY))) return null;
  const { editedAt, from } = editionOf(state, env);
  const body: LateFeesTaken = from > summary.through ? { from, lateFees, editedAt } : { from: addDays(summary.through, 1), lateFees };
  return { type: 'LateFeesTaken', body };
}

export function nextItemsDay(work: readonly Pick<ScheduledWork, 'nextDay'>[], state: LoanState): Day | null {
  let found: Day | null = null;
  for (const kind of work) found = earlier(found, kind.nextDay(state));
  return found;
}

function earlier(a: Day | null, b: Day | null): Day | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
