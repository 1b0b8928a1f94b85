import type { CancelReason } from '../../borrower/index.js';
import { addBusinessDays, type BusinessCalendar, type Day, type EffectiveTime, isBusinessDay, must } from '../../../engine/index.js';
import { companyOf, moneyCalendarOf } from '../../company/index.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { ask } from '../../kernel/policy.js';
import type { ScheduledWork } from '../catch-up.js';
import { owedOf } from '../autopay/daily.js';
import { livePlan } from '../autopay/plan.js';
import { activationOf, isWithAgency } from '../context.js';
import { inOneOrder } from '../ledger/one-order.js';
import { loanAsks } from '../questions.js';
import type { LoanState } from '../state.js';
import { isCharged } from './check.js';
import { isChargeable, lastFourOf } from './instruments.js';
import { paymentFailed } from './returns.js';
import { applyScheduled, moveDraft, type Recording, returned, settle, settlementTermsOn, updateDraft } from './moves.js';
import type { TransactionRecord } from './record.js';
import type { SettlementPort } from './settlement.js';
import { earlierTask, type Task, taskOf } from './page.js';

/** 01:00, the nominal time of scheduled items. */
const SCHEDULED_SECONDS = 3_600;

/** The daily work of transactions: scheduled payments, settlement, returns, hold days and reminders of external payments. */
export const transactionWork = (settlement: SettlementPort): ScheduledWork => ({
  nextDay: (state) => earliestTask(state)?.day ?? null,
  *due(state, day, env) {
    for (let task = earliestTask(state); task !== null && task.day <= day; task = earliestTask(state)) {
      yield* inOneOrder(perform(state, task, { day, env, settlement }));
    }
  },
});

function earliestTask(state: LoanState): Task | null {
  const summary = activationOf(state)?.summary;
  return summary === undefined ? null : state.transactions.earliestTask(summary.status, summary.through);
}

/** Scheduled credits alone, to see them ahead: nobody else decides about them. */
export const creditWork: ScheduledWork<EvolveEnv> = {
  nextDay: (state) => earliestCredit(state)?.day ?? null,
  *due(state, day, env) {
    for (let task = earliestCredit(state); task !== null && task.day <= day; task = earliestCredit(state)) {
      yield* inOneOrder(applyCredit(state, task.record, day, env));
    }
  },
};

function earliestCredit(state: LoanState): Task | null {
  const summary = activationOf(state)?.summary;
  if (summary === undefined) return null;
  return state.transactions
    .scheduled()
    .map((record) => taskOf(record, summary.status, summary.through))
    .filter((task) => task?.type === 'credit')
    .reduce(earlierTask, null);
}

const recordingOn = (day: Day): Recording => ({ at: { day, seconds: SCHEDULED_SECONDS }, today: day, caseId: null });

const applyCredit = (state: LoanState, record: TransactionRecord, day: Day, env: EvolveEnv): readonly FactDraft[] =>
  applyScheduled(state, record, 'succeed', {
    product: settlementTermsOn(state, env, day),
    effective: plannedTime(record, day, calendarOf(state, env)),
    recording: recordingOn(day),
  });

interface Work {
  readonly day: Day;
  readonly env: DecideEnv;
  readonly settlement: SettlementPort;
}

/** The result of a payment's settlement. Money on its way back to the borrower is not returned again; banks report returns by files. */
function settleBy(state: LoanState, record: TransactionRecord, recording: Recording, { env, settlement }: Work): readonly FactDraft[] {
  if (record.settlement?.card !== undefined) {
    const failure = { failureReason: 'networkError', achReturnCode: null } as const;
    return paymentFailed(state, env, { record, failure, recording, changes: { processorFailureDetails: NO_PROCESSOR } });
  }
  const lastFour = (): string | null => (record.instrument === null ? null : lastFourOf(env, record.instrument));
  const isDecided = record.transactionType === 'reversal' || record.settlement?.ach !== undefined;
  const verdict = isDecided ? SETTLED : settlement.verdict(record, state.tenant.mode, lastFour);
  switch (verdict.type) {
    case 'settled':
      return settle(record, verdict, recording, calendarOf(state, env));
    case 'returned':
      return paymentFailed(state, env, { record, failure: returned(verdict.returnCode), recording });
    case 'failed':
      return paymentFailed(state, env, { record, failure: { failureReason: verdict.failureReason, achReturnCode: null }, recording });
  }
}

