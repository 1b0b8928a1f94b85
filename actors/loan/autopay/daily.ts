import {
  addDays,
  cents,
  type Cents,
  type Day,
  type EffectiveTime,
  FIRST_DAY,
  isBusinessDay,
  lineOwedCents,
  linePeriodsOf,
  type LineState,
  must,
  type ObligationState,
  ZERO,
} from '../../../engine/index.js';
import { DEACTIVATING, type FailureReason, type PersonFacts } from '../../borrower/index.js';
import type { AutopaySettings } from '../../company/index.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { ask } from '../../kernel/policy.js';
import { activationOf, recordOf, statusOf, todayOf } from '../context.js';
import { comingFeesOf } from '../fees/coming.js';
import { type AnyLedgerFact, balancesIn, isLine, type RunningLedger, runningOf, simulatedWith } from '../ledger/running.js';
import type { ScheduledWork } from '../catch-up.js';
import { loanAsks } from '../questions.js';
import type { LoanState } from '../state.js';
import { type NewTransaction, someDetails } from '../transactions/new-record.js';
import type { TransactionCreated } from '../transactions/evolve.js';
import { findInstrument, isChargeable } from '../transactions/instruments.js';
import { paymentDraft, settlementAndHold, nextPaymentNumber, productOn, type Recording, settlementTermsOn } from '../transactions/moves.js';
import type { TransactionRecord } from '../transactions/record.js';
import { type Asking, autopayAmount, type AutopayAmount, comingPayments } from './amounts.js';
import { endOf, endPlan } from './ending.js';
import {
  type AutopayDayWorked,
  type AutopayFailureAnswered,
  autopayPaymentId,
  type AutopayRetried,
  type AutopayScheduleAdopted,
  type AutopaySuspended,
} from './facts.js';
import { AUTOPAY_SECONDS, type AutopayPlan, livePlan, type Retry } from './plan.js';
import { besideOf, type Projection, projectPlan, withWaiting } from './projection.js';

/** What the plan pays on a day, with the ledger as of that day. */
const amountOn = (state: LoanState, env: EvolveEnv, plan: AutopayPlan, day: Day): AutopayAmount =>
  autopayAmount(withWaiting(state, env, plan, runningOf(state, env)), day, askingOf(state, env, plan, day, plan.through));

