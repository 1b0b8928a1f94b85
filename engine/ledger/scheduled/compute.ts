import { addDays, type Day } from '../../calendar/index.js';
import { shareOfCents, divideRounded, MAX_CENTS, RATE_ONE } from '../../money/index.js';
import { addParts, noteMet, allocate, type MoneyAllocation, startAllocation } from './allocate.js';
import {
  addEntry,
  type Installment,
  type ScheduledLedger,
  isOpen,
  noParts,
  openPart,
  ownInterest,
  ownPrincipal,
  PARTS,
  type Parts,
  type PaymentDone,
  plus,
  sumOf,
} from './ledger.js';
import { allocateCumulative, splitCumulative } from './cumulative.js';
import { closeMet, firstOtherNight, lastOf, levelOf, split, toMultiple } from './split.js';
import { accruedBy, fixPayable } from './payable.js';
import { newInstallment, plannedInstallments, replan, solveRowsAfter } from './plan.js';
import { reamortize, revive, revivedParts, runningRow } from './revive.js';
import type { ScheduledFact, ScheduledTerms } from './terms.js';

type FactOf<Type extends ScheduledFact['type']> = Extract<ScheduledFact, { type: Type }>;

/**
 * Computes a loan with scheduled interest through a day: a pure function of its terms and facts. The facts may come in any
 * order, without facts that were undone.
 */
export function computeInstallments(terms: ScheduledTerms, facts: readonly ScheduledFact[], through: Day): ScheduledLedger {
  const ledger = beginLedger(terms);
  const inOrder = facts.filter(({ day }) => day <= through).sort((a, b) => a.day - b.day || a.sequence - b.sequence);
  ledger.undoneDownPayments = new Set(inOrder.flatMap((fact) => (fact.type === 'downPaymentUndone' ? [fact.advance] : [])));
  for (const fact of inOrder) applyScheduledFact(ledger, fact);
  return endLedger(ledger, through);
}

/** Applies the next fact of a history. */
export function applyScheduledFact(ledger: ScheduledLedger, fact: ScheduledFact): void {
  passTo(ledger, fact.day);
  take(ledger, fact);
  recalculate(ledger, fact.day);
  ledger.splitDay = fact.day;
}

/** Moves the ledger to a day after all its facts. No further fact may follow. */
export function endLedger(ledger: ScheduledLedger, through: Day): ScheduledLedger {
  passTo(ledger, through);
  return ledger;
}

/** Splitting again on the same day changes nothing, except that cumulative recalculation divides money again that was left over. */
function passTo(ledger: ScheduledLedger, day: Day): void {
  ledger.day = day;
  if (isSplitOn(ledger, day)) return;
  recalculate(ledger, day);
  ledger.splitDay = day;
}

/** Whether the installments are already split as of a day. */
export const isSplitOn = ({ splitDay, isSettled, terms }: ScheduledLedger, day: Day): boolean =>
  splitDay === day && (isSettled || terms.recalculation.type !== 'cumulative');

export function beginLedger(terms: ScheduledTerms): ScheduledLedger {
  return {
    terms,
    day: terms.start,
    splitDay: null,
    isSettled: false,
    dividedUnder: null,
    installments: plannedInstallments(terms),
    advances: [],
    rates: [],
    excess: terms.excess,
    levels: [],
    revivals: [],
    moves: [],
    metDays: [],
    charges: [],
    feeShare: 0,
    advanceFeeShare: 0,
    advanceFeeCents: 0,
    undoneDownPayments: new Set(),
    recordedIncome: noParts(),
    overpaidCents: 0,
    payments: [],
    paidParts: noParts(),
    chargedBackParts: noParts(),
    entries: [],
  };
}

function recalculate(ledger: ScheduledLedger, asOf: Day): void {
  if (ledger.advances.length === 0) return;
  const { recalculation } = ledger.terms;
  if (recalculation.type === 'cumulative') splitCumulative(ledger, asOf, recalculation);
  else split(ledger, asOf);
  for (const installment of ledger.installments) if (sumOf(installment.due) === 0) installment.metDay ??= ledger.terms.start;
}

