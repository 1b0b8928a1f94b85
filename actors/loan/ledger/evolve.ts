import { addDays, type Day, instantAt, must, ZERO } from '../../../engine/index.js';
import { activationOf, recordOf } from '../context.js';
import {
  type CaughtUp,
  type LedgerChanged,
  ledgerFacts,
  type LineActivated,
  lineFacts,
  type LoanActivated,
  type LoanReplayed,
} from '../facts.js';
import { firstRecurring } from '../fees/recurring.js';
import { lineOfCredit } from '../line/ledger.js';
import { loanChart } from '../machine.js';
import type { Activated, LoanState, Servicing, StoredFact } from '../state.js';
import { statusesBefore, statusEvent, followLedgerMove } from './follow-move.js';
import { NO_REASON, type Why, type Applying } from '../applying.js';
import { FactList } from './fact-list.js';
import { installment, summaryAtActivation } from './installment.js';
import type { Moved } from './moving.js';
import { type AnyLedgerFact, ledgerInMemory, moveAgain, moveBy, moveThrough, runningOf, summarize } from './running.js';
import { followMoveOfOrder } from './one-order.js';
import { changeSources, firstSources, nextSources, withRules } from './settings.js';

/** An order changes the ledger at its effective time. */
export function ledgerChanged(applying: Applying, body: LedgerChanged): void {
  // An earlier release recorded free text in the field of the reason.
  applyLedgerFact(applying, body.change.type === 'pastFeeCanceled' && body.reason !== null ? reasonWritten(body) : body);
  const { state, fact } = applying;
  if (state.servicing === null || !isReamortizing(body.change)) return;
  const record = recordOf(state);
  state.record = { ...record, timestamps: { ...record.timestamps, lastAmortizedAt: fact.businessAt } };
}

/** Changes that spread the balance over the coming rows. */
function isReamortizing(change: LedgerChanged['change']): boolean {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all other facts leave the rows to come as they are
  switch (change.type) {
    case 'scheduleChanged':
    case 'reamortized':
      return true;
    case 'unfreeze':
      return !change.shiftDueDates;
    case 'advance':
      return change.reamortization === 'sameEndDate';
    default:
      return false;
  }
}

/**
 * Gives the ledger a fact. Its time comes from the envelope; its sequence is the loan's own count, so that it is the same in a preview, a
 * live write and a recovery.
 */
export function applyLedgerFact(applying: Applying, body: LedgerChanged): AnyLedgerFact {
  const { state, fact, env } = applying;
  const activation = activatedIn(state);
  const ledgerFact = {
    effective: must(fact.effective, 'a fact of the ledger has an effective time'),
    sequence: activation.facts.length + 1,
    recordedDay: body.recordedDay,
    ...body.change,
  } as AnyLedgerFact;
  const ledger = runningOf(state, env);
  const before = statusesBefore(ledger, applying.emit);
  // The newest fact moves the running ledger. One in the past computes it again, from a checkpoint if there is one (`Mover.moveBy`).
  const moved = moveBy(state, env, ledgerFact);
  keepFact(activation, { fact: ledgerFact, recordedAt: fact.businessAt, by: fact.by, caseId: body.caseId });
  const { caseId, reason, writtenReason = null } = body;
  followMoveOfOrder(applying, { ledger, before, moved, ledgerFact }, { caseId, reason, writtenReason });
  return ledgerFact;
}

/** Moves the reason to `writtenReason`: it is free text, which is personal. */
export const reasonWritten = <Body extends LedgerChanged>(body: Body): Body => ({ ...body, reason: null, writtenReason: body.reason });

/** The fact is one of the loan's own product. */
function keepFact({ facts }: Activated, stored: StoredFact<AnyLedgerFact>): void {
  (facts as FactList<StoredFact<AnyLedgerFact>>).push(stored);
}

const activatedIn = (state: LoanState): Activated => must(activationOf(state), `${state.id} has no ledger`);

export function ledgerCanceled(applying: Applying, recordedDay: Day, why: Why): void {
  applyLedgerFact(applying, { change: { type: 'cancel' }, recordedDay, caseId: why.caseId, reason: why.reason });
}

