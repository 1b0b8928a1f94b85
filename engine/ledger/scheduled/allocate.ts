import type { Day } from '../../calendar/index.js';
import { type Installment, type ScheduledLedger, type Met, noParts, openPart, PARTS, type Parts, plus, sumOf } from './ledger.js';
import { fixPayable } from './payable.js';
import { closeMet } from './split.js';
import type { Excess, Part } from './terms.js';

/** Money that is being allocated to installments. */
export interface MoneyAllocation {
  leftCents: number;
  readonly parts: Parts;
}

export const startAllocation = (amountCents: number): MoneyAllocation => ({ leftCents: amountCents, parts: noParts() });

/** Past due installments first, then due ones, the oldest first; the rest by the rule for money in advance. */
export function allocate(ledger: ScheduledLedger, money: MoneyAllocation, excess: Excess, meetsOpen = false): void {
  const { allocation } = ledger.terms;
  for (const installment of ledger.installments) {
    if (installment.dueDay > ledger.day) continue;
    meet(ledger, installment, installment.dueDay < ledger.day ? allocation.pastDue : allocation.due, money);
  }
  if (meetsOpen) allocateToOpen(ledger, money);
  EXCESS[excess](ledger, money);
}

const EXCESS: Readonly<Record<Excess, (ledger: ScheduledLedger, money: MoneyAllocation) => void>> = {
  next: (ledger, money) => allocateAhead(ledger, comingOf(ledger), money),
  last: (ledger, money) => allocateAhead(ledger, comingOf(ledger).reverse(), money),
  spread,
};

/** The first coming installment with an amount: that of the running period, if it has one. */
function allocateToOpen(ledger: ScheduledLedger, money: MoneyAllocation): void {
  const open = comingOf(ledger).find(({ due }) => sumOf(due) > 0);
  if (open !== undefined) allocateAhead(ledger, [open], money);
}

const comingOf = ({ installments, day }: ScheduledLedger): Installment[] => installments.filter(({ dueDay }) => dueDay > day);

function allocateAhead(ledger: ScheduledLedger, coming: readonly Installment[], money: MoneyAllocation): void {
  for (const installment of coming) {
    if (money.leftCents === 0) return;
    fixPayable(ledger, installment);
    meet(ledger, installment, ledger.terms.allocation.inAdvance, money);
  }
}

/** Equal parts, the remainder to the last installment. What an installment cannot take is spread again. */
function spread(ledger: ScheduledLedger, money: MoneyAllocation): void {
  for (let open = openOf(ledger); open.length > 0 && money.leftCents > 0; open = openOf(ledger)) {
    const portion = Math.round(money.leftCents / open.length);
    for (const [position, installment] of open.entries()) {
      const isLast = position === open.length - 1;
      const part = startAllocation(isLast ? money.leftCents : Math.min(portion, money.leftCents));
      const offered = part.leftCents;
      fixPayable(ledger, installment);
      meet(ledger, installment, ledger.terms.allocation.inAdvance, part);
      money.leftCents -= offered - part.leftCents;
      addParts(money.parts, part.parts);
    }
  }
}

const openOf = (ledger: ScheduledLedger): Installment[] => comingOf(ledger).filter(({ due, paid }) => sumOf(paid) < sumOf(due));

export function addParts(to: Parts, from: Readonly<Parts>): void {
  for (const part of PARTS) to[part] += from[part];
}

/** Pays an installment, part by part. */
export function meet(ledger: ScheduledLedger, installment: Installment, order: readonly Part[], money: MoneyAllocation): void {
  const taken = noParts();
  for (const part of order) {
    const cents = Math.min(money.leftCents, Math.max(0, openPart(installment, part)));
    taken[part] = cents;
    money.leftCents -= cents;
  }
  noteMet(ledger, installment, taken);
  addParts(money.parts, taken);
}

/** The list with a payment on its last day or later. */
function withMet(met: readonly Met[], day: Day, parts: Readonly<Parts>): readonly Met[] {
  const last = met.at(-1);
  const principalSoFar = (last?.principalSoFar ?? 0) + parts.principal;
  if (last?.day !== day) return [...met, { day, parts, principalSoFar }];
  return met.with(met.length - 1, { day, parts: plus(last.parts, parts), principalSoFar });
}

/** Records what was paid to an installment. */
export function noteMet(ledger: ScheduledLedger, installment: Installment, taken: Readonly<Parts>): void {
  const cents = sumOf(taken);
  if (cents === 0) return;
  addParts(installment.paid, taken);
  installment.met = withMet(installment.met, ledger.day, taken);
  if (ledger.metDays.at(-1) !== ledger.day) ledger.metDays = [...ledger.metDays, ledger.day];
  if (ledger.day < installment.dueDay) installment.paidInAdvanceCents += cents;
  if (ledger.day > installment.dueDay) installment.paidLateCents += cents;
  closeMet(ledger, installment);
}
