import {
  type Cents,
  cents,
  type Day,
  dayAt,
  daysOverdueOf,
  instantAt,
  type LineLedgerEvent,
  must,
  oldestOverdue,
} from '../../../engine/index.js';
import type { Emit } from '../../kernel/actor.js';
import { type Fact, SYSTEM_AGENT } from '../../kernel/fact.js';
import { dateText, dateTimeText, timeOfDay } from '../../wire.js';
import { activationOf, recordOf } from '../context.js';
import { noteRemoved } from '../fees/recurring.js';
import { notePaidOff } from '../draws/draw.js';
import { paidOffDraws, emitPaidOffDraws } from '../draws/rates.js';
import { eventOf, loanEvent, type ObligationStatus, obligationStatus } from '../events.js';
import type { Moved } from './moving.js';
import { ledgerInMemory, isLine, principalOf, type RunningLedger, summarize } from './running.js';
import type { LoanStatus } from '../machine.js';
import type { LoanState, LoanTimestamps, StatusChange } from '../state.js';
import type { Applying, Why } from '../applying.js';

/** Statuses before a move, with which events compare. Made before every move: two plain lists are cheapest. */
export interface StatusesBefore {
  readonly ordinals: number[];
  /** The status of the obligation at the same index in `ordinals`. */
  readonly statuses: ObligationStatus[];
  readonly daysOverdue: number;
  /** Of a line of credit. */
  readonly paidOffDraws: readonly number[] | null;
}

/** Empty if no events are emitted: nothing else reads it. */
export function statusesBefore(ledger: RunningLedger | null, emit: Emit | null): StatusesBefore {
  const ordinals: number[] = [];
  const statuses: ObligationStatus[] = [];
  if (ledger === null || emit === null) return { ordinals, statuses, daysOverdue: 0, paidOffDraws: null };
  for (const { ordinal, isFulfilled, isEnforced } of ledger.obligations) {
    ordinals.push(ordinal);
    statuses.push(isFulfilled ? 'fulfilled' : isEnforced ? 'overdue' : 'unfulfilled');
  }
  const oldest = oldestOverdue(ledger);
  return {
    ordinals,
    statuses,
    daysOverdue: oldest === undefined ? 0 : daysOverdueOf(ledger, oldest),
    paidOffDraws: isLine(ledger) ? paidOffDraws(ledger) : null,
  };
}

/** The status of an obligation before the move; `open` if it did not exist. */
const statusIn = ({ ordinals, statuses }: StatusesBefore, ordinal: number): ObligationStatus =>
  statuses[ordinals.lastIndexOf(ordinal)] ?? 'open';

function noteIn({ ordinals, statuses }: StatusesBefore, ordinal: number, status: ObligationStatus): void {
  ordinals.push(ordinal);
  statuses.push(status);
}

/**
 * Follows the events of a ledger: updates the summary and the statuses with their times, and emits the published events in the order of
 * the ledger's.
 */
export function followLedgerMove(applying: Applying, before: StatusesBefore, moved: Moved, why: Why): void {
  const { state, fact, emit, env } = applying;
  const activation = must(activationOf(state), `${state.id} has no ledger`);
  const ledger = ledgerInMemory(state);
  activation.summary = summarize(ledger);
  for (const ledgerEvent of moved.ledgerEvents) {
    if (ledgerEvent.type === 'statusChanged') noteStatus(state, fact, ledgerEvent, moved.isReplay, why);
    else if (ledgerEvent.type === 'drawPaidOff') notePaidOff(state, ledgerEvent);
    else if (ledgerEvent.type === 'feeCanceled') noteRemoved(activation, ledgerEvent, fact, why);
  }
  if (moved.isReplay) keepStatusTimes(state, ledger);
  if (emit === null) return;
  for (const ledgerEvent of moved.ledgerEvents) {
    const event = eventOf(ledgerEvent, {
      state,
      env,
      isReplay: moved.isReplay,
      recordedAt: fact.businessAt,
      caseId: why.caseId,
      reason: (ledgerEvent.type === 'statusChanged' ? reasonOf(ledgerEvent, ledger, why) : why.reason) ?? why.writtenReason ?? null,
      obligationBefore: (ordinal) => statusIn(before, ordinal),
      obligationDue: (ordinal) => dueIn(ledger, ordinal),
      daysOverdueBefore: before.daysOverdue,
      principalCents: principalOf(ledger),
      chargedFee: (fee) => activation.fees.find((charged) => charged.fee === fee),
    });
    if (event !== null) emit(event);
    if (ledgerEvent.type === 'obligationStatusChanged') noteIn(before, ledgerEvent.obligation, obligationStatus(ledgerEvent));
  }
  if (isLine(ledger)) emitPaidOffDraws(state, emit, before.paidOffDraws, ledger);
}

function dueIn({ obligations }: RunningLedger, ordinal: number): { readonly dueDay: Day; readonly amountCents: Cents } | null {
  for (let at = obligations.length - 1; at >= 0; at -= 1) {
    const obligation = obligations[at];
    if (obligation?.ordinal === ordinal) return { dueDay: obligation.dueDay, amountCents: cents(obligation.amountCents) };
  }
  return null;
}

type StatusChanged = Extract<LineLedgerEvent, { readonly type: 'statusChanged' }>;

const STATUS_TIMES: Partial<Record<LoanStatus, keyof LoanTimestamps>> = {
  frozen: 'frozenAt',
  accelerated: 'acceleratedAt',
  chargedOff: 'chargedOffAt',
  paidOff: 'paidOffAt',
};

