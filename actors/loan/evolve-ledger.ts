import { type Day, instantAt, type LedgerFact, must } from '../../engine/index.js';
import { recordOf } from './context.js';
import { loanEvent } from './events.js';
import type {
  CaughtUp,
  FeeCanceledBody,
  FeeChargedBody,
  LateFeesTaken,
  LedgerChange,
  LedgerChanged,
  LoanActivated,
} from './facts.js';
import { feeEventType } from './fee-events.js';
import { firstLateFees, withLateFees } from './late-fees.js';
import { firstSummary, ledgerOf, moveBy, moveThrough, startServicing, summaryOf } from './ledger.js';
import type { ChargedFee } from './state.js';
import { type Applying, NO_REASON, standingOf, statusEvent, tell, type Why } from './tell.js';
import { amount, dateText } from '../wire.js';

/** Activation: the contract comes into force and the ledger starts (servicing-behaviour 3). */
export function activated(applying: Applying, body: LoanActivated): void {
  const { state, fact, emit, env } = applying;
  const record = recordOf(state);
  const { terms } = body.contract;
  const activatedAt = instantAt(record.zone, terms.activation, { hour: 0, minute: 0, second: 0 });
  const isToday = terms.activation === body.recordedDay;
  state.servicing = {
    contract: body.contract,
    recordedAt: fact.businessAt,
    lateFees: firstLateFees(body.lateFees),
    facts: [],
    fees: [],
    summary: firstSummary(body.contract),
    ledger: null,
  };
  const at = isToday ? fact.businessAt : activatedAt;
  state.record = {
    ...record,
    status: 'active',
    timestamps: { ...record.timestamps, activatedAt: at, startedAt: at, lastAmortizedAt: fact.businessAt },
  };
  state.statusHistory = [
    ...state.statusHistory,
    {
      oldStatus: record.status,
      newStatus: 'active',
      effectiveDay: terms.activation,
      recordedAt: fact.businessAt,
      by: fact.by,
      caseId: null,
      reason: null,
    },
  ];
  const moved = startServicing(state, env, body.recordedDay);
  emit?.(statusEvent(state, { oldStatus: record.status, newStatus: 'active', effectiveAt: at, why: NO_REASON }));
  tell(applying, standingOf(null), moved, NO_REASON);
}

/** An order that the ledger takes in at its effective time. */
export function ledgerChanged(applying: Applying, body: LedgerChanged): void {
  applyLedgerFact(applying, body);
}

/**
 * Gives the ledger a fact: its time comes from the envelope, its place in the order of recording is the loan's own
 * count, so that it is the same for a preview, a live write and a recovery.
 */
export function applyLedgerFact(applying: Applying, body: LedgerChanged): LedgerFact {
  const { state, fact, env } = applying;
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  const ledgerFact = {
    ...body.change,
    effective: must(fact.effective, 'a fact of the ledger has an effective time'),
    sequence: servicing.facts.length + 1,
    recordedDay: body.recordedDay,
  } as LedgerFact;
  const before = standingOf(ledgerOf(state, env));
  const moved = moveBy(state, env, ledgerFact);
  servicing.facts = [...servicing.facts, { fact: ledgerFact, recordedAt: fact.businessAt, by: fact.by, caseId: body.caseId }];
  tell(applying, before, moved, { caseId: body.caseId, reason: body.reason });
  return ledgerFact;
}

export function ledgerCanceled(applying: Applying, recordedDay: Day, why: Why): void {
  const change: LedgerChange = { type: 'cancel' };
  applyLedgerFact(applying, { change, recordedDay, caseId: why.caseId, reason: why.reason });
}

export function feeCharged(applying: Applying, body: FeeChargedBody): void {
  const { state, fact, emit } = applying;
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  const { change, details } = body;
  const fee: ChargedFee = {
    ...details,
    fee: change.fee,
    feeTypeId: change.feeTypeId,
    createdAt: fact.businessAt,
    by: fact.by,
    caseId: body.caseId,
    canceledAt: null,
    canceledBy: null,
    cancelReason: null,
  };
  servicing.fees = [...servicing.fees, fee];
  const { effective } = applyLedgerFact(applying, body);
  emit?.(
    loanEvent(state, feeEventType(body.category), {
      feeId: fee.id,
      feeTypeId: fee.feeTypeId,
      amount: amount(change.amountCents),
      effectiveDate: dateText(effective.day),
      drawId: null,
    }),
  );
}

export function feeCanceled(applying: Applying, body: FeeCanceledBody): void {
  const { state, fact } = applying;
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  servicing.fees = servicing.fees.map((fee) =>
    fee.id === body.feeId ? { ...fee, canceledAt: fact.businessAt, canceledBy: fact.by, cancelReason: body.reason } : fee,
  );
  applyLedgerFact(applying, body);
}

export function lateFeesTaken({ state }: Applying, body: LateFeesTaken): void {
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  servicing.lateFees = withLateFees(servicing.lateFees, body.from, body.lateFees);
}

/** The daily work of the days up to `through`. */
export function caughtUp(applying: Applying, body: CaughtUp): void {
  const { state, env } = applying;
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  const before = standingOf(ledgerOf(state, env));
  tell(applying, before, moveThrough(state, env, body.through), NO_REASON);
  servicing.summary = summaryOf(ledgerOf(state, env));
}
