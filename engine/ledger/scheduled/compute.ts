import { addDays, type Day } from '../../calendar/index.js';
import { divideRounded, MAX_CENTS, RATE_ONE } from '../../money/index.js';
import { addParts, noteMet, pour, type Pouring, pouring } from './allocate.js';
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
} from './book.js';
import { pourCumulative, splitCumulative } from './cumulative.js';
import { closeMet, firstOtherNight, lastOf, levelOf, split, toMultiple } from './split.js';
import { accruedBy, fixPayable } from './payable.js';
import { newInstallment, plannedInstallments, replan, solveRowsAfter } from './plan.js';
import { reamortize, revive, revivedParts, runningRow } from './revive.js';
import type { ScheduledFact, ScheduledTerms } from './terms.js';

type FactOf<Type extends ScheduledFact['type']> = Extract<ScheduledFact, { type: Type }>;

/**
 * A loan with scheduled interest through a day: a pure function of its terms and facts, which may come in any order. What was
 * undone is simply not among them.
 */
export function computeInstallments(terms: ScheduledTerms, facts: readonly ScheduledFact[], through: Day): ScheduledLedger {
  const book = beginBook(terms);
  const inOrder = facts.filter(({ day }) => day <= through).sort((a, b) => a.day - b.day || a.sequence - b.sequence);
  book.undoneDownPayments = new Set(inOrder.flatMap((fact) => (fact.type === 'downPaymentUndone' ? [fact.advance] : [])));
  for (const fact of inOrder) takeIn(book, fact);
  return endBook(book, through);
}

/** The next fact of a history. */
export function takeIn(book: ScheduledLedger, fact: ScheduledFact): void {
  passTo(book, fact.day);
  take(book, fact);
  recalculate(book, fact.day);
  book.splitDay = fact.day;
}

/** The book on a day behind all that it has taken in; no further fact may follow. */
export function endBook(book: ScheduledLedger, through: Day): ScheduledLedger {
  passTo(book, through);
  return book;
}

/** A day that has split the installments already splits them in the same way; cumulative recalculation moves money each time. */
function passTo(book: ScheduledLedger, day: Day): void {
  book.day = day;
  if (isSplitOn(book, day)) return;
  recalculate(book, day);
  book.splitDay = day;
}

/** Whether a book is the one of a day already. */
export const isSplitOn = ({ splitDay, terms }: ScheduledLedger, day: Day): boolean =>
  splitDay === day && terms.recalculation.type !== 'cumulative';

export function beginBook(terms: ScheduledTerms): ScheduledLedger {
  return {
    terms,
    day: terms.start,
    splitDay: null,
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
    booked: noParts(),
    overpaidCents: 0,
    payments: [],
    paidParts: noParts(),
    chargedBackParts: noParts(),
    entries: [],
  };
}

function recalculate(book: ScheduledLedger, asOf: Day): void {
  if (book.advances.length === 0) return;
  const { recalculation } = book.terms;
  if (recalculation.type === 'cumulative') splitCumulative(book, asOf, recalculation);
  else split(book, asOf);
  for (const installment of book.installments) if (sumOf(installment.due) === 0) installment.metDay ??= book.terms.start;
}

function take(book: ScheduledLedger, fact: ScheduledFact): void {
  switch (fact.type) {
    case 'advanced':
      return advance(book, fact);
    case 'charged':
      return charge(book, fact);
    case 'advanceFeeCharged':
      book.advanceFeeShare = fact.share;
      return;
    case 'downPaymentUndone':
      return;
    case 'incomeBooked':
      book.booked = plus(book.booked, fact.parts);
      addEntry(book, { type: 'income', sequence: fact.sequence, amountCents: sumOf(fact.parts), parts: fact.parts });
      return;
    case 'installmentFeeCharged':
      book.feeShare = fact.share;
      return;
    case 'paid':
      return pay(book, fact);
    case 'refundedInFull':
      return refundInFull(book, fact);
    case 'paidInstallment':
      return payInstallment(book, fact);
    case 'chargedBack':
      return chargeBack(book, fact);
    case 'paidBack':
      return payBack(book, fact);
    case 'paidOverMet':
      applyOverpaid(book, fact.amountCents);
      return recalculate(book, fact.day);
    case 'rateChanged':
      return changeRate(book, fact);
    case 'ratesReplaced':
      return replaceRates(book, fact);
    case 'rescheduled':
      return reschedule(book, fact);
    case 'reamortized':
      return reamortize(book, fact);
    case 'excessChanged':
      book.excess = fact.excess;
      return;
  }
}

