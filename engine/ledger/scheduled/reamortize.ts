import { divideRounded } from '../../money/index.js';
import { addEntry, type Instalment, type InstalmentBook, type Moved, noParts, NOTHING_MOVED, openPart, type Parts, sumOf } from './book.js';
import { toMultiple } from './interest.js';
import { closeMet } from './split.js';
import type { InstalmentFact } from './terms.js';

type Reamortized = Extract<InstalmentFact, { type: 'reamortized' }>;

/**
 * What is past due joins the rows to come in equal parts, the last one takes the rest; their own amounts stay. Charges keep the row that
 * they stand in.
 *
 *     due      01-16   01-31   02-15                            01-16   01-31   02-15
 *              125.00  125.00  125.00   of the first 50.00 paid  50.00  163.00  162.00   75.00 in whole units
 */
export function reamortize(book: InstalmentBook, { sequence, from = book.day }: Reamortized): void {
  const coming = book.instalments.filter(({ kind, dueDay }) => kind === 'regular' && dueDay > book.day && dueDay >= from);
  if (coming.length === 0) return;
  const moved = noParts();
  for (const row of book.instalments) if (row.dueDay < book.day) moveOut(book, row, moved);
  const parts = equalParts(book, moved, coming.length);
  for (const [position, row] of coming.entries()) moveIn(book, row, parts[position] ?? NOTHING_MOVED);
  addEntry(book, { type: 'reamortization', sequence, amountCents: sumOf(moved), parts: moved });
}

function moveOut(book: InstalmentBook, row: Instalment, moved: Parts): void {
  const out = { interest: openPart(row, 'interest'), principal: openPart(row, 'principal') };
  if (out.interest + out.principal === 0) return;
  for (const part of ['interest', 'principal'] as const) {
    row.due[part] -= out[part];
    moved[part] += out[part];
  }
  row.movedOut = { interest: row.movedOut.interest + out.interest, principal: row.movedOut.principal + out.principal };
  row.isFixed = true;
  closeMet(book, row);
}

/** An equal part for each row, and the rest for the last one. */
function equalParts(book: InstalmentBook, moved: Readonly<Parts>, count: number): readonly Moved[] {
  const whole = toMultiple(book, BigInt(moved.interest + moved.principal), BigInt(count));
  const interest = Number(divideRounded(BigInt(moved.interest), BigInt(count), book.terms.rounding.interest));
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

function moveIn(book: InstalmentBook, row: Instalment, part: Moved): void {
  row.movedIn = { interest: row.movedIn.interest + part.interest, principal: row.movedIn.principal + part.principal };
  row.due.interest += part.interest;
  row.due.principal += part.principal;
  const isIdle = book.terms.recalculation.type === 'none'; // the schedule's interest stands
  book.moves = [...book.moves, { day: isIdle ? row.dueDay : book.day, amountCents: part.principal }];
  closeMet(book, row);
}
