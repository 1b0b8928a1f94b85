import { type InstalmentBook, noParts, PARTS, type Parts, type PaymentDone, sumOf } from './book.js';
import { lastOf } from './interest.js';
import { newInstalment } from './plan.js';

/** What a chargeback of an amount brings back to life: parts in their order, no more than the payment had met of each. */
export function revivedParts(book: InstalmentBook, payment: PaymentDone, amountCents: number): Parts {
  const revived = noParts();
  let left = amountCents;
  for (const part of book.terms.chargebackOrder) {
    const cents = part === lastOf(book.terms.chargebackOrder, 'parts have an order') ? left : Math.min(left, payment.parts[part] - payment.revived[part]);
    revived[part] = cents;
    payment.revived[part] += cents;
    left -= cents;
  }
  return revived;
}

/** Adds parts to the instalment of the running period, or to one more due today when the last due date has passed. */
export function revive(book: InstalmentBook, parts: Readonly<Parts>): void {
  if (sumOf(parts) === 0) return;
  const { day } = book;
  let instalment = book.instalments.find(({ kind, from, dueDay }) => kind !== 'downPayment' && from < day && day <= dueDay);
  if (instalment === undefined) {
    instalment = newInstalment('added', lastOf(book.instalments, 'a book has instalments').dueDay, day);
    book.instalments.push(instalment);
  }
  for (const part of PARTS) instalment.due[part] += parts[part];
  instalment.revivedPrincipalCents += parts.principal;
  instalment.metDay = null;
  instalment.isFixed = false;
  book.revivals.push({ day, amountCents: parts.principal });
}