function advance(book: ScheduledLedger, fact: FactOf<'advanced'>): void {
  book.advances = [...book.advances, { day: fact.day, amountCents: fact.amountCents }];
  const downCents = addDownPayment(book, fact.amountCents);
  replan(book, fact.day);
  recalculate(book, fact.day);
  applyOverpaid(book);
  keepFee(book, fact);
  addEntry(book, { type: 'advance', sequence: fact.sequence, amountCents: fact.amountCents, parts: noParts() });
  if (book.undoneDownPayments.has(fact.sequence)) return;
  const { downPayment } = book.terms;
  const unpaid = book.installments.find(({ kind, dueDay }) => kind === 'downPayment' && dueDay === book.day);
  if (downPayment?.isAutomatic !== true || unpaid === undefined || !isOpen(unpaid)) return;
  const parts = noParts();
  parts.principal = Math.min(downCents, openPart(unpaid, 'principal'));
  noteMet(book, unpaid, parts);
  addEntry(book, { type: 'downPayment', sequence: fact.sequence, amountCents: parts.principal, parts });
}

/** A fee that is kept back from an advance is in no installment. */
function keepFee(book: ScheduledLedger, fact: FactOf<'advanced'>): void {
  if (book.advanceFeeShare === 0) return;
  const fees = Number(divideRounded(BigInt(fact.amountCents) * BigInt(book.advanceFeeShare), BigInt(RATE_ONE), 'halfUp'));
  book.advanceFeeCents += fees;
  addEntry(book, { type: 'advanceFee', sequence: fact.sequence, amountCents: fees, parts: { ...noParts(), fees } });
}

function addDownPayment(book: ScheduledLedger, amountCents: number): number {
  const { downPayment } = book.terms;
  if (downPayment === null) return 0;
  const exact = BigInt(amountCents) * BigInt(downPayment.share);
  const isWhole = book.terms.rounding.isOfWholeRow === true;
  const cents = isWhole ? toMultiple(book, exact, BigInt(RATE_ONE)) : Number(divideRounded(exact, BigInt(RATE_ONE), 'halfUp'));
  const installment = newInstallment('downPayment', book.day, book.day);
  installment.due.principal = cents;
  installment.isFixed = true;
  const position = book.installments.findIndex(({ dueDay }) => dueDay > book.day);
  book.installments.splice(position === -1 ? book.installments.length : position, 0, installment);
  return cents;
}

/** Money that was above the balance meets what is owed again. */
function applyOverpaid(book: ScheduledLedger, mostCents = book.overpaidCents): void {
  const amountCents = Math.min(mostCents, book.overpaidCents);
  if (amountCents === 0) return;
  const money = pouring(amountCents);
  pourAll(book, money, book.excess);
  book.overpaidCents -= amountCents - money.leftCents;
}

function pourAll(book: ScheduledLedger, money: Pouring, excess: ScheduledLedger['excess'], meetsOpen = false): void {
  if (book.terms.recalculation.type === 'cumulative') pourCumulative(book, money);
  else pour(book, money, excess, meetsOpen);
}

