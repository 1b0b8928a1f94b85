import {
  type Cents,
  type Day,
  type DrawActivated as ActivatedChange,
  type DrawCanceled as CanceledChange,
  type DrawClosed as ClosedChange,
  type DrawRatesChanged,
  must,
  ZERO,
} from '../../../engine/index.js';
import { amount, dateText } from '../../wire.js';
import { drawFeeId } from '../derived-ids.js';
import { loanEvent } from '../events.js';
import type { LedgerChange, LedgerChanged, LoanCanceled } from '../facts.js';
import { applyLedgerFact } from '../ledger/evolve.js';
import { cancelHeld } from '../purchases/evolve.js';
import { isOther, rateEvent, timeOfRates } from '../rates/evolve.js';
import { type RateKind, type RateRow, withRows } from '../rates/rows.js';
import type { LoanState, LoanTimestamps } from '../state.js';
import type { Applying } from '../applying.js';
import { type Draw, drawChart, type NewDraw } from './draw.js';
import { drawRowsOf, drawWithRates, ownKinds, rowsOfEarlierReleases } from './rate-rows.js';
import { emitDrawStatus } from './rates.js';

/** Applies the facts of draws. */
export const APPLY_DRAWS: {
  readonly [Type in keyof DrawFacts]: (applying: Applying, body: DrawFacts[Type]) => void;
} = {
  DrawCreated(applying, { draw }) {
    const { state, fact } = applying;
    const made: Draw = { ...draw, createdStamp: fact.stamp, updatedAt: fact.businessAt, createdBy: fact.by };
    state.draws = [...state.draws, made];
    // The event of the migration covers the static draws of a migrated line.
    if (draw.drawType !== 'static') emitMove(applying, null, made);
  },
  DrawUpdated(applying, { drawId, changes }) {
    const { status } = changes;
    const times: Partial<LoanTimestamps> =
      status === undefined ? {} : { originatedAt: status === 'originated' ? applying.fact.businessAt : null };
    const rates = changes.atOrigination === undefined ? {} : withNewTerms(drawWith(applying.state, drawId));
    change(applying, drawId, { ...changes, ...rates }, times);
  },
  DrawActivated(applying, body) {
    const { businessAt: at } = applying.fact;
    const { rates } = body;
    change(
      applying,
      body.drawId,
      {
        status: drawChart.after(statusOf(applying, body.drawId), 'activate'),
        ...(rates === undefined ? {} : { rates, kinds: ownKinds(drawWith(applying.state, body.drawId)) }),
      },
      { activatedAt: at, startedAt: at, lastAmortizedAt: at },
    );
    applyLedgerFact(applying, body);
  },
  DrawRatesSet(applying, body) {
    const { state, env, fact, emit } = applying;
    const draw = drawWith(state, body.drawId);
    const known = drawRowsOf(state, env, draw);
    change(applying, draw.id, ratesAfter(applying, draw, body));
    const { change: ledgerChange, recordedDay, caseId, reason } = body;
    if (ledgerChange !== null) applyLedgerFact(applying, { change: ledgerChange, recordedDay, caseId, reason });
    if (emit === null) return;
    const times = timeOfRates(state, fact, body);
    for (const row of body.rows) {
      const before = known.find(({ id }) => id === row.id);
      if (isOther(before, row)) emit(rateEvent(state, row, before, { ...times, drawId: draw.id }));
    }
  },
  DrawClosed(applying, body) {
    change(applying, body.drawId, { isClosed: true }, { closedAt: applying.fact.businessAt });
    applyLedgerFact(applying, body);
  },
  DrawCanceled(applying, body) {
    const { drawId, change: ledgerChange, drawFeeCents = ZERO, cancellationReason, recordedDay, caseId } = body;
    const { state, env, fact, emit } = applying;
    const status = drawChart.after(statusOf(applying, drawId), 'cancel');
    change(applying, drawId, { status, cancellationReason }, { canceledAt: fact.businessAt });
    cancelHeld(applying, drawId);
    if (body.isFreeingExternalIds === true) freeExternalIds(state, drawId);
    if (ledgerChange !== null) applyLedgerFact(applying, { change: ledgerChange, recordedDay, caseId, reason: cancellationReason });
    if (emit === null || drawFeeCents === 0) return;
    const feeId = drawFeeId(env, state, drawWith(state, drawId));
    const fee = { feeId, feeTypeId: null, amount: amount(drawFeeCents), effectiveDate: dateText(recordedDay) };
    emit(loanEvent(state, 'loan.fee.canceled', { ...fee, drawId, reason: cancellationReason }));
  },
};

const drawWith = (state: LoanState, drawId: string): Draw =>
  must(
    state.draws.find(({ id }) => id === drawId),
    `${state.id} has no draw ${drawId}`,
  );

function ratesAfter({ state, env }: Applying, draw: Draw, { rows, kinds }: DrawRatesSet): Partial<Draw> {
  return kinds === undefined
    ? { rates: withRows(rowsOfEarlierReleases(state, env, draw), rows) }
    : drawWithRates(state, env, draw, rows, kinds);
}

/** What had been ended of the rates of origination does not concern their new values. */
const withNewTerms = ({ rates, kinds }: Draw): Partial<Draw> =>
  rates === null || kinds === undefined ? {} : { rates: rates.filter(({ setAtActivation }) => !setAtActivation) };

