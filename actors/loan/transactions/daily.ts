import { addBusinessDays, addDays, type Day, type EffectiveTime, must } from '../../../engine/index.js';
import type { DecideEnv } from '../../runtime/actor.js';
import type { FactDraft } from '../../runtime/fact.js';
import type { LoanStatus } from '../machine.js';
import type { ScheduledWork } from '../scheduled-work.js';
import type { LoanState } from '../state.js';
import { comeBack } from './come-back.js';
import { findInstrument } from './instruments.js';
import type { Recording } from './ledger-facts.js';
import { applyScheduled, moveDraft, productOn, returned, settle } from './moves.js';
import { isCredit, isInternalMoney, type TransactionRecord } from './record.js';
import { defaultSettlement } from './settlement.js';

/** What waits for a day, in the order of a day's work. */
const TASKS = ['cancel', 'handOver', 'settle', 'return', 'expireHold', 'credit', 'fallDue', 'initiate'] as const;

interface Task {
  readonly type: (typeof TASKS)[number];
  readonly day: Day;
  readonly record: TransactionRecord;
}

/** 01:00, the nominal time of scheduled items (servicing-behaviour 1.3 g). */
const SCHEDULED_SECONDS = 3_600;

/** In these statuses nothing is collected any more (servicing-behaviour 16.2, 17 and 2.1). */
const ENDED: ReadonlySet<LoanStatus> = new Set<LoanStatus>(['paidOff', 'chargedOff', 'canceled']);

/** Scheduled payments, settlement, returns, hold days and reminders of external payments, day by day. */
export const transactionWork: ScheduledWork = {
  nextDay: (state) => earliestTask(state)?.day ?? null,
  *due(state, day, env) {
    for (let task = earliestTask(state); task !== null && task.day <= day; task = earliestTask(state)) {
      yield* perform(state, task, day, env);
    }
  },
};

function earliestTask({ servicing, transactions }: LoanState): Task | null {
  if (servicing === null || transactions.size === 0) return null;
  const { status, through } = servicing.summary;
  const known = FOUND.get(transactions);
  if (known !== undefined && known.status === status && known.through === through) return known.task;
  let task: Task | null = null;
  for (const record of transactions.values()) {
    const candidate = taskOf(record, status, through);
    if (candidate !== null && (task === null || comesBefore(candidate, task))) task = candidate;
  }
  FOUND.set(transactions, { status, through, task });
  return task;
}

/** The map of transactions is replaced, never changed: what was found in it holds as long as the loan stands where it did. */
const FOUND = new WeakMap<LoanState['transactions'], { readonly status: LoanStatus; readonly through: Day; readonly task: Task | null }>();

const comesBefore = (a: Task, b: Task): boolean => a.day < b.day || (a.day === b.day && TASKS.indexOf(a.type) < TASKS.indexOf(b.type));

/** The next task of one transaction. `through` is the loan's last finished day: nothing happens before it. */
function taskOf(record: TransactionRecord, status: LoanStatus, through: Day): Task | null {
  const task = (type: Task['type'], day: Day): Task => ({ type, day, record });
  const notBefore = (day: Day): Day => (day < through ? through : day);
  switch (record.status) {
    case 'scheduled':
      if (ENDED.has(status) && record.createdWhile !== status) return task('cancel', through);
      if (status === 'frozen') return null;
      if (isCredit(record)) return task('credit', notBefore(record.scheduledDay));
      if (isInternalMoney(record)) return task('initiate', addBusinessDays(notBefore(record.scheduledDay), 0));
      return task('fallDue', notBefore(record.toldDueOn === null ? record.scheduledDay : laterOf(addDays(record.toldDueOn, 1), record.scheduledDay)));
    case 'initiated':
      return sooner(record.settlement && task('handOver', record.settlement.handOverDay), holdTask(record));
    case 'pending':
      return sooner(record.settlement && task('settle', record.settlement.settleDay), holdTask(record));
    case 'succeeded':
      return sooner(record.settlement?.lateReturn && task('return', record.settlement.lateReturn.day), holdTask(record));
    case 'inDispute':
      return holdTask(record);
    case 'failed':
    case 'canceled':
    case 'chargeback':
      return null;
  }
}

function holdTask(record: TransactionRecord): Task | null {
  if (record.hold === null || record.hold.isOver || record.payment === null) return null;
  return { type: 'expireHold', day: addDays(record.hold.endDay, 1), record };
}

const laterOf = (a: Day, b: Day): Day => (a > b ? a : b);

function sooner(a: Task | null | undefined, b: Task | null): Task | null {
  if (a == null) return b;
  return b !== null && comesBefore(b, a) ? b : a;
}

function perform(state: LoanState, { type, record }: Task, day: Day, env: DecideEnv): readonly FactDraft[] {
  const recording: Recording = { at: { day, seconds: SCHEDULED_SECONDS }, today: day, caseId: null };
  switch (type) {
    case 'cancel': {
      const isPaidOff = state.servicing?.summary.status === 'paidOff';
      return [moveDraft(record, 'cancel', { cancelReason: isPaidOff ? 'loanPaidOff' : 'loanStatusChange' }, null)];
    }
    case 'handOver':
      return [moveDraft(record, 'handOver', {}, null)];
    case 'settle': {
      const verdict = record.transactionType === 'reversal' ? SETTLED : defaultSettlement.verdict(record, state.tenant.mode);
      return verdict.type === 'settled' ? settle(record, verdict, recording) : comeBack(state, env, { record, failure: returned(verdict.returnCode), recording });
    }
    case 'return': {
      const { lateReturn } = must(record.settlement, 'a return belongs to money that was settled');
      return comeBack(state, env, { record, failure: returned(must(lateReturn, 'a return has a code').returnCode), recording });
    }
    case 'expireHold':
      return [moveDraft(record, 'expireHold', { hold: { ...must(record.hold, 'a hold that ends'), isOver: true } }, null)];
    case 'credit':
      return applyScheduled(state, record, 'succeed', { product: productOn(state, env, day), effective: plannedTime(record, day), recording });
    case 'fallDue':
      return [moveDraft(record, 'fallDue', { toldDueOn: day }, null)];
    case 'initiate':
      return initiate(state, record, recording, env);
  }
}

/** Money on its way back is not returned again. */
const SETTLED = { type: 'settled', lateReturnCode: null } as const;

/** A payment method that can no longer be charged ends the payment. */
function initiate(state: LoanState, record: TransactionRecord, recording: Recording, env: DecideEnv): readonly FactDraft[] {
  const { instrument } = record;
  const isActive = instrument !== null && findInstrument(env, [instrument.personId], instrument.id)?.instrument.status === 'active';
  if (!isActive) return [moveDraft(record, 'cancel', { cancelReason: 'instrumentInactive' }, null)];
  const { today: day } = recording;
  return applyScheduled(state, record, 'initiate', { product: productOn(state, env, day), effective: plannedTime(record, day), recording });
}

/**
 * The planned time, also when the planned day was no business day (money 2, rule 13). What a frozen loan has kept
 * waiting counts from the day on which it is taken up.
 */
function plannedTime({ effective, scheduledDay }: TransactionRecord, day: Day): EffectiveTime {
  return day > addBusinessDays(scheduledDay, 0) ? { ...effective, day } : effective;
}