/** The coming payments, computed from the loan's present ledger. The plan of a frozen loan waits: it has none. */
export const projectionOf = (state: LoanState, env: EvolveEnv, plan: AutopayPlan, ledger: RunningLedger): Projection =>
  projectPlan(
    {
      present: ledger,
      begun: withWaiting(state, env, plan, ledger),
      beside: besideOf(state, plan, ledger.day),
      fees: comingFeesOf(state, env, ledger.day),
    },
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

/** If the due dates of two periods are unchanged, the rule is assumed to be unchanged; a difference shows on a later day. */
const COMPARED_DAYS = 70;

/** Indexed by the ordinals of the periods; those before the first known period repeat its due date. */
function dueDaysOf(ledger: LineState): readonly Day[] {
  const periods = linePeriodsOf(ledger, addDays(ledger.day, SEEN_DAYS));
  const [first] = periods;
  const unknown = Array.from({ length: first?.ordinal ?? 0 }, () => first?.dueDay ?? ledger.day);
  return [...unknown, ...periods.map(({ dueDay }) => dueDay)];
}

/** Whether the coming rows differ from those that the plan has seen. A ledger that is not in memory has not changed. */
function hasNewRows({ servicing, line }: LoanState, seen: SeenRows): boolean {
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

/** Compares the current period and those that follow; also true near the end of what the plan has seen. */
function hasNewDueDays(ledger: LineState, { rowDays }: SeenRows): boolean {
  if ((rowDays.at(-1) ?? ledger.day) < addDays(ledger.day, LEAST_SEEN_DAYS)) return true;
  const running = must(ledger.periods.at(-1), 'a line has a running period').ordinal;
  return linePeriodsOf(ledger, addDays(ledger.day, COMPARED_DAYS)).some(
    ({ ordinal, dueDay }) => ordinal >= running && rowDays[ordinal] !== dueDay,
  );
}

/** The payment of a day of the plan. Its amount is decided now. */
function payOn(state: LoanState, env: DecideEnv, plan: AutopayPlan, day: Day): readonly FactDraft[] {
  const ordinals = comingPayments(plan)
    .filter((payment) => payment.day === day)
    .map(({ ordinal }) => ordinal);
  const money = amountOn(state, env, plan, day);
  const { amountCents } = money;
  if (amountCents === 0) return [worked({ planId: plan.id, day, ordinals, amountCents, transactionId: null })];
  const paid = newPayment(state, env, plan, { day, money, ordinals, retry: null });
  return [worked({ planId: plan.id, day, ordinals, amountCents, transactionId: paid.id }), ...paid.facts];
}

const worked = (body: AutopayDayWorked): FactDraft => ({ type: 'AutopayDayWorked', body });

/** Presents a failed payment again: at most its amount, and at most what is due now and not covered by another waiting payment. */
function presentAgain(state: LoanState, env: DecideEnv, plan: AutopayPlan, retry: Retry, day: Day): readonly FactDraft[] {
  const original = must(state.transactions.get(retry.transactionId), `${state.id} knows no transaction ${retry.transactionId}`);
  const amountCents = stillAsked(withWaiting(state, env, plan, runningOf(state, env)), plan, original);
  if (amountCents === 0) return [retried({ planId: plan.id, originalId: retry.transactionId, transactionId: null })];
  const money: AutopayAmount = {
    amountCents,
    extraCents: ZERO,
    enablePrepayments: original.enablePrepayments === true ? true : null,
  };
  const ordinals = plan.payments.filter(({ transactionIds }) => transactionIds.includes(retry.transactionId)).map(({ ordinal }) => ordinal);
  const paid = newPayment(state, env, plan, { day, money, ordinals, retry });
  return [retried({ planId: plan.id, originalId: retry.transactionId, transactionId: paid.id }), ...paid.facts];
}

const retried = (body: AutopayRetried): FactDraft => ({ type: 'AutopayRetried', body });

/** How much of a failed payment is still due; for a line whose plan pays more than the minimum, also what was not paid since. */
function stillAsked(ledger: RunningLedger, { amountType }: AutopayPlan, { scheduledCents, effective }: TransactionRecord): Cents {
  if (ledger.status !== 'active') return ZERO;
  const obligations: readonly ObligationState[] = ledger.obligations;
  const dueCents = obligations.reduce((so, { isFulfilled, remainingCents }) => (isFulfilled ? so : so + remainingCents), 0);
  if (!isLine(ledger) || amountType === 'minimumDueAmount') return cents(Math.min(scheduledCents, dueCents));
  const since = ledger.payments.filter(({ day, seconds }) => day > effective.day || (day === effective.day && seconds > effective.seconds));
  const unpaidCents = since.reduce((left, { amountCents }) => left - amountCents, scheduledCents as number);
  return cents(Math.min(scheduledCents, lineOwedCents(ledger), Math.max(dueCents, unpaidCents)));
}

interface Asked {
  readonly day: Day;
  readonly money: AutopayAmount;
  readonly ordinals: readonly number[];
  readonly retry: Retry | null;
}

/** On a business day the payment is initiated at once; otherwise it waits for the next business day and counts from its day. */
function newPayment(
  state: LoanState,
  env: DecideEnv,
  plan: AutopayPlan,
  asked: Asked,
): { readonly id: string; readonly facts: readonly FactDraft[] } {
  const { day, money, ordinals, retry } = asked;
  const { amountCents, extraCents, enablePrepayments } = money;
  const effective = { day, seconds: AUTOPAY_SECONDS };
  const product = settlementTermsOn(state, env, day);
  const move = isBusinessDay(day, product.businessDays) ? 'initiate' : 'schedule';
  const basis = { transactionType: 'payment', isExternal: false, instrument: plan.instrument, hold: null } as const;
  const begun: Pick<TransactionRecord, 'settlement' | 'hold'> =
    move === 'initiate' ? settlementAndHold(basis, product, day, effective) : { settlement: null, hold: null };
  const payment = move === 'initiate' ? nextPaymentNumber(state) : null;
  const transaction: NewTransaction = {
    id: env.newId('TX'),
    transactionType: basis.transactionType,
    isExternal: basis.isExternal,
    instrument: basis.instrument,
    hold: begun.hold,
    settlement: begun.settlement,
    currency: recordOf(state).currency,
    scheduledCents: amountCents,
    actualCents: payment === null ? null : amountCents,
    serviceCredit: null,
    payment,
    effective,
    originalEffectiveDay: day,
    scheduledDay: day,
    toldDueOn: null,
    reimbursement: null,
    returnFeeCounter: env.reserveIds(1),
    createdWhile: statusOf(state),
    ...someDetails({
      enablePrepayments,
      principalOnlyCents: extraCents === 0 ? null : extraCents,
      autopayPlanId: plan.id,
      autopayPaymentIds: ordinals.map((ordinal) => autopayPaymentId(env, state, plan, ordinal)),
      retryAttempt: retry?.attempt ?? null,
      retryOriginalTransactionId: retry?.transactionId ?? null,
      caseId: plan.caseId,
    }),
  };
  const recording: Recording = { at: effective, today: day, caseId: plan.caseId };
  const body: TransactionCreated = { move, transaction, caseId: plan.caseId };
  const created: FactDraft = { type: 'TransactionCreated', body };
  const facts = payment === null ? [created] : [created, paymentDraft(state, transaction, payment, 'processing', recording)];
  return { id: transaction.id, facts };
}

/**
 * The daily work of a plan: it ends or is suspended with its loan, adopts a changed schedule, handles failed payments, and pays on its
 * days.
 */
export const autopayWork: ScheduledWork = {
  nextDay(state) {
    const plan = livePlan(state);
    if (plan === null) return null;
    if (isAsked(state, plan)) return activationOf(state)?.summary.through ?? FIRST_DAY;
    if (plan.status === 'suspended') return null;
    const retry = nextRetry(plan);
    if (retry === null) return plan.nextDay;
    return plan.nextDay === null || retry.day < plan.nextDay ? retry.day : plan.nextDay;
  },
  *due(state, day, env) {
    const today = activationOf(state) === null ? todayOf(env, state) : day;
    for (let facts = nextStep(state, today, env); facts.length > 0; facts = nextStep(state, today, env)) yield* facts;
  },
};

/** Whether something has happened that the plan has not handled yet. */
function isAsked(state: LoanState, plan: AutopayPlan): boolean {
  return (
    isSuspended(state) !== (plan.status === 'suspended') ||
    plan.unanswered.length > 0 ||
    endOf(state, plan) !== null ||
    hasNewRows(state, plan)
  );
}

const isSuspended = (state: LoanState): boolean => statusOf(state) === 'frozen';

function nextRetry({ retries }: AutopayPlan): Retry | null {
  let next: Retry | null = null;
  for (const retry of retries) if (next === null || retry.day < next.day) next = retry;
  return next;
}

/** The next thing to do on a day, as facts; nothing when all is done. */
function nextStep(state: LoanState, day: Day, env: DecideEnv): readonly FactDraft[] {
  const plan = livePlan(state);
  if (plan === null) return [];
  const end = endOf(state, plan);
  if (end !== null) return endPlan(state, plan, end);
  const [failed] = plan.unanswered;
  if (failed !== undefined) return answerFailure(state, env, plan, failed, day);
  if (isSuspended(state) !== (plan.status === 'suspended')) return [follow(plan, day)];
  if (hasNewRows(state, plan)) return [adopt(state, env, plan, day)];
  if (plan.status === 'suspended') return [];
  const retry = nextRetry(plan);
  const isRetryDue = retry !== null && retry.day <= day;
  const isPaymentDue = plan.nextDay !== null && plan.nextDay <= day;
  if (!isRetryDue && !isPaymentDue) return [];
  if (!isChargeable(state, env, plan.instrument, day))
    return endPlan(state, plan, { move: 'cancel', cancelReason: 'invalidPaymentMethod', caseId: null });
  const barred = ask(env, loanAsks.paymentBar, state, { payerId: plan.instrument.personId, agreedAt: plan.createdAt }, day);
  if (barred !== null) return endPlan(state, plan, { move: 'cancel', cancelReason: barred.bar, caseId: barred.caseId });
  return isRetryDue ? presentAgain(state, env, plan, retry, day) : payOn(state, env, plan, plan.nextDay ?? day);
}

function follow({ id, status }: AutopayPlan, day: Day): FactDraft {
  const body: AutopaySuspended = { planId: id, day };
  return { type: status === 'suspended' ? 'AutopayResumed' : 'AutopaySuspended', body };
}

function adopt(state: LoanState, env: DecideEnv, plan: AutopayPlan, day: Day): FactDraft {
  const body: AutopayScheduleAdopted = { planId: plan.id, day, ...seenRows(runningOf(state, env)) };
  return { type: 'AutopayScheduleAdopted', body };
}

/** Failures that may be temporary: only these are presented again. */
const PASSING: ReadonlySet<FailureReason> = new Set<FailureReason>(['insufficientFunds', 'networkError']);

/**
 * Handles a failed payment of a plan. An account that cannot be charged ends the plan, unless the plan uses another one by now. A
 * temporary failure is presented again. Several payments in a row that fail for good end the plan; a payment with all its
 * re-presentments counts once.
 */
function answerFailure(state: LoanState, env: DecideEnv, plan: AutopayPlan, transactionId: string, day: Day): readonly FactDraft[] {
  const record = must(state.transactions.get(transactionId), `${state.id} knows no transaction ${transactionId}`);
  const { failureReason, instrument } = record;
  const isLost = failureReason === null || DEACTIVATING[failureReason] !== undefined;
  if (isLost && instrument?.id === plan.instrument.id) {
    return endPlan(state, plan, { move: 'cancel', cancelReason: 'invalidPaymentMethod', caseId: null });
  }
  const { autopay } = productOn(state, env, day);
  const retry = retryOf(record, autopay, day);
  const answered: AutopayFailureAnswered = { planId: plan.id, transactionId, retry };
  const facts: FactDraft[] = [{ type: 'AutopayFailureAnswered', body: answered }];
  if (retry !== null || plan.failures + 1 < autopay.maxConsecutiveFailures) return facts;
  facts.push(...endPlan(state, plan, { move: 'cancel', cancelReason: 'consecutiveFailures', caseId: null }));
  if (failureReason !== null) facts.push(...switchedOff(state, env, plan, failureReason));
  return facts;
}

function retryOf({ id, retryAttempt, failureReason }: TransactionRecord, { retry }: AutopaySettings, day: Day): Retry | null {
  const attempt = (retryAttempt ?? 0) + 1;
  if (failureReason === null || !PASSING.has(failureReason) || attempt > retry.maxAttempts) return null;
  return { transactionId: id, attempt, day: addDays(day, Math.max(1, retry.daysBetween)) };
}

/** Only an instrument of the main borrower, who is on the same shard as the loan. */
function switchedOff(state: LoanState, env: DecideEnv, { instrument }: AutopayPlan, failureReason: FailureReason): readonly FactDraft[] {
  const { personId } = recordOf(state);
  if (instrument.personId !== personId) return [];
  const found = findInstrument(env, [personId], instrument.id);
  if (found === undefined || found.instrument.status === 'inactive') return [];
  const body: PersonFacts['InstrumentDeactivated'] = { id: instrument.id, reason: 'other', failureReason };
  return [{ type: 'InstrumentDeactivated', body, target: { kind: 'person', id: personId } }];
}

interface Beginning {
  readonly effective: EffectiveTime;
  readonly recording: Recording;
}

/**
 * What a waiting payment of a plan still has to pay on its business day. Money that arrived while it waited lowers it, so that a plan
 * never collects more than is outstanding.
 */
export function owedOf(state: LoanState, env: EvolveEnv, record: TransactionRecord, { effective, recording }: Beginning): Cents {
  const number = nextPaymentNumber(state);
  const { change, recordedDay } = paymentDraft(
    state,
    { ...record, effective, actualCents: record.scheduledCents },
    number,
    'processing',
    recording,
  ).body;
  const fact = { ...change, effective, sequence: number, recordedDay } as AnyLedgerFact;
  const [before, after] = [runningOf(state, env), simulatedWith(state, env, fact)].map(
    (ledger) => balancesIn(ledger).paid.reimbursementCents,
  );
  return cents(Math.max(0, record.scheduledCents - Math.max(0, (after ?? 0) - (before ?? 0))));
}
