import { type Balances, computeByDay, type Day, dayAt, daysOverdueOf, latest, must, oldestOverdue } from '../../../engine/index.js';
import { settingsAt, settingsTimeline } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf, loanTypeOf, recordOf } from '../context.js';
import { factsOf, termsOf } from '../ledger/installment.js';
import { balancesIn, type RunningLedger } from '../ledger/running.js';
import { lineByDay } from '../line/ledger.js';
import type { LoanStatus } from '../machine.js';
import type { LoanState } from '../state.js';

/** A loan at the end of a day, as all facts that are known make it. */
export interface DailyBalances {
  readonly day: Day;
  readonly status: LoanStatus;
  /** Null before the activation. */
  readonly balances: Balances | null;
  readonly daysOverdue: number;
  /** What remains of obligations that are overdue, and of those that are for more than 30 days. */
  readonly overdueCents: number;
  readonly longOverdueCents: number;
}

const LONG_OVERDUE_DAYS = 30;

/** Statuses after which a loan has data for some days only. */
const ENDED: ReadonlySet<LoanStatus> = new Set(['paidOff', 'canceled', 'declined']);

/**
 * The loan on each of the days, which rise. It has none of the days before it was made, and after it was paid off, canceled or declined
 * those that its type sets (`snapshotDaysAfterPayoff`).
 */
export function dailyBalancesOf(state: LoanState, env: EvolveEnv, days: readonly Day[]): readonly DailyBalances[] {
  const activation = activationOf(state)?.contract.terms.activation ?? Infinity;
  const timeline = settingsTimeline(loanTypeOf(env, state).versions);
  const hasData = (day: Day, status: LoanStatus, since: Day): boolean =>
    !ENDED.has(status) || day - since <= settingsAt(timeline, day).snapshotDaysAfterPayoff;
  const found = days.filter((day) => day < activation).flatMap((day) => beforeActivation(state, day, hasData));
  ledgersOn(
    state,
    env,
    days.filter((day) => day >= activation),
    (ledger) => {
      if (hasData(ledger.day, ledger.status, ledger.statusSince)) found.push(onItsDay(ledger));
    },
  );
  return found;
}

/** Calls `see` with the ledger at the end of each of the days, which rise from the activation on: read figures from it, do not keep it. */
export function ledgersOn(state: LoanState, env: EvolveEnv, days: readonly Day[], see: (ledger: RunningLedger) => void): void {
  const [from] = days;
  const to = days.at(-1);
  if (from === undefined || to === undefined) return;
  if (state.line !== null) return lineByDay(state, env, days, see);
  const wanted = new Set(days);
  const facts = factsOf(must(state.servicing, `${state.id} has no ledger`));
  computeByDay(termsOf(state, env), facts, { from, to }, (ledger) => {
    if (wanted.has(ledger.day)) see(ledger);
  });
}

type HasData = (day: Day, status: LoanStatus, since: Day) => boolean;

/** By the history of its status: the loan has no ledger on the day. */
function beforeActivation(state: LoanState, day: Day, hasData: HasData): readonly DailyBalances[] {
  const { zone, timestamps } = recordOf(state);
  const made = dayAt(zone, timestamps.createdAt);
  const change = state.statusHistory.findLast(({ effectiveDay }) => effectiveDay <= day);
  if (day < made || change === undefined) return [];
  const { newStatus: status, effectiveDay } = change;
  if (!hasData(day, status, latest(effectiveDay, made))) return [];
  return [{ day, status, balances: null, daysOverdue: 0, overdueCents: 0, longOverdueCents: 0 }];
}

function onItsDay(ledger: RunningLedger): DailyBalances {
  const oldest = oldestOverdue(ledger);
  let overdueCents = 0;
  let longOverdueCents = 0;
  for (const obligation of ledger.obligations) {
    if (!obligation.isEnforced || obligation.isFulfilled) continue;
    overdueCents += obligation.remainingCents;
    if (daysOverdueOf(ledger, obligation) > LONG_OVERDUE_DAYS) longOverdueCents += obligation.remainingCents;
  }
  const { day, status } = ledger;
  const daysOverdue = oldest === undefined ? 0 : daysOverdueOf(ledger, oldest);
  return { day, status, balances: balancesIn(ledger), daysOverdue, overdueCents, longOverdueCents };
}
