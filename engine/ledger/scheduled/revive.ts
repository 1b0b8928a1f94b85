import { must } from '../../assert.js';
import {
  type Charge,
  type Instalment,
  type InstalmentBook,
  type Moved,
  noParts,
  ownInterest,
  ownPrincipal,
  PARTS,
  type Parts,
  type PaymentDone,
  plus,
  sumOf,
} from './book.js';
import { lastOf } from './interest.js';
import { newInstalment } from './plan.js';
import type { InstalmentFact, Joining } from './terms.js';

/**
 * What a chargeback of an amount brings back to life: what the payment was paid over goes first, then parts in their order, no
 * more than the payment had met of each. What it was paid over and was spent elsewhere since is owed as principal.
 */
export function revivedParts(book: InstalmentBook, payment: PaymentDone, amountCents: number): Parts {
  const revived = noParts();
  const overCents = Math.min(amountCents, payment.overCents, book.overpaidCents);
  payment.overCents -= overCents;
  book.overpaidCents -= overCents;
  let left = amountCents - overCents;
  for (const part of must(book.terms.chargebackOrder, 'charge-backs have an order')) {
    const cents = Math.min(left, payment.parts[part] - payment.revived[part]);
    revived[part] = cents;
    left -= cents;
  }
  revived.principal += left;
  for (const part of PARTS) payment.revived[part] += revived[part];
  book.chargedBackParts = plus(book.chargedBackParts, revived);
  return revived;
}

/** The row of the running period; from the last due date on one of the book's day alone, which is due at once. */
export function runningRow(book: InstalmentBook): Instalment {
  const { day, instalments } = book;
  const running = instalments.find(({ kind, from, dueDay }) => kind === 'regular' && from <= day && day < dueDay);
  return running ?? instalments.find(({ kind, dueDay }) => kind === 'added' && dueDay === day) ?? addRow(book);
}

function addRow(book: InstalmentBook): Instalment {
  const row = newInstalment('added', lastOf(book.instalments, 'a loan has rows').dueDay, book.day);
  book.instalments.push(row);
  return row;
}

/** The row that a due date ends, or one of the day alone when the last due date has passed. */
const rowUpTo = (book: InstalmentBook): Instalment =>
  book.instalments.find(({ kind, from, dueDay }) => kind !== 'downPayment' && from < book.day && book.day <= dueDay) ?? addRow(book);

/** Adds parts to the row that a fact of the book's day joins. */
export function revive(book: InstalmentBook, parts: Readonly<Parts>, { sequence, joins }: Reviving): void {
  if (sumOf(parts) === 0) return;
  const { day } = book;
  const instalment = joins === 'runningPeriod' ? runningRow(book) : rowUpTo(book);
  if (joins === 'runningPeriod') instalment.held = heldBy(instalment);
  for (const part of PARTS) instalment.due[part] += parts[part];
  instalment.revivedPrincipalCents += parts.principal;
  instalment.revivedInterestCents += parts.interest;
  instalment.metDay = null;
  instalment.isFixed = false;
  const isIdle = joins === 'runningPeriod' && book.terms.recalculation.type === 'none'; // the schedule's interest stands
  book.revivals = [...book.revivals, { day: isIdle ? instalment.dueDay : day, amountCents: parts.principal }];
  for (const part of ['penalties', 'fees'] as const) {
    if (parts[part] > 0) book.charges = [...book.charges, revivedCharge(instalment, { sequence, part, amountCents: parts[part] })];
  }
}

/** Of what a row has met, all that is not what came back to life in it before. */
function heldBy(row: Instalment): Moved {
  const { due, paid, held } = row;
  return {
    principal: Math.max(held?.principal ?? 0, paid.principal - (due.principal - ownPrincipal(row))),
    interest: Math.max(held?.interest ?? 0, paid.interest - (due.interest - ownInterest(row))),
  };
}

type Reviving = Pick<InstalmentFact, 'sequence'> & Joining;

const revivedCharge = (instalment: Instalment, charge: Pick<Charge, 'sequence' | 'part' | 'amountCents'>): Charge => ({
  ...charge,
  dueDay: instalment.dueDay,
  instalment,
  isRevived: true,
});
