import { type Day, type EffectiveTime, formatDay, must } from '../../../engine/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { CommandRequest } from '../../kernel/actor.js';
import { isPermitted } from '../../permission.js';
import { dayOfText, secondsOf } from '../../wire.js';
import { END_OF_DAY_SECONDS, FIRST_USER_SECONDS } from '../context.js';
import { moveBetween, type TransactionMove } from './machine.js';
import type { CreateTransactionRequest } from './requests.js';

/** The dates of a new transaction, and the move by which it enters its statechart: `schedule`, `initiate`, `post`, `succeed` or `fail`. */
export interface Planned {
  readonly move: TransactionMove;
  readonly scheduledDay: Day;
  readonly effective: EffectiveTime;
}

/** Faults of the body by itself: contradictions between its type and its fields. */
function bodyFaults(request: CreateTransactionRequest): readonly Fault[] {
  const faults: Fault[] = [];
  const fault = (path: string, expected: string, message: string): void => void faults.push({ path, expected, message });
  const isCredit = request.type === 'serviceCredit';
  if (isCredit && request.serviceCreditDetails == null) fault('serviceCreditDetails', 'the kind of the credit', 'is missing');
  if (isCredit && request.paymentInstrumentId != null)
    fault('paymentInstrumentId', 'nothing', 'cannot be set on a service credit: it moves no money');
  if (isCredit && request.status !== undefined) fault('status', 'nothing', 'cannot be set on a service credit');
  if (!isCredit && request.isExternal !== true && request.paymentInstrumentId == null) {
    fault('paymentInstrumentId', 'a payment instrument of the borrower', 'is missing');
  }
  if (request.isExternal === false && request.status !== undefined)
    fault('status', 'nothing', 'can only be set on an external transaction');
  if (request.status === 'failed' && request.failureReason == null) fault('failureReason', 'the reason of the failure', 'is missing');
  if (request.effectiveTimeOfDay != null && secondsOf(request.effectiveTimeOfDay) < FIRST_USER_SECONDS) {
    fault('effectiveTimeOfDay', '02:00:00 or later', 'daily processing runs before that');
  }
  return faults;
}

export function refuseFaults(errors: readonly Fault[]): void {
  if (errors.length > 0) refuse('validationError', 'The transaction is not valid: see `errors`.', { errors });
}

/** Now on the loan's time axis. */
export interface Present {
  readonly today: Day;
  /** The time of an action of today that names no time. */
  readonly now: EffectiveTime;
  readonly activation: Day;
  /** The loan's past is being recorded: it may contain credits of the other system. */
  readonly isRecordingThePast?: boolean;
}

/** The dates and the first move of a new transaction; 400 for faulty dates, 422 before activation. */
export function datesAndFirstMove(request: CreateTransactionRequest, isExternal: boolean, present: Present): Planned {
  const { today } = present;
  const { scheduledDay, effectiveDay } = daysOf(request, today);
  const move = firstMove(request, isExternal, scheduledDay > today);
  refuseFaults(dateFaults(request, { isExternal, move, scheduledDay, effectiveDay }, present));
  const effective = effectiveTime(request, effectiveDay, present);
  if (effective.day < present.activation) {
    refuse('ruleViolation', '`effectiveDate` is before the activation of the loan.', {
      errors: [{ path: 'effectiveDate', expected: `${formatDay(present.activation)} or later`, message: 'is before activation' }],
    });
  }
  return { move, scheduledDay, effective };
}

/** Refuses what the body shows by itself, with the faults of its dates beside. */
export function refuseBodyFaults(request: CreateTransactionRequest, today: Day, isRecordingThePast: boolean): void {
  const faults = bodyFaults(request);
  if (faults.length === 0) return;
  const isExternal = request.isExternal === true;
  const { scheduledDay, effectiveDay } = daysOf(request, today);
  const move = firstMove(request, isExternal, scheduledDay > today);
  refuseFaults([...faults, ...dateFaults(request, { isExternal, move, scheduledDay, effectiveDay }, { today, isRecordingThePast })]);
}

/** The days that a request names or means. */
function daysOf(request: CreateTransactionRequest, today: Day): { readonly scheduledDay: Day; readonly effectiveDay: Day } {
  const effectiveDay = request.effectiveDate == null ? null : dayOfText(request.effectiveDate);
  const later = effectiveDay !== null && effectiveDay > today ? effectiveDay : today;
  const scheduledDay = request.scheduledDate == null ? later : dayOfText(request.scheduledDate);
  return { scheduledDay, effectiveDay: effectiveDay ?? scheduledDay };
}

function firstMove(request: CreateTransactionRequest, isExternal: boolean, isLater: boolean): Planned['move'] {
  if (request.type === 'serviceCredit') return isLater ? 'schedule' : 'succeed';
  if (!isExternal) return isLater ? 'schedule' : 'initiate';
  return must(moveBetween('new', request.status ?? (isLater ? 'scheduled' : 'pending')), 'a first move');
}

interface Dates {
  readonly isExternal: boolean;
  readonly move: Planned['move'];
  readonly scheduledDay: Day;
  readonly effectiveDay: Day;
}

function dateFaults(
  request: CreateTransactionRequest,
  { isExternal, move, scheduledDay, effectiveDay }: Dates,
  present: Pick<Present, 'today' | 'isRecordingThePast'>,
): readonly Fault[] {
  const { today, isRecordingThePast = false } = present;
  const faults: Fault[] = [];
  const fault = (path: string, expected: string, message: string): void => void faults.push({ path, expected, message });
  const isPayment = request.type !== 'serviceCredit';
  const earliest = formatDay(today);
  if (scheduledDay < today) fault('scheduledDate', `${earliest} or later`, 'is in the past');
  if (move !== 'schedule' && scheduledDay > today)
    fault('status', 'scheduled', `the transaction is scheduled for ${formatDay(scheduledDay)}`);
  if (effectiveDay > scheduledDay) fault('effectiveDate', `${formatDay(scheduledDay)} or earlier`, 'is after the scheduled date');
  const mayBePast = isPayment ? isExternal : isRecordingThePast;
  if (effectiveDay < today && (!mayBePast || move === 'schedule')) {
    const message = isPayment
      ? 'only an external payment that was already made can be in the past'
      : 'a credit must be today or later; it can be backdated afterwards';
    fault('effectiveDate', `${earliest} or later`, message);
  }
  return faults;
}

function effectiveTime(request: CreateTransactionRequest, day: Day, { today, now }: Present): EffectiveTime {
  if (request.effectiveTimeOfDay != null) return { day, seconds: secondsOf(request.effectiveTimeOfDay) };
  return day === today ? now : { day, seconds: END_OF_DAY_SECONDS };
}

/** 403 unless the caller has the permission. */
export function requirePermission(command: CommandRequest, permission: string): void {
  if (isPermitted(command.permissions, permission)) return;
  refuse('permissionDenied', `This transaction needs the permission ${permission}.`, { extra: { permission } });
}
