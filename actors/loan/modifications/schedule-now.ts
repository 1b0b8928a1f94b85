import {
  addDays,
  AmortizationError,
  type BalancesDeferred,
  type Cents,
  changedSchedule,
  computeLedger,
  type Day,
  type DueDateDeferred,
  dueDateOnOrAfter,
  type DueDateRule,
  dueDates,
  type EffectiveTime,
  endlessRule,
  firstRowAfter,
  type LedgerState,
  type LineScheduleChanged,
  type OpenRow,
  type PaymentFrequency,
  type RowTerm,
  type Schedule,
  type ScheduleChanged,
  shiftToBusinessDay,
  ZERO,
} from '../../../engine/index.js';
import { companyOf, type FeeType, feeTypeOf, type LoanTypeSettings } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, DecideEnv, Decision, EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { amount, dateText } from '../../wire.js';
import { beginAction, orderReply } from '../commands/order.js';
import { effectiveNow, recordOf, servicingOf, todayOf } from '../context.js';
import type { LedgerChange } from '../facts.js';
import type { FeeChargedBody } from '../fees/evolve.js';
import { automaticFeeChange, feeCents, nextFeeNumber } from '../fees/quote.js';
import { factsOf, installment, termsOf } from '../ledger/installment.js';
import { requireSupported } from '../ledger/scheduled-interest.js';
import type { RunningLedger } from '../ledger/running.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { productOn } from '../transactions/moves.js';
import { scheduleReply } from '../views/loan.js';
import type { ScheduleModified } from './evolve.js';
import { activePlanOf, type ModificationTerms, type ModificationTool, type ModificationType } from './state.js';

/** A loan of either product when its dates are changed. */
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

/** Checks that every tool makes first: the loan must be active and have no payment plan. */
export function beginTool<Request extends Pick<ActionRequest, 'caseId'>>(context: CommandContext<LoanState, Request>): Request {
  const request = beginAction(context, 'modify');
  requireNoPlan(context.state);
  return request;
}

/** 409 while a payment plan is active: it must be canceled first. */
export function requireNoPlan({ modifications }: LoanState): void {
  const plan = activePlanOf(modifications);
  if (plan === undefined) return;
  refuse('activePlanExists', `The payment plan ${plan.id} is active. Cancel it first.`, {
    errors: [{ path: 'status', expected: 'no active payment plan', message: `the plan ${plan.id} is active` }],
  });
}

export function scheduleNow({ state, env }: CommandContext<LoanState>): ScheduleNow {
  servicingOf(state);
  const today = todayOf(env, state);
  const ledger = installment.runningOn(state, env, today);
  const open = ledger.rows.slice(firstRowAfter(ledger));
  if (open.length === 0 || ledger.nonDuePrincipalCents === 0)
    refuse('ruleViolation', 'The schedule cannot be changed: the loan has no future due dates.');
  return { today, ledger, open, product: productOn(state, env, today) };
}

/** Deferrals and new terms need due dates to work on. */
export function requireTerms({ ledger }: ScheduleNow): void {
  if (ledger.dueDateRule.type === 'singleTerm') refuse('ruleViolation', 'A loan with a single due date cannot be restructured.');
}

/** The open rows from a due date on, by default from the next one; 422 if no row is due on that day. */
export function rowsFrom({ open }: ScheduleNow, path: string, day: Day | null): readonly OpenRow[] {
  const first = day === null ? 0 : open.findIndex((row) => row.date === day && row.isDeferred !== true);
  return first < 0 ? refuseDay(path, open) : open.slice(first);
}

/** 422 that names the possible due dates. */
export function refuseDay(path: string, rows: readonly OpenRow[]): never {
  const dates = rows.filter((row) => row.isDeferred !== true).map((row) => dateText(row.date));
  return refuse('ruleViolation', 'The day is no due date that fits.', {
    errors: [{ path, expected: dates.slice(0, MAX_NAMED_DATES).join(', '), message: 'is not one of these due dates' }],
  });
}

const MAX_NAMED_DATES = 12;

type Change = LedgerChange<ScheduleChanged>;

