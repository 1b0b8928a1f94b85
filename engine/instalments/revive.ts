import { must } from '../assert.js';
import { type Charge, type Instalment, type InstalmentBook, noParts, PARTS, type Parts, type PaymentDone, sumOf } from './book.js';
import { lastOf } from './interest.js';
import { newInstalment } from './plan.js';

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
  return revived;
}

/** Adds parts to the instalment of the running period, or to one more due today when the last due date has passed. */
export function revive(book: InstalmentBook, parts: Readonly<Parts>, sequence: number): void {
  if (sumOf(parts) === 0) return;
  const { day } = book;
  let instalment = book.instalments.find(({ kind, from, dueDay }) => kind !== 'downPayment' && from < day && day <= dueDay);
  if (instalment === undefined) {
    instalment = newInstalment('added', lastOf(book.instalments, 'a book has instalments').dueDay, day);
    book.instalments.push(instalment);
  }
  for (const part of PARTS) instalment.due[part] += parts[part];
  instalment.revivedPrincipalCents += parts.principal;
  instalment.revivedInterestCents += parts.interest;
  instalment.metDay = null;
  instalment.isFixed = false;
  book.revivals.push({ day, amountCents: parts.principal });
  for (const part of ['penalties', 'fees'] as const) {
    if (parts[part] > 0) book.charges.push(revivedCharge(instalment, { sequence, part, amountCents: parts[part] }));
  }
}

const revivedCharge = (instalment: Instalment, charge: Pick<Charge, 'sequence' | 'part' | 'amountCents'>): Charge => ({
  ...charge,
  dueDay: instalment.dueDay,
  instalment,
  isRevived: true,
});
