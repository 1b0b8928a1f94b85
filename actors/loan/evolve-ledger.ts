import { type Day, instantAt, type LedgerFact, must } from '../../engine/index.js';
import { recordOf } from './context.js';
import type {
  CaughtUp,
  LateFeesTaken,
  LedgerChange,
  LedgerChanged,
  LoanActivated,
  LoanReplayed,
  RecurringFeesDone,
  RecurringFeesTaken,
} from './facts.js';
import { firstSources, nextSources } from './ledger-settings.js';
import { firstSummary, ledgerOf, moveAgain, moveBy, moveThrough, startServicing, summaryOf } from './ledger.js';
import { firstRecurring } from './recurring-fees.js';
import { type Applying, NO_REASON, standingOf, statusEvent, tell, type Why } from './tell.js';

/**
 * Activation: the contract comes into force and the ledger starts (servicing-behaviour 3), computed up to `through`, by
 * default the day of the recording.
 */
export function activated(applying: Applying, body: LoanActivated, through = body.recordedDay): void {
  const { state, fact, emit, env } = applying;
  const record = recordOf(state);
  const { terms } = body.contract;
  const activatedAt = instantAt(record.zone, terms.activation, { hour: 0, minute: 0, second: 0 });
  const isToday = terms.activation === body.recordedDay;
  state.servicing = {
    contract: body.contract,
    recordedAt: fact.businessAt,
    sources: firstSources(body.lateFees),
    facts: [],
    fees: [],
    recurring: firstRecurring(body.recurring, terms.activation, body.recordedDay),
    statements: [],
    statedThrough: body.recordedDay,
    rates: null,
    indexStamp: body.indexStamp,
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
  const moved = startServicing(state, env, through);
  emit?.(statusEvent(state, { oldStatus: record.status, newStatus: 'active', effectiveAt: at, why: NO_REASON }));
  tell(applying, standingOf(null, emit), moved, NO_REASON);
}

/** An order that the ledger takes in at its effective time. */
export function ledgerChanged(applying: Applying, body: LedgerChanged): void {
  applyLedgerFact(applying, body);
  if (body.change.type !== 'scheduleChanged') return;
  const { state, fact } = applying;
  const record = recordOf(state);
  state.record = { ...record, timestamps: { ...record.timestamps, lastAmortizedAt: fact.businessAt } };
}

/**
 * Gives the ledger a fact: its time comes from the envelope, its place in the order of recording is the loan's own
 * count, so that it is the same for a preview, a live write and a recovery.
 */
export function applyLedgerFact(applying: Applying, body: LedgerChanged): LedgerFact {
  const { state, fact, env } = applying;
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  const ledgerFact = {
    effective: must(fact.effective, 'a fact of the ledger has an effective time'),
    sequence: servicing.facts.length + 1,
    recordedDay: body.recordedDay,
    ...body.change,
  } as LedgerFact;
  const before = standingOf(ledgerOf(state, env), applying.emit);
  const moved = moveBy(state, env, ledgerFact);
  servicing.facts.push({ fact: ledgerFact, recordedAt: fact.businessAt, by: fact.by, caseId: body.caseId });
  tell(applying, before, moved, { caseId: body.caseId, reason: body.reason });
  return ledgerFact;
}

export function ledgerCanceled(applying: Applying, recordedDay: Day, why: Why): void {
  const change: LedgerChange = { type: 'cancel' };
  applyLedgerFact(applying, { change, recordedDay, caseId: why.caseId, reason: why.reason });
}

export function lateFeesTaken({ state }: Applying, body: LateFeesTaken): void {
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  servicing.sources = nextSources(servicing.sources, body.from, body.lateFees);
}

export function recurringFeesTaken({ state }: Applying, { triggers, doneThrough }: RecurringFeesTaken): void {
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  servicing.recurring = { triggers, doneThrough, made: servicing.recurring.made };
}

export function recurringFeesDone({ state }: Applying, { through, made }: RecurringFeesDone): void {
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  servicing.recurring = { triggers: servicing.recurring.triggers, doneThrough: through, made };
}

/** A replay under today's configuration is itself a fact: from now on it decides how the past is computed. */
export function replayed(applying: Applying, body: LoanReplayed): void {
  const { state, env } = applying;
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  const ledger = ledgerOf(state, env);
  const before = standingOf(ledger, applying.emit);
  const { from, through, version } = body;
  servicing.sources = nextSources(servicing.sources, from, body.lateFees, { from, through, version });
  tell(applying, before, moveAgain(state, env, ledger), { caseId: body.caseId, reason: body.reason });
}

/** The daily work of the days up to `through`. */
export function caughtUp(applying: Applying, body: CaughtUp): void {
  const { state, env } = applying;
  const servicing = must(state.servicing, `${state.id} has no ledger`);
  const before = standingOf(ledgerOf(state, env), applying.emit);
  tell(applying, before, moveThrough(state, env, body.through), NO_REASON);
  servicing.summary = summaryOf(ledgerOf(state, env));
}
