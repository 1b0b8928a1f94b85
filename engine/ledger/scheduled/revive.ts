import { must } from '../../assert.js';
import { divideRounded } from '../../money/index.js';
import {
  addEntry,
  type Charge,
  type Installment,
  type ScheduledLedger,
  type Moved,
  noParts,
  NOTHING_MOVED,
  openPart,
  ownInterest,
  ownPrincipal,
  type Parts,
  PARTS,
  type PaymentDone,
  plus,
  sumOf,
} from './ledger.js';
import { newInstallment } from './plan.js';
import { closeMet, lastOf, toMultiple } from './split.js';
import type { ScheduledFact, Joining } from './terms.js';

/**
 * What is owed again after a chargeback of an amount: the overpaid part of the payment first, then the parts in their order, at
 * most what the payment had paid of each. Overpaid money that has paid other amounts since is owed as principal.
 */
export function revivedParts(ledger: ScheduledLedger, payment: PaymentDone, { amountCents, overCents: ownCents }: ChargedBack): Parts {
  const revived = noParts();
  const overCents = Math.min(amountCents, ownCents ?? payment.overCents, ledger.overpaidCents);
  payment.overCents -= overCents;
  ledger.overpaidCents -= overCents;
  let left = amountCents - overCents;
  for (const part of must(ledger.terms.chargebackOrder, 'charge-backs have an order')) {
    const cents = Math.min(left, payment.parts[part] - payment.revived[part]);
    revived[part] = cents;
    left -= cents;
  }
  revived.principal += left;
  for (const part of PARTS) payment.revived[part] += revived[part];
  ledger.chargedBackParts = plus(ledger.chargedBackParts, revived);
  return revived;
}

type ChargedBack = Extract<ScheduledFact, { type: 'chargedBack' }>;

/** The row of the running period; from the last due date on a row of the ledger's day, which is due at once. */
export function runningRow(ledger: ScheduledLedger): Installment {
  const { day, installments } = ledger;
  const running = installments.find(({ kind, from, dueDay }) => kind === 'regular' && from <= day && day < dueDay);
  return running ?? installments.find(({ kind, dueDay }) => kind === 'added' && dueDay === day) ?? addRow(ledger);
}

function addRow(ledger: ScheduledLedger): Installment {
  const row = newInstallment('added', lastOf(ledger.installments, 'a loan has rows').dueDay, ledger.day);
  ledger.installments.push(row);
  return row;
}

/** The row whose period `(from, dueDay]` contains the day, or a row of the day if the last due date has passed. */
const rowUpTo = (ledger: ScheduledLedger): Installment =>
  ledger.installments.find(({ kind, from, dueDay }) => kind !== 'downPayment' && from < ledger.day && ledger.day <= dueDay) ??
  addRow(ledger);

/** Adds parts that are owed again to the row that a fact of the ledger's day joins. */
export function revive(ledger: ScheduledLedger, parts: Readonly<Parts>, { sequence, joins }: Reviving): void {
  if (sumOf(parts) === 0) return;
  const { day } = ledger;
  const installment = joins === 'runningPeriod' ? runningRow(ledger) : rowUpTo(ledger);
  if (joins === 'runningPeriod') installment.held = heldBy(installment);
  for (const part of PARTS) installment.due[part] += parts[part];
  installment.revivedPrincipalCents += parts.principal;
  installment.revivedInterestCents += parts.interest;
  installment.metDay = null;
  installment.isFixed = false;
  const isIdle = joins === 'runningPeriod' && ledger.terms.recalculation.type === 'none'; // the interest of the schedule does not change
  ledger.revivals = [...ledger.revivals, { day: isIdle ? installment.dueDay : day, amountCents: parts.principal }];
  for (const part of ['penalties', 'fees'] as const) {
    if (parts[part] > 0) ledger.charges = [...ledger.charges, revivedCharge(installment, { sequence, part, amountCents: parts[part] })];
  }
}

/** What was paid of a row's own amounts. */
function heldBy(row: Installment): Moved {
  const { due, paid, held } = row;
  return {
    principal: Math.max(held?.principal ?? 0, paid.principal - (due.principal - ownPrincipal(row))),
    interest: Math.max(held?.interest ?? 0, paid.interest - (due.interest - ownInterest(row))),
  };
}

type Reviving = Pick<ScheduledFact, 'sequence'> & Joining;

const revivedCharge = (installment: Installment, charge: Pick<Charge, 'sequence' | 'part' | 'amountCents'>): Charge => ({
  ...charge,
  dueDay: installment.dueDay,
  installment,
  isRevived: true,
});

type Reamortized = Extract<ScheduledFact, { type: 'reamortized' }>;

/**
 * Past due amounts move to the coming rows in equal parts, the rest to the last row, in addition to the rows' own amounts. Charges stay in
 * their row.
 *
 *     due      01-16   01-31   02-15                            01-16   01-31   02-15
 *              125.00  125.00  125.00   of the first 50.00 paid  50.00  163.00  162.00   75.00 in whole units
 */
export function reamortize(ledger: ScheduledLedger, { sequence, from = ledger.day }: Reamortized): void {
  const coming = ledger.installments.filter(({ kind, dueDay }) => kind === 'regular' && dueDay > ledger.day && dueDay >= from);
  if (coming.length === 0) return;
  const moved = noParts();
  for (const row of ledger.installments) if (row.dueDay < ledger.day) moveOut(ledger, row, moved);
  const parts = equalParts(ledger, moved, coming.length);
  for (const [position, row] of coming.entries()) moveIn(ledger, row, parts[position] ?? NOTHING_MOVED);
  addEntry(ledger, { type: 'reamortization', sequence, amountCents: sumOf(moved), parts: moved });
}

function moveOut(ledger: ScheduledLedger, row: Installment, moved: Parts): void {
  const out = { interest: openPart(row, 'interest'), principal: openPart(row, 'principal') };
  if (out.interest + out.principal === 0) return;
  for (const part of ['interest', 'principal'] as const) {
    row.due[part] -= out[part];
    moved[part] += out[part];
  }
  row.movedOut = { interest: row.movedOut.interest + out.interest, principal: row.movedOut.principal + out.principal };
  row.isFixed = true;
  closeMet(ledger, row);
}

/** An equal part for each row, and the rest for the last one. */
function equalParts(ledger: ScheduledLedger, moved: Readonly<Parts>, count: number): readonly Moved[] {
  const whole = toMultiple(ledger, BigInt(moved.interest + moved.principal), BigInt(count));
  const interest = Number(divideRounded(BigInt(moved.interest), BigInt(count), ledger.terms.rounding.interest));
  const left = { interest: moved.interest, principal: moved.principal };
  return Array.from({ length: count }, (_, position) => {
    const isLast = position === count - 1;
    const part = isLast
      ? { ...left }
      : { interest: Math.min(left.interest, interest), principal: Math.min(left.principal, Math.max(0, whole - interest)) };
    left.interest -= part.interest;
    left.principal -= part.principal;
    return part;
  });
}

function moveIn(ledger: ScheduledLedger, row: Installment, part: Moved): void {
  row.movedIn = { interest: row.movedIn.interest + part.interest, principal: row.movedIn.principal + part.principal };
  row.due.interest += part.interest;
  row.due.principal += part.principal;
  const isIdle = ledger.terms.recalculation.type === 'none'; // the interest of the schedule does not change
  ledger.moves = [...ledger.moves, { day: isIdle ? row.dueDay : ledger.day, amountCents: part.principal }];
  closeMet(ledger, row);
}
