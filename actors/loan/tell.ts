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
} from '../../engine/index.js';
import type { Emit, EvolveEnv } from '../kernel/actor.js';
import { type Fact, SYSTEM_AGENT } from '../kernel/fact.js';
import { dateText, dateTimeText, timeOfDay } from '../wire.js';
import { activationOf, recordOf } from './context.js';
import { noteRemoved } from './fees/recurring.js';
import { notePaidOff } from './draws/draw.js';
import { paidOffDraws, tellPaidOffDraws } from './draws/rates.js';
import { eventOf, loanEvent, type ObligationStatus, obligationStatus } from './events.js';
import type { Moved } from './ledger/moving.js';
import { awakeOf, isLine, principalOf, type RunningLedger, summarize } from './ledger/running.js';
import type { LoanStatus } from './machine.js';
import type { LoanState, LoanTimestamps, StatusChange } from './state.js';

/** A fact on its way into a loan. `emit` is null while recovering and for what is only tried. */
export interface Applying {
  readonly state: LoanState;
  readonly fact: Fact;
  readonly emit: Emit | null;
  readonly env: EvolveEnv;
}

/** Why something happened, as far as the order said. */
export interface Why {
  readonly caseId: string | null;
  /** A word of the interface or of the service. */
  readonly reason: string | null;
  /** What somebody wrote. */
  readonly writtenReason?: string | null;
}

export const NO_REASON: Why = { caseId: null, reason: null };

/** How things stood before a move; what events compare with. Taken before every move: two plain lists cost least. */
export interface Standing {
  readonly ordinals: number[];
  /** Of the obligation at the same place in `ordinals`. */
  readonly statuses: ObligationStatus[];
  readonly daysOverdue: number;
  /** Of a line of credit. */
  readonly paidOffDraws: readonly number[] | null;
}

/** Only events ask for it: empty where none are told. */
export function standingOf(ledger: RunningLedger | null, emit: Emit | null): Standing {
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

/** The status of an obligation before; one that was not there comes to be open. */
const statusIn = ({ ordinals, statuses }: Standing, ordinal: number): ObligationStatus => statuses[ordinals.lastIndexOf(ordinal)] ?? 'open';

function noteIn({ ordinals, statuses }: Standing, ordinal: number, status: ObligationStatus): void {
  ordinals.push(ordinal);
  statuses.push(status);
}

/**
 * Makes history of what a ledger reported: the summary, the statuses with their times, and, while living, the
 * contract's events in the order in which things happened.
 */
export function tell(applying: Applying, before: Standing, moved: Moved, why: Why): void {
  const { state, fact, emit, env } = applying;
  const activation = must(activationOf(state), `${state.id} has no ledger`);
  const ledger = awakeOf(state);
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
      caseId: why.caseId,
      reason: (ledgerEvent.type === 'statusChanged' ? reasonOf(ledgerEvent, ledger, why) : why.reason) ?? why.writtenReason ?? null,
      obligationBefore: (ordinal) => statusIn(before, ordinal),
      obligationDue: (ordinal) => dueIn(ledger, ordinal),
      daysOverdueBefore: before.daysOverdue,
      principalCents: principalOf(ledger),
      chargedFeeId: (fee) => activation.fees.find((charged) => charged.fee === fee)?.id ?? null,
    });
    if (event !== null) emit(event);
    if (ledgerEvent.type === 'obligationStatusChanged') noteIn(before, ledgerEvent.obligation, obligationStatus(ledgerEvent));
  }
  if (isLine(ledger)) tellPaidOffDraws(state, emit, before.paidOffDraws, ledger);
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
  // A charge-off by days overdue passes through accelerated as well, whoever has asked for the day's work.
  const isOrdered = cause === 'ordered' || (cause === 'chargeOff' && fact.type === 'LedgerChanged');
  const isReopened = ledgerEvent.oldStatus === 'paidOff';
  // A loan that is opened again stands where it stood before, since then.
  const timeKey = isReopened && isReplay ? undefined : STATUS_TIMES[ledgerEvent.newStatus];
  const undone: Partial<LoanTimestamps> = {
    ...(isReopened ? { paidOffAt: null } : {}),
    ...(isReplay && ledgerEvent.newStatus === 'active' ? { acceleratedAt: null, chargedOffAt: null } : {}),
  };
  state.record = {
    ...record,
    // A reason set by hand explains the charge-off that it was set on.
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
    reason: reasonOf(ledgerEvent, awakeOf(state), why),
    writtenReason: why.writtenReason ?? null,
  };
  state.statusHistory = [...state.statusHistory, change];
}

/** A status that a recomputed past keeps, but since another day: the payment that paid the loan off was backdated. */
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

/** The history of statuses, in which one that the loan has holds since a day. */
function heldSince(history: readonly StatusChange[], status: LoanStatus, day: Day): readonly StatusChange[] {
  const held = history.findLast(({ newStatus }) => newStatus === status);
  if (held === undefined || held.effectiveDay === day) return history;
  return history.map((change) => (change === held ? { ...change, effectiveDay: day } : change));
}

/** A past day without a time of its own counts as its 23:59. */
const END_OF_DAY = { hour: 23, minute: 59, second: 0 };

function reasonOf(ledgerEvent: StatusChanged, ledger: RunningLedger, why: Why): string | null {
  return ledgerEvent.newStatus === 'chargedOff' ? (ledger.chargeOffReason ?? why.reason) : why.reason;
}

/** A status that no ledger gave: before activation, or of a loan that never had one. */
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