/** The schedule after a change, by the same function as the change itself; 422 if it does not pay off the loan. */
export function simulatedSchedule({ ledger }: Pick<ScheduleNow, 'ledger'>, change: Change, path = 'amount'): Schedule {
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
 * An open-ended change with exactly the due dates that its amount needs. The last one takes the rest, so that a replay with a higher
 * balance does not run out of dates.
 */
export function sized(now: ScheduleNow, change: Change & { readonly payment: { readonly type: 'openEnded' } }): Change {
  const { rows } = simulatedSchedule(now, change);
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

export interface ToolFee {
  readonly feeType: FeeType;
  readonly amountCents: Cents;
}

/** The fee of a tool: by the fee type that the product names for it, if that is active. Null: none. */
export function toolFee(
  state: LoanState,
  { ledger, product }: Pick<ToolNow, 'ledger' | 'product'>,
  tool: ModificationTool | null,
  env: EvolveEnv,
): ToolFee | null {
  const apiName = tool === null ? null : product.modification.fees[tool];
  const feeType = apiName === null ? undefined : feeTypeOf(companyOf(env, state.tenant), recordOf(state).loanTypeId, apiName);
  if (feeType === undefined || feeType.status !== 'active') return null;
  return { feeType, amountCents: feeCents(state, ledger, { feeType }) };
}

interface FeeOfUse {
  readonly id: string;
  readonly amountCents: Cents;
  readonly draft: FactDraft;
}

/** The fee of one use of a tool; null if it is waived or zero. */
function feeOfUse(state: LoanState, quote: ToolFee | null, env: DecideEnv, caseId: string | null): FeeOfUse | null {
  if (quote === null || quote.amountCents === ZERO) return null;
  const { feeType, amountCents } = quote;
  const id = env.newId('LF');
  const body: FeeChargedBody = {
    change: automaticFeeChange(state, feeType, nextFeeNumber(state), amountCents, null),
    details: { id, externalId: null, category: feeType.feeType, customDisplayName: null },
    recordedDay: todayOf(env, state),
    caseId,
    reason: null,
  };
  return { id, amountCents, draft: { type: 'FeeCharged', body, effective: effectiveNow(env, state) } };
}

/** One use of a tool. */
export interface ToolUse {
  /** Null: it is free. */
  readonly tool: ModificationTool | null;
  readonly terms: ModificationTerms;
  readonly change: LedgerChange<ScheduleChanged | DueDateDeferred | LineScheduleChanged | BalancesDeferred>;
  /** Default: now. */
  readonly effective?: EffectiveTime;
}

interface ToolRequest extends ActionRequest {
  readonly waiveFee?: boolean;
  readonly agreementDocumentId?: string | null;
}

/** One decision that changes the schedule and charges the product's fee, the same for a preview. */
export function toolDecision(context: CommandContext<LoanState>, request: ToolRequest, now: ToolNow, use: ToolUse): Decision<LoanState> {
  const { state, env } = context;
  requireSupported(state, use.change.type);
  const caseId = request.caseId ?? null;
  const isFeeWaived = request.waiveFee === true;
  const fee = isFeeWaived ? null : feeOfUse(state, toolFee(state, now, use.tool, env), env, caseId);
  const body: ScheduleModified = {
    change: use.change,
    modification: {
      id: env.newId('MO'),
      terms: use.terms,
      agreementDocumentId: request.agreementDocumentId ?? null,
      fee: fee && { id: fee.id, amountCents: fee.amountCents },
      isFeeWaived,
    },
    recordedDay: now.today,
    caseId,
    reason: null,
  };
  return {
    facts: [{ type: 'ScheduleModified', body, effective: use.effective ?? effectiveNow(env, state) }, ...(fee === null ? [] : [fee.draft])],
    preview: request.previewMode === true,
    reply: (after) => {
      const { isLocked, paymentFrequency, specificDays, schedule } = scheduleReply(after, env);
      return orderReply(context, request, {
        data: { isLocked, paymentFrequency, specificDays, schedule, feeAmount: amount(fee?.amountCents ?? ZERO) },
      });
    },
  };
}

const DAYS_OF_A_YEAR = 365;

/** 409 if tools of a kind were used as often as the product allows in the last year. */
export function requireUses(
  { state }: CommandContext<LoanState>,
  { today }: ToolNow,
  types: readonly ModificationType[],
  limit: number | null,
): void {
  if (limit === null) return;
  const used = state.modifications.history.filter(
    ({ terms, recordedDay }) => types.includes(terms.type) && recordedDay > today - DAYS_OF_A_YEAR,
  );
  if (used.length < limit) return;
  refuse('invalidState', `The product allows this ${limit} times within a year.`, {
    errors: [{ path: 'status', expected: `fewer than ${limit} uses within a year`, message: `used ${used.length} times` }],
  });
}

/** Days of a period, to limit the distance of the first new due date from the last kept one. */
const PERIOD_DAYS: Readonly<Record<PaymentFrequency, number>> = {
  weekly: 7,
  everyTwoWeeks: 14,
  twiceMonthly: 15,
  monthly: 30,
  singleTerm: 30,
};

type ScheduleSettings = LoanTypeSettings['schedule'];

export const onBusinessDays = (dates: readonly Day[], { nonBusinessDays }: ScheduleSettings): readonly Day[] =>
  dates.map((date) => shiftToBusinessDay(date, nonBusinessDays));

/** Dates of a rule after a last one. */
export const datesAfter = (rule: DueDateRule, last: Day, count: number): readonly Day[] =>
  dueDates(endlessRule(rule), last, count + 1).slice(1);

/**
 * The first due date of a new rule after the last kept one: at least the product's minimum distance away, at most one and a half new
 * periods, and as near as possible to a whole period. Null if the rule has no such date.
 */
export function firstNewDate(rule: DueDateRule, lastKept: Day, { minDaysToFirstDueDate }: ScheduleSettings): Day | null {
  const period = PERIOD_DAYS[rule.type];
  let found: Day | null = null;
  for (let days = Math.max(1, minDaysToFirstDueDate); days <= Math.floor((period * 3) / 2); days += 1) {
    const date = addDays(lastKept, days);
    const isNearer = found === null || Math.abs(days - period) <= Math.abs(found - lastKept - period);
    if (isNearer && dueDateOnOrAfter(rule, date) === date) found = date;
  }
  return found;
}

/** The term that a row keeps when its date moves. */
export function keptTerm(row: OpenRow): RowTerm {
  if (row.isDeferred === true) return { type: 'skipped' };
  if (row.isInterestOnly === true) return { type: 'interestOnly' };
  return row.isForced ? { type: 'forced', amountCents: row.amountCents } : { type: 'level' };
}