/** A replay under today's configuration is itself a fact: it decides how the past is computed from now on. */
export function replayed(applying: Applying, body: LoanReplayed): void {
  const { state, fact, env } = applying;
  const activation = activatedIn(state);
  const ledger = runningOf(state, env);
  const before = statusesBefore(ledger, applying.emit);
  const { from, through, version } = body;
  changeSources(
    activation,
    nextSources(activation.sources, from, body.lateFees, { from, through, version, rules: fact.rulesVersion }),
    fact.businessAt,
  );
  followLedgerMove(applying, before, moveAgain(state, env, ledger), { caseId: body.caseId, reason: null, writtenReason: body.reason });
}

/**
 * A loan adopts the rules of a release with the first fact that is recorded under them. They apply from the first day that is not done yet:
 * amounts of earlier days, which were published, do not change, and a recovery computes the same.
 */
export function adoptRules({ state, fact }: Applying): void {
  const activation = activationOf(state);
  if (activation === null) return;
  const adopted = withRules(activation.sources, addDays(activation.summary.through, 1), fact.rulesVersion);
  if (adopted !== null) changeSources(activation, adopted, fact.businessAt);
}

/** The daily work of the days up to `through`. */
export function caughtUp(applying: Applying, body: CaughtUp): void {
  const { state, env } = applying;
  const before = statusesBefore(runningOf(state, env), applying.emit);
  followLedgerMove(applying, before, moveThrough(state, env, body.through), NO_REASON);
  activatedIn(state).summary = summarize(ledgerInMemory(state));
}

/**
 * Activation: the contract comes into force and the ledger starts. It is computed up to `through`, by default the day of the recording.
 */
export function activated(applying: Applying, body: LoanActivated, through = body.recordedDay): void {
  const { contract } = body;
  const summary = summaryAtActivation(contract.terms.activation, contract.endDate, contract.terms.principalCents);
  applying.state.servicing = { ...beginning(applying, body), contract, facts: new FactList(ledgerFacts), summary, ledger: null };
  begin(applying, body, (state, env) => installment.start(state, env, through));
}

/** Activation of a line of credit: its first period starts, with nothing owed. */
export function lineActivated(applying: Applying, body: LineActivated, through = body.recordedDay): void {
  const { contract } = body;
  const summary = summaryAtActivation(contract.terms.activation, null, ZERO);
  applying.state.line = { ...beginning(applying, body), contract, facts: new FactList(lineFacts), summary, limits: [], ledger: null };
  begin(applying, body, (state, env) => lineOfCredit.start(state, env, through));
}

/** The servicing of either product at activation. */
function beginning({ fact }: Applying, body: LoanActivated | LineActivated): Omit<Servicing, 'contract' | 'facts' | 'summary' | 'ledger'> {
  return {
    recordedAt: fact.businessAt,
    sources: firstSources(body.lateFees, fact.rulesVersion),
    sourcesBefore: [],
    fees: [],
    removedFees: [],
    recurring: firstRecurring(body.recurring, body.contract.terms.activation, body.recordedDay),
    statements: [],
    statedThrough: body.recordedDay,
    rates: null,
    indexStamp: body.indexStamp,
  };
}

function begin(
  applying: Applying,
  { contract, recordedDay }: LoanActivated | LineActivated,
  start: (state: LoanState, env: Applying['env']) => Moved,
): void {
  const { state, fact, emit, env } = applying;
  const record = recordOf(state);
  const status = loanChart.after(record.status, 'activate');
  const { activation } = contract.terms;
  const activatedAt = instantAt(record.zone, activation, { hour: 0, minute: 0, second: 0 });
  const at = activation === recordedDay ? fact.businessAt : activatedAt;
  state.record = {
    ...record,
    status,
    timestamps: { ...record.timestamps, activatedAt: at, startedAt: at, lastAmortizedAt: fact.businessAt },
  };
  state.statusHistory = [
    ...state.statusHistory,
    {
      oldStatus: record.status,
      newStatus: status,
      effectiveDay: activation,
      recordedAt: fact.businessAt,
      by: fact.by,
      caseId: null,
      reason: null,
      writtenReason: null,
    },
  ];
  const moved = start(state, env);
  emit?.(statusEvent(state, { oldStatus: record.status, newStatus: status, effectiveAt: at, why: NO_REASON }));
  followLedgerMove(applying, statusesBefore(null, emit), moved, NO_REASON);
}