/** The draw's own recorded status, not derived from the line's. */
const statusOf = ({ state }: Applying, drawId: string): Draw['status'] => drawWith(state, drawId).status;

function change(applying: Applying, drawId: string, changes: Partial<Draw>, times: Partial<LoanTimestamps> = {}): void {
  const { state, fact } = applying;
  const before = drawWith(state, drawId);
  const after: Draw = { ...before, ...changes, timestamps: { ...before.timestamps, ...times }, updatedAt: fact.businessAt };
  state.draws = state.draws.map((draw) => (draw === before ? after : draw));
  if (before.status !== after.status) emitMove(applying, before.status, after);
}

function emitMove({ state, fact, emit }: Applying, oldStatus: Draw['status'] | null, draw: Draw): void {
  const { status: newStatus, cancellationReason: reason } = draw;
  if (emit !== null) emitDrawStatus(state, emit, draw, { oldStatus, newStatus, effectiveAt: fact.businessAt, reason, caseId: fact.caseId });
}

/** Those of the draw, and of its purchases, their disputes and its fees. */
function freeExternalIds(state: LoanState, drawId: string): void {
  const { draw } = drawWith(state, drawId);
  const purchases = state.purchases.all(draw);
  const numbers = new Set(purchases.map(({ purchase }) => purchase));
  const freed = <Named extends { readonly externalId: string | null }>(named: Named): Named => ({ ...named, externalId: null });
  state.draws = state.draws.map((known) => (known.id === drawId ? freed(known) : known));
  for (const purchase of purchases) if (purchase.externalId !== null) state.purchases.put(freed(purchase));
  state.disputes = state.disputes.map((dispute) => (numbers.has(dispute.purchase) ? freed(dispute) : dispute));
  if (state.line !== null) state.line.fees = state.line.fees.map((fee) => (fee.draw === draw ? freed(fee) : fee));
}

/** Cancels the draws with their line, and frees their external ids if the line's are freed. */
export function cancelDraws(applying: Applying, { cancellationReason, isFreeingExternalIds }: LoanCanceled): void {
  const { state, fact } = applying;
  if (state.draws.length === 0) return;
  for (const { id } of state.draws) cancelHeld(applying, id);
  state.draws = state.draws.map((draw): Draw => {
    const freed = isFreeingExternalIds ? { ...draw, externalId: null } : draw;
    const status = drawChart.target(draw.status, 'cancel');
    if (status === undefined) return freed;
    const timestamps = { ...draw.timestamps, canceledAt: fact.businessAt };
    return { ...freed, status, cancellationReason, timestamps, updatedAt: fact.businessAt };
  });
}

export interface DrawCreated {
  readonly draw: NewDraw;
  readonly caseId: string | null;
}

/** The fields that changed, with their new values. */
export interface DrawUpdated {
  readonly drawId: string;
  readonly changes: Partial<
    Pick<
      Draw,
      | 'externalId'
      | 'areExternalIdsFree'
      | 'drawType'
      | 'status'
      | 'nickname'
      | 'declineReason'
      | 'labels'
      | 'additionalPeople'
      | 'metaData'
      | 'atOrigination'
    >
  >;
}

/** The draw's contract in the line's ledger. */
export interface DrawActivated extends LedgerChanged {
  readonly drawId: string;
  readonly change: LedgerChange<ActivatedChange>;
  /** Its own rates from now on, if changes of the line's had reached it before. */
  readonly rates?: readonly RateRow[];
}

export interface DrawClosed extends LedgerChanged {
  readonly drawId: string;
  readonly change: LedgerChange<ClosedChange>;
  readonly isRequestedByBorrower: boolean;
}

/** The draw is as if it had never existed. Authorized purchases on it are canceled with it. */
export interface DrawCanceled {
  readonly drawId: string;
  /** Null if the draw was never active. */
  readonly change: LedgerChange<CanceledChange> | null;
  /** The draw fee that is canceled with it; absent in facts of earlier releases, which left it to the ledger. */
  readonly drawFeeCents?: Cents;
  readonly cancellationReason: string | null;
  /** Absent in facts of earlier releases: the ids stay in use. */
  readonly isFreeingExternalIds?: true;
  readonly recordedDay: Day;
  readonly caseId: string | null;
}

/** New and changed rates and caps of a draw, with their new values. */
export interface DrawRatesSet {
  readonly drawId: string;
  readonly rows: readonly RateRow[];
  /** The kinds of rates that are the draw's own from now on; absent in facts of earlier releases, which made all its own. */
  readonly kinds?: readonly RateKind[];
  /** Null if interest stays the same on all days. */
  readonly change: LedgerChange<DrawRatesChanged> | null;
  readonly recordedDay: Day;
  readonly caseId: string | null;
  readonly reason: string | null;
}

export interface DrawFacts {
  readonly DrawRatesSet: DrawRatesSet;
  readonly DrawCreated: DrawCreated;
  readonly DrawUpdated: DrawUpdated;
  readonly DrawActivated: DrawActivated;
  readonly DrawClosed: DrawClosed;
  readonly DrawCanceled: DrawCanceled;
}
