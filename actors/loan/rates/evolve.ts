import { addDays, type Day, must, type RatesChanged } from '../../../engine/index.js';
import { type EventDraft, type Fact, fieldChanges } from '../../kernel/fact.js';
import { dateText, orNull, rateValue } from '../../wire.js';
import { activationOf, recordOf } from '../context.js';
import { loanEvent, occurredAt } from '../events.js';
import type { LedgerChange } from '../facts.js';
import { applyLedgerFact } from '../ledger/evolve.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../applying.js';
import { isScra, type RateRow, rateRowsOf, withRows } from './rows.js';

/** Applies the facts of rates, and emits their events. */
export const APPLY_RATES: { readonly [Type in keyof RateFacts]: (applying: Applying, body: RateFacts[Type]) => void } = {
  RatesSet: ratesSet,
  IndexTaken: indexRateApplied,
};

/** Rates have changed. The ledger changes if the interest of a day does. */
function ratesSet(applying: Applying, body: RatesSet): void {
  const { state, fact, env, emit } = applying;
  const activation = must(activationOf(state), `${state.id} has no ledger`);
  const known = rateRowsOf(state, env);
  activation.rates = withRows(known, body.rows);
  const { change } = body;
  if (change !== null) {
    applyLedgerFact(applying, { change, recordedDay: body.recordedDay, caseId: body.caseId, reason: body.reason });
    const record = recordOf(state);
    state.record = { ...record, timestamps: { ...record.timestamps, lastAmortizedAt: fact.businessAt } };
  }
  if (emit === null) return;
  const { isReplay, at } = timeOfRates(state, fact, body);
  for (const row of body.rows) {
    const before = known.find(({ id }) => id === row.id);
    if (isOther(before, row))
      emit(isScra(row) ? scraEvent(state, row, before, { at, caseId: body.caseId }) : rateEvent(state, row, before, { isReplay, at }));
  }
}

/** The product's index has changed. */
function indexRateApplied(applying: Applying, { stamp, change, recordedDay }: IndexTaken): void {
  const { state } = applying;
  must(activationOf(state), `${state.id} has no ledger`).indexStamp = stamp;
  if (change !== null) applyLedgerFact(applying, { change, recordedDay, caseId: null, reason: 'indexRate' });
}

/** Whether a row has changed in a way that events show. */
export const isOther = (before: RateRow | undefined, after: RateRow): boolean =>
  before === undefined || before.isCancelFees !== after.isCancelFees || fieldChanges(shown(before), shown(after)).length > 0;

/** When rates took effect, and whether that was on an earlier day: rates that change no ledger do so when they are recorded. */
export function timeOfRates(
  state: LoanState,
  fact: Fact,
  { change, recordedDay }: { readonly change: object | null; readonly recordedDay: Day },
): { readonly isReplay: boolean; readonly at: number } {
  if (change === null) return { isReplay: false, at: fact.businessAt };
  const effective = must(fact.effective, 'rates have an effective time');
  return { isReplay: effective.day < recordedDay, at: occurredAt(state, effective, fact) };
}

/** Emits the event of a rate of the loan, or of one draw of a line. */
export function rateEvent(
  state: LoanState,
  row: RateRow,
  before: RateRow | undefined,
  { isReplay, at, drawId }: { readonly isReplay: boolean; readonly at: number; readonly drawId?: string },
): EventDraft {
  const data = {
    rateId: row.id,
    rate: rateValue(row.rate),
    rateType: row.kind,
    effectiveDate: dateText(row.from),
    changes: before === undefined ? [] : fieldChanges(shown(before), shown(row)),
    ...(drawId === undefined ? {} : { drawId }),
  };
  return loanEvent(state, before === undefined ? 'loan.rate.created' : 'loan.rate.updated', isReplay ? { ...data, isReplay } : data, at);
}

/** The data of an SCRA event, by the names of the interface, which treats an SCRA rate as a cap. */
function scraEvent(
  state: LoanState,
  row: RateRow,
  before: RateRow | undefined,
  { at, caseId }: { readonly at: number; readonly caseId: string | null },
): EventDraft {
  const type = before === undefined ? 'loan.changeloanterms.scra.update' : row.isActive ? 'loan.scraplan.changed' : 'loan.scraplan.deleted';
  const data = { rateCapId: row.id, maxRate: rateValue(row.rate), startDate: dateText(row.from), endDate: endDateOf(row), caseId };
  return loanEvent(state, type, data, at);
}

const endDateOf = ({ until }: RateRow): string | null => orNull((day) => dateText(addDays(day, -1)), until);

/** Fields that can change, by their names in the interface: a cap has a maximum, a rate a value. */
const shown = (row: RateRow): Readonly<Record<string, unknown>> => ({
  [row.kind === 'rateCap' ? 'maxRate' : 'annualRate']: rateValue(row.rate),
  startDate: dateText(row.from),
  endDate: endDateOf(row),
  status: row.isActive ? 'active' : 'inactive',
  rateCapReason: row.rateCapReason,
});

export interface RateFacts {
  readonly RatesSet: RatesSet;
  readonly IndexTaken: IndexTaken;
}

/** New and changed rates, caps and SCRA rates, with their new values. */
export interface RatesSet {
  readonly rows: readonly RateRow[];
  /** Null when no day costs more or less. */
  readonly change: LedgerChange<RatesChanged> | null;
  readonly recordedDay: Day;
  readonly caseId: string | null;
  readonly reason: string | null;
}

/** The product's index has new values: the loan applies them to past and coming days. */
export interface IndexTaken {
  readonly stamp: number;
  /** Null when no day of the loan costs more or less. */
  readonly change: LedgerChange<RatesChanged> | null;
  readonly recordedDay: Day;
}