function take(ledger: ScheduledLedger, fact: ScheduledFact): void {
  switch (fact.type) {
    case 'advanced':
      return advance(ledger, fact);
    case 'charged':
      return charge(ledger, fact);
    case 'advanceFeeCharged':
      ledger.advanceFeeShare = fact.share;
      return;
    case 'downPaymentUndone':
      return;
    case 'incomeBooked':
      ledger.recordedIncome = plus(ledger.recordedIncome, fact.parts);
      addEntry(ledger, { type: 'income', sequence: fact.sequence, amountCents: sumOf(fact.parts), parts: fact.parts });
      return;
    case 'installmentFeeCharged':
      ledger.feeShare = fact.share;
      return;
    case 'paid':
      return pay(ledger, fact);
    case 'refundedInFull':
      return refundInFull(ledger, fact);
    case 'paidInstallment':
      return payInstallment(ledger, fact);
    case 'chargedBack':
      return chargeBack(ledger, fact);
    case 'paidBack':
      return payBack(ledger, fact);
    case 'paidOverMet':
      applyOverpaid(ledger, fact.amountCents);
      return recalculate(ledger, fact.day);
    case 'rateChanged':
      return changeRate(ledger, fact);
    case 'ratesReplaced':
      return replaceRates(ledger, fact);
    case 'rescheduled':
      return reschedule(ledger, fact);
    case 'reamortized':
      return reamortize(ledger, fact);
    case 'excessChanged':
      ledger.excess = fact.excess;
      return;
  }
}

function advance(ledger: ScheduledLedger, fact: FactOf<'advanced'>): void {
  ledger.advances = [...ledger.advances, { day: fact.day, amountCents: fact.amountCents }];
  const downCents = addDownPayment(ledger, fact.amountCents);
  replan(ledger, fact.day);
  recalculate(ledger, fact.day);
  applyOverpaid(ledger);
  keepFee(ledger, fact);
  addEntry(ledger, { type: 'advance', sequence: fact.sequence, amountCents: fact.amountCents, parts: noParts() });
  if (ledger.undoneDownPayments.has(fact.sequence)) return;
  const { downPayment } = ledger.terms;
  const unpaid = ledger.installments.find(({ kind, dueDay }) => kind === 'downPayment' && dueDay === ledger.day);
  if (downPayment?.isAutomatic !== true || unpaid === undefined || !isOpen(unpaid)) return;
  const parts = noParts();
  parts.principal = Math.min(downCents, openPart(unpaid, 'principal'));
  noteMet(ledger, unpaid, parts);
  addEntry(ledger, { type: 'downPayment', sequence: fact.sequence, amountCents: parts.principal, parts });
}

/** Keeps a fee back from an advance. It is in no installment. */
function keepFee(ledger: ScheduledLedger, fact: FactOf<'advanced'>): void {
  if (ledger.advanceFeeShare === 0) return;
  const fees = shareOfCents(fact.amountCents, ledger.advanceFeeShare, 'halfUp');
  ledger.advanceFeeCents += fees;
  addEntry(ledger, { type: 'advanceFee', sequence: fact.sequence, amountCents: fees, parts: { ...noParts(), fees } });
}

function addDownPayment(ledger: ScheduledLedger, amountCents: number): number {
  const { downPayment } = ledger.terms;
  if (downPayment === null) return 0;
  const exact = BigInt(amountCents) * BigInt(downPayment.share);
  const isWhole = ledger.terms.rounding.isOfWholeRow === true;
  const cents = isWhole ? toMultiple(ledger, exact, BigInt(RATE_ONE)) : Number(divideRounded(exact, BigInt(RATE_ONE), 'halfUp'));
  const installment = newInstallment('downPayment', ledger.day, ledger.day);
  installment.due.principal = cents;
  installment.isFixed = true;
  const position = ledger.installments.findIndex(({ dueDay }) => dueDay > ledger.day);
  ledger.installments.splice(position === -1 ? ledger.installments.length : position, 0, installment);
  return cents;
}

/** Allocates overpaid money to what is owed again. */
function applyOverpaid(ledger: ScheduledLedger, mostCents = ledger.overpaidCents): void {
  const amountCents = Math.min(mostCents, ledger.overpaidCents);
  if (amountCents === 0) return;
  const money = startAllocation(amountCents);
  allocateAll(ledger, money, ledger.excess);
  ledger.overpaidCents -= amountCents - money.leftCents;
}

function allocateAll(ledger: ScheduledLedger, money: MoneyAllocation, excess: ScheduledLedger['excess'], meetsOpen = false): void {
  if (ledger.terms.recalculation.type === 'cumulative') allocateCumulative(ledger, money);
  else allocate(ledger, money, excess, meetsOpen);
}

