import { assert } from '../assert.js';
import type { Day } from '../calendar/index.js';
import { advanceTo } from './advance.js';
import { type AppliedFact, type Arrangement, arrange, isAboutThePast } from './arrange.js';
import { addClosingRow, firstRowAfter } from './due.js';
import type { ChargeOff, FactPlace, FeeCharged, LedgerFact, PaymentSettled, RatesChanged } from './facts.js';
import { changeSchedule } from './change-schedule.js';
import { chargeFee } from './fees.js';
import { freeze, thaw, unfreeze } from './freeze.js';
import type { StatusCause } from './happenings.js';
import { followOverdue } from './overdue.js';
import { applyPayment } from './pay.js';
import { changeRates } from './reamortize.js';
import { startLedger } from './start.js';
import type { LedgerState } from './state.js';
import { accelerate, cancel, changeStatus, chargeOff, settleZeroBalance } from './status.js';
import type { LedgerTerms } from './terms.js';
import type { LedgerWatcher } from './watcher.js';

/**
 * The ledger of a loan through a day: a pure function of its terms and facts. Facts may come in any order; those
 * that are effective after `through` do not count.
 */
export function computeLedger(
  terms: LedgerTerms,
  facts: readonly LedgerFact[],
  through: Day,
  watcher: LedgerWatcher | null = null,
): LedgerState {
  const arrangement = arrange(facts);
  const late = lateRates(arrangement);
  if (late.length === 0) return fold(terms, arrangement, through, watcher);
  const knownDay = late.reduce((last, { recordedDay }) => (recordedDay > last ? recordedDay : last), through);
  const state = fold(terms, arrangement, knownDay, null);
  if (!state.isCapMissing) return watcher === null && knownDay === through ? state : fold(terms, arrangement, through, watcher);
  return fold(terms, withCaps(terms, arrangement, late), through, watcher);
}

function fold(terms: LedgerTerms, arrangement: Arrangement, through: Day, watcher: LedgerWatcher | null): LedgerState {
  const state = startLedger(terms, { watcher, orders: arrangement.orders });
  for (const fact of arrangement.facts) {
    if (fact.effective.day > through) break;
    takeIn(state, fact);
  }
  advanceTo(state, through);
  return state;
}

/** Rates that were recorded after the day they hold from, in the order of recording. */
function lateRates({ facts }: Arrangement): readonly RatesChanged[] {
  const late: RatesChanged[] = [];
  for (const fact of facts) {
    if (fact.type === 'ratesChanged' && fact.recordedDay > fact.effective.day) late.push(fact);
  }
  return late.sort((a, b) => a.sequence - b.sequence);
}

/** Computes what each late change of rates found: obligations that had fallen due by then do not rise above it. */
function withCaps(terms: LedgerTerms, arrangement: Arrangement, late: readonly RatesChanged[]): Arrangement {
  const caps = new Map<number, number>();
  const current = (): Arrangement['orders'] => ({
    ...arrangement.orders,
    caps: [...caps].map(([obligation, baseCents]) => ({ obligation, baseCents })),
  });
  for (const change of late) {
    const facts = arrangement.facts.filter((fact) => !late.some((other) => other === fact && other.sequence >= change.sequence));
    const found = fold(terms, { facts, orders: current() }, change.recordedDay, null);
    const asked = new Map([...found.replaced, ...found.obligations].map(({ ordinal, baseCents }) => [ordinal, baseCents]));
    // From an acceleration on everything was due, so that no single row bounds anything.
    const last = Math.min(change.recordedDay, (found.acceleratedSince ?? Number.MAX_SAFE_INTEGER) - 1);
    found.rows.forEach((row, ordinal) => {
      const baseCents = asked.get(ordinal) ?? 0;
      if (row.date <= last) caps.set(ordinal, Math.min(baseCents, caps.get(ordinal) ?? baseCents));
    });
  }
  return { facts: arrangement.facts, orders: current() };
}

