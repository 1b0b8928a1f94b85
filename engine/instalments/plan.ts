import type { Day } from '../calendar/index.js';
import { divideRounded, RATE_ONE } from '../money/index.js';
import { scheduledBalance } from './balance.js';
import { type Instalment, type InstalmentBook, type InstalmentKind, noParts } from './book.js';
import { solveAmount, toMultiple } from './level.js';
import { openPrincipal } from './split.js';

export function newInstalment(kind: InstalmentKind, from: Day, dueDay: Day): Instalment {
  return {
    kind,
    from,
    dueDay,
    due: noParts(),
    paid: noParts(),
    met: [],
    revivedPrincipalCents: 0,
    revivedInterestCents: 0,
    paidInAdvanceCents: 0,
    paidLateCents: 0,
    metDay: null,
    isPrincipalFree: false,
    isFixed: false,
  };
}

/** The instalments of the terms, before anything is paid out. */
export function plannedInstalments({ start, dueDates, interestOnlyCount }: InstalmentBook['terms']): Instalment[] {
  return dueDates.map((dueDay, position) => {
    const instalment = newInstalment('regular', dueDates[position - 1] ?? start, dueDay);
    instalment.isPrincipalFree = position < interestOnlyCount;
    return instalment;
  });
}

/** Solves the amounts of the instalments due after a day again, whether they have been paid ahead or not. */
export function replan(book: InstalmentBook, after: Day): void {
  const coming = book.instalments.filter(({ kind, dueDay }) => kind === 'regular' && dueDay > after);
  const [first] = coming;
  if (first === undefined) return;
  for (const instalment of coming) instalment.isFixed = false;
  const amountCents = amountOf(book, coming, first);
  book.levels = [...book.levels.filter((level) => level.from < first.dueDay), { from: first.dueDay, amountCents }];
}

function amountOf(book: InstalmentBook, coming: readonly Instalment[], first: Instalment): number {
  const { principal, interest } = book.terms;
  const openCents = openPrincipal(book, first);
  if (principal.type === 'share') {
    const whole = book.advances.reduce((sum, { amountCents }) => sum + amountCents, 0);
    return Number(divideRounded(BigInt(whole) * BigInt(principal.share), BigInt(RATE_ONE), 'halfEven'));
  }
  const bearing = coming.filter(({ isPrincipalFree }) => !isPrincipalFree).length;
  if (principal.type === 'equal')
    return Number(divideRounded(BigInt(openCents), BigInt(Math.max(1, bearing)), book.terms.rounding.interest));
  if (interest.type === 'flat') return toMultiple(book, BigInt(openCents), BigInt(Math.max(1, bearing)));
  return solveAmount(book, coming, scheduledBalance(book, first.from));
}
