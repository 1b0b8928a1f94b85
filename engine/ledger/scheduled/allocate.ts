import type { Day } from '../../calendar/index.js';
import { type Installment, type ScheduledLedger, type Met, noParts, openPart, PARTS, type Parts, plus, sumOf } from './book.js';
import { fixPayable } from './payable.js';
import { closeMet } from './split.js';
import type { Excess, Part } from './terms.js';

/** Money on its way into the installments. */
export interface Pouring {
  leftCents: number;
  readonly parts: Parts;
}

export const pouring = (amountCents: number): Pouring => ({ leftCents: amountCents, parts: noParts() });

/** What is past due, then what is due, the oldest first; the rest by the rule for money in advance. */
export function pour(book: ScheduledLedger, money: Pouring, excess: Excess, meetsOpen = false): void {
  const { allocation } = book.terms;
  for (const installment of book.installments) {
    if (installment.dueDay > book.day) continue;
    meet(book, installment, installment.dueDay < book.day ? allocation.pastDue : allocation.due, money);
  }
  if (meetsOpen) pourOpen(book, money);
  EXCESS[excess](book, money);
}

const EXCESS: Readonly<Record<Excess, (book: ScheduledLedger, money: Pouring) => void>> = {
  next: (book, money) => pourAhead(book, comingOf(book), money),
  last: (book, money) => pourAhead(book, comingOf(book).reverse(), money),
  spread,
};

/** The installment of the running period, or of the first one that asks for anything. */
function pourOpen(book: ScheduledLedger, money: Pouring): void {
  const open = comingOf(book).find(({ due }) => sumOf(due) > 0);
  if (open !== undefined) pourAhead(book, [open], money);
}

const comingOf = ({ installments, day }: ScheduledLedger): Installment[] => installments.filter(({ dueDay }) => dueDay > day);

function pourAhead(book: ScheduledLedger, coming: readonly Installment[], money: Pouring): void {
  for (const installment of coming) {
    if (money.leftCents === 0) return;
    fixPayable(book, installment);
    meet(book, installment, book.terms.allocation.inAdvance, money);
  }
}

/** Equal parts, the last one takes the remainder; what an installment cannot take is spread again. */
function spread(book: ScheduledLedger, money: Pouring): void {
  for (let open = openOf(book); open.length > 0 && money.leftCents > 0; open = openOf(book)) {
    const portion = Math.round(money.leftCents / open.length);
    for (const [position, installment] of open.entries()) {
      const isLast = position === open.length - 1;
      const part = pouring(isLast ? money.leftCents : Math.min(portion, money.leftCents));
      const offered = part.leftCents;
      fixPayable(book, installment);
      meet(book, installment, book.terms.allocation.inAdvance, part);
      money.leftCents -= offered - part.leftCents;
      addParts(money.parts, part.parts);
    }
  }
}

const openOf = (book: ScheduledLedger): Installment[] => comingOf(book).filter(({ due, paid }) => sumOf(paid) < sumOf(due));

export function addParts(to: Parts, from: Readonly<Parts>): void {
  for (const part of PARTS) to[part] += from[part];
}

/** What an installment takes, part by part. */
export function meet(book: ScheduledLedger, installment: Installment, order: readonly Part[], money: Pouring): void {
  const taken = noParts();
  for (const part of order) {
    const cents = Math.min(money.leftCents, Math.max(0, openPart(installment, part)));
    taken[part] = cents;
    money.leftCents -= cents;
  }
  noteMet(book, installment, taken);
  addParts(money.parts, taken);
}

/** The same list with what met the row on its last day or later. */
function withMet(met: readonly Met[], day: Day, parts: Readonly<Parts>): readonly Met[] {
  const last = met.at(-1);
  const principalSoFar = (last?.principalSoFar ?? 0) + parts.principal;
  if (last?.day !== day) return [...met, { day, parts, principalSoFar }];
  return met.with(met.length - 1, { day, parts: plus(last.parts, parts), principalSoFar });
}

/** Notes what met an installment. */
export function noteMet(book: ScheduledLedger, installment: Installment, taken: Readonly<Parts>): void {
  const cents = sumOf(taken);
  if (cents === 0) return;
  addParts(installment.paid, taken);
  installment.met = withMet(installment.met, book.day, taken);
  if (book.metDays.at(-1) !== book.day) book.metDays = [...book.metDays, book.day];
  if (book.day < installment.dueDay) installment.paidInAdvanceCents += cents;
  if (book.day > installment.dueDay) installment.paidLateCents += cents;
  closeMet(book, installment);
}