const NO_PROCESSOR = 'No active payment processor takes the card.';

const SETTLED = { type: 'settled', lateReturnCode: null } as const;

function perform(state: LoanState, { type, record }: Task, work: Work): readonly FactDraft[] {
  const { day, env } = work;
  const recording = recordingOn(day);
  switch (type) {
    case 'cancel': {
      const isPaidOff = activationOf(state)?.summary.status === 'paidOff';
      return [moveDraft(record, 'cancel', { cancelReason: isPaidOff ? 'loanPaidOff' : 'loanStatusChange' }, null)];
    }
    case 'handOver':
      return [moveDraft(record, 'handOver', {}, null)];
    case 'settle':
      return settleBy(state, record, recording, work);
    case 'return': {
      const settlement = must(record.settlement, 'a return belongs to money that was settled');
      const { lateReturn } = settlement;
      if (isCharged(state, record)) return [updateDraft(record, { settlement: { ...settlement, lateReturn: null } })];
      return paymentFailed(state, env, { record, failure: returned(must(lateReturn, 'a return has a code').returnCode), recording });
    }
    case 'expireHold':
      return [moveDraft(record, 'expireHold', { hold: { ...must(record.hold, 'a hold that ends'), isOver: true } }, null)];
    case 'credit':
      return applyCredit(state, record, day, env);
    case 'fallDue':
      return [moveDraft(record, 'fallDue', { toldDueOn: day }, null)];
    case 'initiate':
      return initiate(state, record, recording, env);
  }
}

const calendarOf = (state: LoanState, env: EvolveEnv): BusinessCalendar => moneyCalendarOf(companyOf(env, state.tenant));

/**
 * Initiates a scheduled payment. It is canceled if its instrument can no longer be charged, a case bars it, or a collection agency
 * services the loan.
 */
function initiate(state: LoanState, record: TransactionRecord, recording: Recording, env: DecideEnv): readonly FactDraft[] {
  const { instrument } = record;
  const canceled = (cancelReason: CancelReason): readonly FactDraft[] => [moveDraft(record, 'cancel', { cancelReason }, null)];
  const { today: day } = recording;
  if (instrument === null || !isChargeable(state, env, instrument, day)) return canceled('instrumentInactive');
  const barred = ask(env, loanAsks.paymentBar, state, { payerId: instrument.personId, agreedAt: agreedAt(state, record) }, day);
  if (barred !== null) return [moveDraft(record, 'cancel', { cancelReason: barred.cancelReason }, barred.caseId)];
  if (isWithAgency(state)) return canceled('loanStatusChange');
  const calendar = calendarOf(state, env);
  // The banks are open, but the company is closed: try again tomorrow.
  if (!isBusinessDay(day, calendar)) return [updateDraft(record, { toldDueOn: day })];
  const effective = plannedTime(record, day, calendar);
  const actualCents = record.autopayPlanId === null ? record.scheduledCents : owedOf(state, env, record, { effective, recording });
  if (actualCents === 0) return canceled('loanPaidOff');
  return applyScheduled(state, record, 'initiate', {
    product: settlementTermsOn(state, env, day),
    effective,
    changes: { actualCents },
    recording,
  });
}

/** A payment of a plan was agreed to with the plan. */
function agreedAt(state: LoanState, { autopayPlanId, timestamps: { createdAt } }: TransactionRecord): number {
  const plan = livePlan(state);
  return plan !== null && plan.id === autopayPlanId ? plan.createdAt : createdAt;
}

/**
 * The planned time, also if the planned day was not a business day. A payment that waited while the loan was frozen counts from the day on
 * which it is initiated.
 */
function plannedTime({ effective, scheduledDay }: TransactionRecord, day: Day, calendar: BusinessCalendar): EffectiveTime {
  return day > addBusinessDays(scheduledDay, 0, calendar) ? { ...effective, day } : effective;
}
