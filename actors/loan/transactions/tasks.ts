import { addBusinessDays, addDays, type Day } from '../../../engine/index.js';
import type { LoanStatus } from '../machine.js';
import type { TransactionStatus } from './machine.js';
import { isCredit, isInternalMoney, type TransactionRecord } from './record.js';

/** What waits for a day, in the order of a day's work. */
const TASKS = ['cancel', 'handOver', 'settle', 'return', 'expireHold', 'credit', 'fallDue', 'initiate'] as const;

export interface Task {
  readonly type: (typeof TASKS)[number];
  readonly day: Day;
  readonly record: TransactionRecord;
}

/** In these statuses nothing is collected any more. */
const ENDED: ReadonlySet<LoanStatus> = new Set<LoanStatus>(['paidOff', 'chargedOff', 'canceled']);

/** Which of two tasks comes first: by day, then by the order of a day's work, then the older transaction's. */
export function earlierTask(a: Task | null, b: Task | null): Task | null {
  if (a === null || b === null) return a ?? b;
  if (a.day !== b.day) return a.day < b.day ? a : b;
  const [placeA, placeB] = [TASKS.indexOf(a.type), TASKS.indexOf(b.type)];
  if (placeA !== placeB) return placeA < placeB ? a : b;
  return b.record.createdStamp < a.record.createdStamp ? b : a;
}

/** Whether a day to come, or the end of the loan, may ask something of it. */
export function isAwaiting({ status, settlement, hold }: TransactionRecord): boolean {
  const isHeld = hold !== null && !hold.isOver;
  switch (status) {
    case 'scheduled':
      return true;
    case 'initiated':
    case 'pending':
      return settlement !== null || isHeld;
    case 'succeeded':
      return settlement?.lateReturn != null || isHeld;
    case 'inDispute':
      return isHeld;
    case 'failed':
    case 'canceled':
    case 'chargeback':
      return false;
  }
}

/** Whether nothing is to come of it by itself and nobody asks for it at each turn. */
export const isSettled = (record: TransactionRecord): boolean =>
  ENDS.has(record.status) &&
  !isAwaiting(record) &&
  (record.hold === null || record.hold.isOver) &&
  record.transactionType !== 'reimbursement';

const ENDS: ReadonlySet<TransactionStatus> = new Set<TransactionStatus>(['succeeded', 'failed', 'canceled', 'chargeback']);

/** The next task of one transaction. `through` is the loan's last finished day: nothing happens before it. */
export function taskOf(record: TransactionRecord, status: LoanStatus, through: Day): Task | null {
  const task = (type: Task['type'], day: Day): Task => ({ type, day, record });
  const notBefore = (day: Day): Day => (day < through ? through : day);
  switch (record.status) {
    case 'scheduled':
      if (ENDED.has(status) && record.createdWhile !== status) return task('cancel', through);
      if (status === 'frozen') return null;
      if (isCredit(record)) return task('credit', notBefore(record.scheduledDay));
      if (isInternalMoney(record)) return task('initiate', addBusinessDays(notBefore(nextTry(record)), 0));
      return task('fallDue', notBefore(nextTry(record)));
    case 'initiated':
      return earlierTask(record.settlement && task('handOver', record.settlement.handOverDay), holdTask(record));
    case 'pending':
      return earlierTask(record.settlement && task('settle', record.settlement.settleDay), holdTask(record));
    case 'succeeded':
      return earlierTask(record.settlement?.lateReturn ? task('return', record.settlement.lateReturn.day) : null, holdTask(record));
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

/** The day after the last on which it was told as due, or found its company closed. */
const nextTry = ({ toldDueOn, scheduledDay }: TransactionRecord): Day =>
  toldDueOn === null ? scheduledDay : laterOf(addDays(toldDueOn, 1), scheduledDay);

const laterOf = (a: Day, b: Day): Day => (a > b ? a : b);