/** A charge joins the row of its period, never a down payment. */
function charge(ledger: ScheduledLedger, fact: FactOf<'charged'>): void {
  const { sequence, part, dueDay, amountCents } = fact;
  const installment = fact.joins === 'runningPeriod' ? runningRow(ledger) : rowOfDueDay(ledger, dueDay);
  installment.due[part] += amountCents;
  ledger.charges = [...ledger.charges, { sequence, part, dueDay, amountCents, installment }];
  closeMet(ledger, installment);
}

function rowOfDueDay({ installments }: ScheduledLedger, day: Day): Installment {
  const rows = installments.filter(({ kind }) => kind !== 'downPayment');
  return rows.find(({ dueDay }) => day <= dueDay) ?? lastOf(rows, 'a loan has rows');
}

function pay(ledger: ScheduledLedger, fact: FactOf<'paid'>): void {
  const money = startAllocation(fact.amountCents);
  allocateAll(ledger, money, fact.kind === 'credit' ? ledger.terms.creditExcess : ledger.excess, fact.meetsOpen === true);
  ledger.overpaidCents += money.leftCents;
  const parts = ledger.terms.recalculation.type === 'cumulative' ? partsOfCumulative(ledger, fact) : money.parts;
  addPayment(ledger, { sequence: fact.sequence, parts: { ...parts }, overCents: fact.amountCents - sumOf(parts), revived: noParts() });
  addEntry(ledger, { type: fact.kind, sequence: fact.sequence, amountCents: fact.amountCents, parts });
}

function addPayment(ledger: ScheduledLedger, payment: PaymentDone): void {
  ledger.payments = [...ledger.payments, payment];
  ledger.paidParts = plus(ledger.paidParts, payment.parts);
}

/**
 * Takes the interest back first, so that the refund pays principal: the interest accrued so far, at most the interest that a payoff would
 * pay.
 */
function refundInFull(ledger: ScheduledLedger, fact: FactOf<'refundedInFull'>): void {
  const interest = Math.min(accruedBy(ledger, fact.day), interestToPayOff(ledger));
  const money = startAllocation(fact.amountCents + interest);
  allocateAll(ledger, money, ledger.terms.creditExcess);
  ledger.overpaidCents += money.leftCents;
  const { sequence } = fact;
  addEntry(ledger, { type: 'interestRefund', sequence, amountCents: interest, parts: { ...noParts(), interest } });
  addEntry(ledger, { type: 'credit', sequence, amountCents: fact.amountCents, parts: { ...noParts(), principal: money.parts.principal } });
}

/** The interest that a payoff would pay, simulated on a copy. */
function interestToPayOff(ledger: ScheduledLedger): number {
  const trial = structuredClone(ledger);
  allocateAll(trial, startAllocation(MAX_CENTS), trial.terms.creditExcess);
  return trial.installments.reduce((sum, { paid }) => sum + paid.interest, 0);
}

/** Cumulative recalculation moves money between parts, so the parts of a payment are the difference of what is paid. */
function partsOfCumulative(ledger: ScheduledLedger, fact: FactOf<'paid'>): Parts {
  recalculate(ledger, fact.day);
  const parts = noParts();
  for (const { paid } of ledger.installments) addParts(parts, paid);
  for (const part of PARTS) parts[part] -= ledger.paidParts[part];
  return sumOf(parts) > fact.amountCents ? noParts() : parts;
}

function payInstallment(ledger: ScheduledLedger, fact: FactOf<'paidInstallment'>): void {
  const installment = ledger.installments.find(({ kind, dueDay }) => kind === 'regular' && dueDay === fact.dueDay);
  if (installment === undefined) return;
  const parts = { ...noParts(), principal: fact.principalCents, interest: fact.interestCents };
  if (fact.day < installment.dueDay) fixPayable(ledger, installment);
  noteMet(ledger, installment, parts);
  addPayment(ledger, { sequence: fact.sequence, parts, overCents: 0, revived: noParts() });
  addEntry(ledger, { type: 'payment', sequence: fact.sequence, amountCents: sumOf(parts), parts });
}

function chargeBack(ledger: ScheduledLedger, fact: FactOf<'chargedBack'>): void {
  const at = ledger.payments.findIndex(({ sequence }) => sequence === fact.payment);
  const before = ledger.payments[at];
  if (before === undefined) return;
  const payment = { ...before, revived: { ...before.revived } }; // ledgers share unchanged payments
  ledger.payments = ledger.payments.with(at, payment);
  const parts = revivedParts(ledger, payment, fact);
  revive(ledger, parts, fact);
  addEntry(ledger, { type: 'chargeback', sequence: fact.sequence, amountCents: fact.amountCents, parts });
}

