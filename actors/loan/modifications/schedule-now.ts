import {
  AmortizationError,
  changedSchedule,
  computeLedger,
  type Day,
  firstRowAfter,
  type LedgerState,
  type OpenRow,
  type Schedule,
  type ScheduleChanged,
} from '../../../engine/index.js';
import type { LoanTypeSettings } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext } from '../../kernel/actor.js';
import { dateText } from '../../wire.js';
import { servicingOf, todayOf } from '../context.js';
import type { LedgerChange } from '../facts.js';
import { factsOf, installment, termsOf } from '../ledger/installment.js';
import type { RunningLedger } from '../ledger/running.js';
import { beginAction } from '../commands/order.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { productOn } from '../transactions/moves.js';
import { activePlanOf } from './state.js';

/** A loan of either product as it stands when somebody changes its dates. */
export interface ToolNow {
  readonly today: Day;
  readonly ledger: RunningLedger;
  readonly product: LoanTypeSettings;
}

/** The schedule of an installment loan. */
export interface ScheduleNow extends ToolNow {
  readonly ledger: LedgerState;
  /** The rows that have not fallen due; at least one. */
  readonly open: readonly OpenRow[];
}

/** What every tool asks first: an active loan without a payment plan. */
export function beginTool<Request extends Pick<ActionRequest, 'caseId'>>(context: CommandContext<LoanState>): Request {
  const request = beginAction<Request>(context, 'modify');
  requireNoPlan(context.state);
  return request;
}

/** 409 while a payment plan is active: it must be canceled first. */
export function requireNoPlan({ modifications }: LoanState): void {
  const plan = activePlanOf(modifications);
  if (plan === undefined) return;
  refuse('activePlanExists', `The payment plan ${plan.id} is active; cancel it first.`, {
    errors: [{ path: 'status', expected: 'no active payment plan', message: `the plan ${plan.id} is active` }],
  });
}

export function scheduleNow({ state, env }: CommandContext<LoanState>): ScheduleNow {
  servicingOf(state);
  const today = todayOf(env, state);
  const ledger = installment.on(state, env, today);
  const open = ledger.rows.slice(firstRowAfter(ledger));
  if (open.length === 0 || ledger.nonDuePrincipalCents === 0)
    refuse('ruleViolation', 'Nothing falls due any more: the loan has no schedule to change.');
  return { today, ledger, open, product: productOn(state, env, today) };
}

/** Deferrals and new terms need due dates to work on. */
export function requireTerms({ ledger }: ScheduleNow): void {
  if (ledger.dueDateRule.type === 'singleTerm') refuse('ruleViolation', 'A loan with a single due date has no schedule to restructure.');
}

/** The open rows from a due date on, the next one without it; 422 for a day that is none of theirs. */
export function rowsFrom({ open }: ScheduleNow, path: string, day: Day | null): readonly OpenRow[] {
  const first = day === null ? 0 : open.findIndex((row) => row.date === day && row.isDeferred !== true);
  return first < 0 ? refuseDay(path, open) : open.slice(first);
}

/** 422 that names the due dates which would do. */
export function refuseDay(path: string, rows: readonly OpenRow[]): never {
  const dates = rows.filter((row) => row.isDeferred !== true).map((row) => dateText(row.date));
  return refuse('ruleViolation', 'The day is no due date that fits.', {
    errors: [{ path, expected: dates.slice(0, MAX_TOLD_DATES).join(', '), message: 'not one of these due dates' }],
  });
}

const MAX_TOLD_DATES = 12;

type Change = LedgerChange<ScheduleChanged>;

/** The rows that a change would make, by the function that makes them; 422 when it does not pay the loan off. */
export function tried({ ledger }: Pick<ScheduleNow, 'ledger'>, change: Change, path = 'amount'): Schedule {
  try {
    return changedSchedule(ledger, change);
  } catch (error) {
    if (!(error instanceof AmortizationError)) throw error;
    return refuse('ruleViolation', error.message, {
      errors: [{ path, expected: 'terms that pay the loan off', message: error.message }],
      cause: error,
    });
  }
}

/**
 * A change that takes as many due dates as its amount needs, with just those: the last one takes the rest, so that a replay
 * which leaves more does not run out of dates.
 */
export function sized(now: ScheduleNow, change: Change & { readonly payment: { readonly type: 'openEnded' } }): Change {
  const { rows } = tried(now, change);
  const [first] = change.dueDates;
  const used = rows.filter((row) => first !== undefined && row.date >= first).length;
  return {
    ...change,
    dueDates: change.dueDates.slice(0, used),
    rowTerms: (change.rowTerms ?? []).slice(0, used),
    payment: { type: 'fixed', amountCents: change.payment.amountCents },
  };
}

/**
 * The ledger as it would be without what the tools have done, and without some plan: what a plan falls back to, since it
 * overwrites earlier deferrals, due dates and terms.
 */
export function ledgerBeforeTools(
  { state, env }: CommandContext<LoanState>,
  now: ScheduleNow,
  planSequence: number | null = null,
): LedgerState {
  const undone = new Set(planSequence === null ? [] : [planSequence]);
  for (const { terms, sequence } of state.modifications.history) {
    if (terms.type !== 'paymentPlan' && terms.type !== 'cancelPaymentPlan') undone.add(sequence);
  }
  if (undone.size === 0) return now.ledger;
  const facts = factsOf(servicingOf(state)).filter(({ sequence }) => !undone.has(sequence));
  return computeLedger(termsOf(state, env), facts, now.today);
}
