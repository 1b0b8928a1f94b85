import { addDays, type Day, linePeriodsOf, type LineState, must } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { isLine, type RunningLedger, runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { productOn } from '../transactions/moves.js';
import { type Asking, type AutopayAmount, autopayAmount } from './amounts.js';
import { comingPayments } from './dates.js';
import type { AutopayPlan } from './plan.js';
import { type Projection, projectPlan } from './projection.js';
import { besideOf, withWaiting } from './waiting.js';

/** What the plan pays on a day, with the ledger as of that day. */
export const amountOn = (state: LoanState, env: EvolveEnv, plan: AutopayPlan, day: Day): AutopayAmount =>
  autopayAmount(withWaiting(state, env, plan, runningOf(state, env)), day, askingOf(state, env, plan, day, plan.through));

/** The payments to come, computed from the loan's present ledger. A frozen loan's plan waits: none can be told. */
export const projectionOf = (state: LoanState, env: EvolveEnv, plan: AutopayPlan, ledger: RunningLedger): Projection =>
  projectPlan(
    { present: ledger, begun: withWaiting(state, env, plan, ledger), beside: besideOf(state, plan, ledger.day) },
    askingOf(state, env, plan, ledger.day, ledger.day > plan.through ? ledger.day : plan.through),
  );

function askingOf(state: LoanState, env: EvolveEnv, plan: AutopayPlan, day: Day, after: Day): Asking {
  const { rule, amountType, fixedCents, extraCents } = plan;
  return {
    isAligned: rule === null,
    amountType,
    fixedCents,
    extraCents,
    includeOverdue: productOn(state, env, day).autopay.includeOverdue,
    coming: comingPayments(plan, after),
  };
}

type SeenRows = Pick<AutopayPlan, 'rowDays' | 'rowCents'>;

/** The rows of the schedule as a plan keeps them. */
export function seenRows(ledger: RunningLedger | null): SeenRows {
  if (ledger === null) return { rowDays: [], rowCents: [] };
  if (isLine(ledger)) return { rowDays: dueDaysOf(ledger), rowCents: [] };
  return { rowDays: ledger.rows.map(({ date }) => date), rowCents: ledger.rows.map(({ amountCents }) => amountCents) };
}

/** Due dates of a line that a plan looks ahead to, and the fewest days of them that are left before it looks again. */
const SEEN_DAYS = 400;
const LEAST_SEEN_DAYS = 200;
/** Where the dates of two periods agree the rule behind them does, or it shows later. */
const COMPARED_DAYS = 70;

/** By the ordinals of their periods; those before the first that a line knows have none of their own. */
function dueDaysOf(ledger: LineState): readonly Day[] {
  const periods = linePeriodsOf(ledger, addDays(ledger.day, SEEN_DAYS));
  const [first] = periods;
  const unknown = Array.from({ length: first?.ordinal ?? 0 }, () => first?.dueDay ?? ledger.day);
  return [...unknown, ...periods.map(({ dueDay }) => dueDay)];
}

/** Whether the rows to come are others than the plan has seen. A ledger that is laid down has not changed since. */
export function hasNewRows({ servicing, line }: LoanState, seen: SeenRows): boolean {
  const ledger = servicing?.ledger ?? line?.ledger ?? null;
  if (ledger === null) return false;
  if (isLine(ledger)) return hasNewDueDays(ledger, seen);
  const { rows, nextRow } = ledger;
  const { rowDays, rowCents } = seen;
  if (rows.length !== rowDays.length) return true;
  for (let at = nextRow; at < rows.length; at += 1) {
    const row = must(rows[at], 'a row within the schedule');
    if (row.date !== rowDays[at] || row.amountCents !== rowCents[at]) return true;
  }
  return false;
}

/** The running period and those that follow, or the plan has come near the end of what it has seen. */
function hasNewDueDays(ledger: LineState, { rowDays }: SeenRows): boolean {
  if ((rowDays.at(-1) ?? ledger.day) < addDays(ledger.day, LEAST_SEEN_DAYS)) return true;
  const running = must(ledger.periods.at(-1), 'a line has a running period').ordinal;
  return linePeriodsOf(ledger, addDays(ledger.day, COMPARED_DAYS)).some(
    ({ ordinal, dueDay }) => ordinal >= running && rowDays[ordinal] !== dueDay,
  );
}