/** A charge joins the row of its period; a down payment carries none. */
function charge(book: ScheduledLedger, fact: FactOf<'charged'>): void {
  const { sequence, part, dueDay, amountCents } = fact;
  const installment = fact.joins === 'runningPeriod' ? runningRow(book) : rowOfDueDay(book, dueDay);
  installment.due[part] += amountCents;
  book.charges = [...book.charges, { sequence, part, dueDay, amountCents, installment }];
  closeMet(book, installment);
}

function rowOfDueDay({ installments }: ScheduledLedger, day: Day): Installment {
  const rows = installments.filter(({ kind }) => kind !== 'downPayment');
  return rows.find(({ dueDay }) => day <= dueDay) ?? lastOf(rows, 'a loan has rows');
}

function pay(book: ScheduledLedger, fact: FactOf<'paid'>): void {
  const money = pouring(fact.amountCents);
  pourAll(book, money, fact.kind === 'credit' ? book.terms.creditExcess : book.excess, fact.meetsOpen === true);
  book.overpaidCents += money.leftCents;
  const parts = book.terms.recalculation.type === 'cumulative' ? partsOfCumulative(book, fact) : money.parts;
  addPayment(book, { sequence: fact.sequence, parts: { ...parts }, overCents: fact.amountCents - sumOf(parts), revived: noParts() });
  addEntry(book, { type: fact.kind, sequence: fact.sequence, amountCents: fact.amountCents, parts });
}

function addPayment(book: ScheduledLedger, payment: PaymentDone): void {
  book.payments = [...book.payments, payment];
  book.paidParts = plus(book.paidParts, payment.parts);
}

/** The interest goes back first, so that the refund finds the principal: what was asked for, or would be of who pays the loan off. */
function refundInFull(book: ScheduledLedger, fact: FactOf<'refundedInFull'>): void {
  const interest = Math.min(accruedBy(book, fact.day), interestToPayOff(book));
  const money = pouring(fact.amountCents + interest);
  pourAll(book, money, book.terms.creditExcess);
  book.overpaidCents += money.leftCents;
  const { sequence } = fact;
  addEntry(book, { type: 'interestRefund', sequence, amountCents: interest, parts: { ...noParts(), interest } });
  addEntry(book, { type: 'credit', sequence, amountCents: fact.amountCents, parts: { ...noParts(), principal: money.parts.principal } });
}

/** The interest that is paid once no installment is open, tried on a copy. */
function interestToPayOff(book: ScheduledLedger): number {
  const trial = structuredClone(book);
  pourAll(trial, pouring(MAX_CENTS), trial.terms.creditExcess);
  return trial.installments.reduce((sum, { paid }) => sum + paid.interest, 0);
}

/** Where recalculation puts money into other parts than it was poured into, the difference of what is paid tells. */
function partsOfCumulative(book: ScheduledLedger, fact: FactOf<'paid'>): Parts {
  recalculate(book, fact.day);
  const parts = noParts();
  for (const { paid } of book.installments) addParts(parts, paid);
  for (const part of PARTS) parts[part] -= book.paidParts[part];
  return sumOf(parts) > fact.amountCents ? noParts() : parts;
}

function payInstallment(book: ScheduledLedger, fact: FactOf<'paidInstallment'>): void {
  const installment = book.installments.find(({ kind, dueDay }) => kind === 'regular' && dueDay === fact.dueDay);
  if (installment === undefined) return;
  const parts = { ...noParts(), principal: fact.principalCents, interest: fact.interestCents };
  if (fact.day < installment.dueDay) fixPayable(book, installment);
  noteMet(book, installment, parts);
  addPayment(book, { sequence: fact.sequence, parts, overCents: 0, revived: noParts() });
  addEntry(book, { type: 'payment', sequence: fact.sequence, amountCents: sumOf(parts), parts });
}