/**
 * Takes one more fact into a running ledger: the same as a replay with it. Only for facts for which `canApply` holds;
 * every other one needs `computeLedger`.
 */
export function applyFact(state: LedgerState, fact: LedgerFact): void {
  assert(canApply(state, fact), `fact ${fact.sequence} needs a replay`);
  takeIn(state, fact as AppliedFact);
}

/** Whether a fact comes after all that the ledger has seen, and says nothing about what has been before. */
export function canApply(state: LedgerState, fact: LedgerFact): boolean {
  return !isAboutThePast(fact) && fact.effective.day >= state.day && sortsLast(state, fact);
}

function sortsLast(state: LedgerState, fact: FactPlace): boolean {
  if (fact.effective.day !== state.lastFactDay) return fact.effective.day > state.lastFactDay;
  if (fact.effective.seconds !== state.lastFactSeconds) return fact.effective.seconds > state.lastFactSeconds;
  return fact.sequence > state.lastFactSequence;
}

function takeIn(state: LedgerState, fact: AppliedFact): void {
  const { day, seconds } = fact.effective;
  assert(day >= state.terms.activation, 'a fact is effective on activation or later');
  advanceTo(state, day);
  state.seconds = seconds;
  state.source = { type: 'fact', sequence: fact.sequence };
  apply(state, fact);
  followOverdue(state, false);
  settleZeroBalance(state);
  addClosingRow(state);
  state.lastFactDay = day;
  state.lastFactSeconds = seconds;
  state.lastFactSequence = fact.sequence;
}

/** An order that the loan's status, as now known, has no place for does nothing: a replay may have moved the status. */
function apply(state: LedgerState, fact: AppliedFact): void {
  const cause: StatusCause = { type: 'ordered', sequence: fact.sequence };
  switch (fact.type) {
    case 'payment':
      applyPayment(state, fact);
      return;
    case 'paymentSettled':
      settlePayment(state, fact);
      return;
    case 'freeze':
      if (state.status === 'active') freeze(state, cause);
      return;
    case 'unfreeze':
      if (state.status === 'frozen') unfreeze(state, fact, cause);
      return;
    case 'accelerate':
      if (state.status === 'active') accelerate(state, cause);
      return;
    case 'chargeOff':
      orderChargeOff(state, fact, cause);
      return;
    case 'cancel':
      if (state.status !== 'canceled') cancel(state, cause);
      return;
    case 'feeCharged':
      orderFee(state, fact);
      return;
    case 'ratesChanged':
      changeRates(state, fact);
      return;
    case 'scheduleChanged':
      if (state.status === 'active') changeSchedule(state, fact);
      return;
  }
}

/** A frozen loan is unfrozen on the way, without interest for the frozen days (loans 1.4). */
function orderChargeOff(state: LedgerState, fact: ChargeOff, cause: StatusCause): void {
  if (state.status === 'frozen') thaw(state, cause);
  if (state.status === 'active' || state.status === 'accelerated') chargeOff(state, fact.reason, cause);
}

function settlePayment(state: LedgerState, fact: PaymentSettled): void {
  const payment = state.payments.find((candidate) => candidate.transaction === fact.transaction);
  if (payment === undefined || !payment.isProcessing) return;
  payment.isProcessing = false;
  state.processingPayments -= 1;
}

/** A fee charged to a loan that is paid off opens it again, in the status that it had before. */
function orderFee(state: LedgerState, fact: FeeCharged): void {
  if (state.status === 'canceled') return;
  const isWaived = state.orders.waivedFees.includes(fact.fee);
  if (state.status === 'paidOff' && !isWaived) {
    state.nextRow = firstRowAfter(state);
    changeStatus(state, state.acceleratedSince === null ? 'active' : 'accelerated', { type: 'balance' });
  }
  chargeFee(state, fact, isWaived);
}
