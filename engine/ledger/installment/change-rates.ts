import type { Day } from '../../calendar/index.js';
import { withoutIdleDays } from '../core/accrual.js';
import type { RatesChanged } from '../core/facts.js';
import { changeScheduledRates } from './scheduled-interest/change-schedule.js';
import { reamortize } from './reamortize.js';
import type { LedgerState } from './state.js';

/**
 * New rates from the state's day on: earlier days have accrued at the old rates. If the fact keeps the end date, the expected payments are
 * computed again (`reamortize`).
 */
export function changeRates(state: LedgerState, fact: RatesChanged): void {
  state.rates = withoutIdleDays(fact.rates, state.orders.idle);
  state.rateIndex = 0;
  if (state.scheduledFacts !== null) {
    changeScheduledRates(state, fact);
    return;
  }
  if (fact.recordedDay > state.day) noteRecordedLate(state, { change: fact.sequence, through: fact.recordedDay, addedCents: 0 });
  if (fact.reamortization === 'sameEndDate') reamortize(state);
}

/** Notes a change that was not known on the days up to `through`: rates, or principal that was paid out. */
export function noteRecordedLate(state: LedgerState, { change, through, addedCents }: RecordedLate): void {
  const known = state.unknownRates;
  state.unknownRates = {
    change: known !== null && known.change > change ? known.change : change,
    through: known !== null && known.through > through ? known.through : through,
    interestBeforeCents: known?.interestBeforeCents ?? state.totals.interestAccrued.cents,
    rowsBefore: known?.rowsBefore ?? state.rows,
    fellCents: (known?.fellCents ?? 0) + addedCents,
  };
}

interface RecordedLate {
  readonly change: number;
  readonly through: Day;
  readonly addedCents: number;
}