function payBack(ledger: ScheduledLedger, fact: FactOf<'paidBack'>): void {
  const overpaid = Math.min(ledger.overpaidCents, fact.amountCents);
  ledger.overpaidCents -= overpaid;
  const parts = { ...noParts(), principal: fact.amountCents - overpaid };
  revive(ledger, parts, fact);
  addEntry(ledger, { type: 'paidBack', sequence: fact.sequence, amountCents: fact.amountCents, parts });
}

function changeRate(ledger: ScheduledLedger, fact: FactOf<'rateChanged'>): void {
  const from = ledger.terms.newRateCountsFrom === 'day' ? fact.from : addDays(fact.from, -1);
  ledger.rates = [...ledger.rates, { from, annualRate: fact.annualRate }].sort((a, b) => a.from - b.from);
  replan(ledger, from);
}

function replaceRates(ledger: ScheduledLedger, fact: FactOf<'ratesReplaced'>): void {
  const [first] = fact.rates;
  if (first === undefined) return;
  const before = ledger.rates;
  ledger.rates = [...before.filter(({ from }) => from < first.from), ...fact.rates];
  if (ledger.advances.length === 0) return;
  if (fact.solved === undefined) {
    replan(ledger, first.from);
    return;
  }
  const night = firstOtherNight(ledger, before);
  if (night === null) return;
  const from = ledger.terms.newRateCountsFrom === 'day' ? night : addDays(night, 1);
  if (fact.knownDay === undefined) solveFrom(ledger, from);
  else solveWithBounds(ledger, from, fact.knownDay);
}

function solveFrom(ledger: ScheduledLedger, from: Day): void {
  if (ledger.terms.recalculation.type === 'cumulative') return replan(ledger, from);
  recalculate(ledger, ledger.day);
  solveRowsAfter(ledger, from);
  recalculate(ledger, ledger.day);
}

/** A rate that was recorded late may lower the amounts of past rows but never raises them: later rows take the difference. */
function solveWithBounds(ledger: ScheduledLedger, from: Day, knownDay: Day): void {
  const passed = ledger.installments.filter(({ kind, dueDay }) => kind === 'regular' && dueDay > from && dueDay <= knownDay);
  const asked = passed.map(ownAmount);
  const { levels } = ledger;
  if (ledger.terms.recalculation.type === 'cumulative') {
    // Rows keep their level, whatever part of it is interest.
    replan(ledger, from);
    if (passed.some((row) => levelOf(ledger, row) > levelOf({ ...ledger, levels }, row))) {
      ledger.levels = levels;
      // The past rows leave a larger balance, over which the level of the later rows is solved.
      recalculate(ledger, ledger.day);
      replan(ledger, knownDay);
    }
    return;
  }
  solveFrom(ledger, from);
  if (!passed.some((row, position) => ownAmount(row) > (asked[position] ?? 0))) return;
  ledger.levels = levels;
  for (const [position, row] of passed.entries()) row.mostCents = Math.min(asked[position] ?? 0, row.mostCents ?? Number.MAX_SAFE_INTEGER);
  solveFrom(ledger, knownDay > from ? knownDay : from);
}

const ownAmount = (row: Installment): number => ownPrincipal(row) + ownInterest(row);

function reschedule(ledger: ScheduledLedger, fact: FactOf<'rescheduled'>): void {
  const kept = ledger.installments.filter(({ dueDay }) => dueDay < fact.from);
  const moved = ledger.installments.filter(({ dueDay }) => dueDay >= fact.from);
  let from = kept.at(-1)?.dueDay ?? ledger.terms.start;
  const installments = fact.dueDates.map((dueDay, position) => {
    const free = position < fact.principalFreeCount;
    const before = free ? undefined : moved[position - fact.principalFreeCount];
    const installment = before ?? newInstallment('regular', from, dueDay);
    installment.from = from;
    installment.dueDay = dueDay;
    installment.isPrincipalFree = free;
    from = dueDay;
    return installment;
  });
  ledger.installments = [...kept, ...installments];
  for (const row of ledger.installments) {
    row.earned = null;
    row.divided = null;
  }
  replan(ledger, kept.at(-1)?.dueDay ?? ledger.day);
}