function noteStatus(state: LoanState, fact: Fact, ledgerEvent: StatusChanged, isReplay: boolean, why: Why): void {
  const record = recordOf(state);
  const at = instantAt(record.zone, ledgerEvent.day, timeOfDay(ledgerEvent.seconds));
  const { type: cause } = ledgerEvent.cause;
  // A charge-off by days overdue accelerates the loan, too; the day's work orders it, not the caller who triggered that work.
  const isOrdered = cause === 'ordered' || (cause === 'chargeOff' && fact.type === 'LedgerChanged');
  const isReopened = ledgerEvent.oldStatus === 'paidOff';
  // A replay that reopens a paid-off loan restores the status before, with its time.
  const timeKey = isReopened && isReplay ? undefined : STATUS_TIMES[ledgerEvent.newStatus];
  const undone: Partial<LoanTimestamps> = {
    ...(isReopened ? { paidOffAt: null } : {}),
    ...(isReplay && ledgerEvent.newStatus === 'active' ? { acceleratedAt: null, chargedOffAt: null } : {}),
  };
  state.record = {
    ...record,
    // A reason that was set by hand belongs to the charge-off before.
    ...(ledgerEvent.newStatus === 'chargedOff' ? { chargedOffReason: null } : {}),
    timestamps: { ...record.timestamps, ...undone, ...(timeKey === undefined ? {} : { [timeKey]: at }) },
  };
  const change: StatusChange = {
    oldStatus: ledgerEvent.oldStatus,
    newStatus: ledgerEvent.newStatus,
    effectiveDay: ledgerEvent.day,
    recordedAt: fact.businessAt,
    by: isOrdered ? fact.by : SYSTEM_AGENT,
    caseId: why.caseId,
    reason: reasonOf(ledgerEvent, ledgerInMemory(state), why),
    writtenReason: why.writtenReason ?? null,
  };
  state.statusHistory = [...state.statusHistory, change];
}

/** Corrects the time of a status that a replay moves to another day, as when the last payment of a loan is backdated. */
function keepStatusTimes(state: LoanState, { status, statusSince, acceleratedSince, chargedOffSince }: RunningLedger): void {
  const record = recordOf(state);
  const since: Partial<Record<LoanStatus, Day | null>> = {
    frozen: status === 'frozen' ? statusSince : null,
    accelerated: status === 'accelerated' || status === 'chargedOff' ? acceleratedSince : null,
    chargedOff: status === 'chargedOff' ? chargedOffSince : null,
    paidOff: status === 'paidOff' ? statusSince : null,
  };
  const moved: Partial<Record<keyof LoanTimestamps, number>> = {};
  for (const kept of ['frozen', 'accelerated', 'chargedOff', 'paidOff'] as const) {
    const day = since[kept] ?? null;
    if (day === null) continue;
    const key = must(STATUS_TIMES[kept], 'a status that has a time');
    const at = record.timestamps[key];
    if (at !== null && dayAt(record.zone, at) !== day) moved[key] = instantAt(record.zone, day, END_OF_DAY);
    state.statusHistory = heldSince(state.statusHistory, kept, day);
  }
  if (Object.keys(moved).length > 0) state.record = { ...record, timestamps: { ...record.timestamps, ...moved } };
}

/** The history of statuses, with the latest entry of a status moved to a day. */
function heldSince(history: readonly StatusChange[], status: LoanStatus, day: Day): readonly StatusChange[] {
  const held = history.findLast(({ newStatus }) => newStatus === status);
  if (held === undefined || held.effectiveDay === day) return history;
  return history.map((change) => (change === held ? { ...change, effectiveDay: day } : change));
}

/** The time of a status on a past day: 23:59. */
const END_OF_DAY = { hour: 23, minute: 59, second: 0 };

function reasonOf(ledgerEvent: StatusChanged, ledger: RunningLedger, why: Why): string | null {
  return ledgerEvent.newStatus === 'chargedOff' ? (ledger.chargeOffReason ?? why.reason) : why.reason;
}

/** Changes the status of a loan that has no ledger. */
export function changeOwnStatus(applying: Applying, newStatus: LoanStatus, why: Why): void {
  const { state, fact, emit } = applying;
  const record = recordOf(state);
  const effectiveDay = dayAt(record.zone, fact.businessAt);
  const oldStatus = record.status;
  state.record = { ...record, status: newStatus };
  state.statusHistory = [
    ...state.statusHistory,
    {
      oldStatus,
      newStatus,
      effectiveDay,
      recordedAt: fact.businessAt,
      by: fact.by,
      caseId: why.caseId,
      reason: why.reason,
      writtenReason: why.writtenReason ?? null,
    },
  ];
  emit?.(statusEvent(state, { oldStatus, newStatus, effectiveAt: fact.businessAt, why }));
}

export function statusEvent(
  state: LoanState,
  change: { readonly oldStatus: LoanStatus; readonly newStatus: LoanStatus; readonly effectiveAt: number; readonly why: Why },
): ReturnType<typeof loanEvent> {
  const { zone } = recordOf(state);
  return loanEvent(
    state,
    'loan.statuschanged',
    {
      oldStatus: change.oldStatus,
      newStatus: change.newStatus,
      reason: change.why.reason,
      effectiveAt: dateTimeText(change.effectiveAt),
      effectiveDate: dateText(dayAt(zone, change.effectiveAt)),
      caseId: change.why.caseId,
    },
    change.effectiveAt,
  );
}