function chargeBack(book: ScheduledLedger, fact: FactOf<'chargedBack'>): void {
  const at = book.payments.findIndex(({ sequence }) => sequence === fact.payment);
  const before = book.payments[at];
  if (before === undefined) return;
  const payment = { ...before, revived: { ...before.revived } }; // books share the payments that nothing has changed
  book.payments = book.payments.with(at, payment);
  const parts = revivedParts(book, payment, fact.amountCents);
  revive(book, parts, fact);
  addEntry(book, { type: 'chargeback', sequence: fact.sequence, amountCents: fact.amountCents, parts });
}

function payBack(book: ScheduledLedger, fact: FactOf<'paidBack'>): void {
  const overpaid = Math.min(book.overpaidCents, fact.amountCents);
  book.overpaidCents -= overpaid;
  const parts = { ...noParts(), principal: fact.amountCents - overpaid };
  revive(book, parts, fact);
  addEntry(book, { type: 'paidBack', sequence: fact.sequence, amountCents: fact.amountCents, parts });
}

function changeRate(book: ScheduledLedger, fact: FactOf<'rateChanged'>): void {
  const from = (book.terms.newRateCountsFrom === 'day' ? fact.from : fact.from - 1) as Day;
  book.rates = [...book.rates, { from, annualRate: fact.annualRate }].sort((a, b) => a.from - b.from);
  replan(book, from);
}

function replaceRates(book: ScheduledLedger, fact: FactOf<'ratesReplaced'>): void {
  const [first] = fact.rates;
  if (first === undefined) return;
  const before = book.rates;
  book.rates = [...before.filter(({ from }) => from < first.from), ...fact.rates];
  if (book.advances.length === 0) return;
  if (fact.solved === undefined) {
    replan(book, first.from);
    return;
  }
  const night = firstOtherNight(book, before);
  if (night === null) return;
  const from = book.terms.newRateCountsFrom === 'day' ? night : addDays(night, 1);
  if (fact.knownDay === undefined) solveFrom(book, from);
  else solveWithBounds(book, from, fact.knownDay);
}

function solveFrom(book: ScheduledLedger, from: Day): void {
  if (book.terms.recalculation.type === 'cumulative') return replan(book, from);
  recalculate(book, book.day);
  solveRowsAfter(book, from);
  recalculate(book, book.day);
}

/** A rate recorded late lowers what rows of its time ask for, or leaves their amounts: later rows ask for what is dearer. */
function solveWithBounds(book: ScheduledLedger, from: Day, knownDay: Day): void {
  const passed = book.installments.filter(({ kind, dueDay }) => kind === 'regular' && dueDay > from && dueDay <= knownDay);
  const asked = passed.map(ownAmount);
  const { levels } = book;
  if (book.terms.recalculation.type === 'cumulative') {
    // Its rows ask for their level, whatever of it is interest.
    replan(book, from);
    if (passed.some((row) => levelOf(book, row) > levelOf({ ...book, levels }, row))) {
      book.levels = levels;
      // What those rows leave now is more: the level of the later ones is solved over that.
      recalculate(book, book.day);
      replan(book, knownDay);
    }
    return;
  }
  solveFrom(book, from);
  if (!passed.some((row, position) => ownAmount(row) > (asked[position] ?? 0))) return;
  book.levels = levels;
  for (const [position, row] of passed.entries()) row.mostCents = Math.min(asked[position] ?? 0, row.mostCents ?? Number.MAX_SAFE_INTEGER);
  solveFrom(book, knownDay > from ? knownDay : from);
}

const ownAmount = (row: Installment): number => ownPrincipal(row) + ownInterest(row);

function reschedule(book: ScheduledLedger, fact: FactOf<'rescheduled'>): void {
  const kept = book.installments.filter(({ dueDay }) => dueDay < fact.from);
  const moved = book.installments.filter(({ dueDay }) => dueDay >= fact.from);
  let from = kept.at(-1)?.dueDay ?? book.terms.start;
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
  book.installments = [...kept, ...installments];
  for (const row of book.installments) row.earned = null;
  replan(book, kept.at(-1)?.dueDay ?? book.day);
}
