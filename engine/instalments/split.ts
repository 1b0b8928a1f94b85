import type { Day } from '../calendar/index.js';
import { divideRounded, RATE_ONE } from '../money/index.js';
import { actualBalance, expectedBalance, scheduledBalance } from './balance.js';
import { type Instalment, type InstalmentBook, type Level, sumOf } from './book.js';
import { cutsOf, flatInterest, interestUpTo, type Stretches } from './interest.js';

/** How the balance of a night is reckoned when the instalments are split as of a day. */
type BalanceRule = (book: InstalmentBook, asOf: Day) => (day: Day) => number;

const SCHEDULED: BalanceRule = (book) => (day) => scheduledBalance(book, day);

/** Overdue principal bears interest up to the day on which one looks; after it all is taken to be paid in time. */
const ACTUAL: BalanceRule = (book, asOf) => (day) => (day < asOf ? actualBalance(book, day) : expectedBalance(book, day));

/** Overdue principal bears no interest beyond the schedule's. */
const WITHOUT_OVERDUE: BalanceRule = (book) => (day) => expectedBalance(book, day);

function balanceRuleOf({ terms: { recalculation } }: InstalmentBook): BalanceRule {
  if (recalculation.type !== 'progressive') return SCHEDULED;
  return recalculation.isOverdueBearing ? ACTUAL : WITHOUT_OVERDUE;
}

/**
 * Splits what the instalments ask for in interest and principal, as of a day. One that is final keeps its parts, and
 * interest of its period that it does not ask for is asked for by the next one.
 */
export function split(book: InstalmentBook, asOf: Day): void {
  let waitingCents = 0;
  for (const instalment of book.instalments) {
    if (instalment.kind !== 'regular') continue;
    const earnedCents = waitingCents + interestOf(book, instalment, asOf);
    if (instalment.isFixed) {
      waitingCents = Math.max(0, earnedCents - ownInterest(instalment));
      continue;
    }
    waitingCents = setParts(book, instalment, earnedCents);
  }
}

/** The interest of an instalment's whole period. */
function interestOf(book: InstalmentBook, instalment: Instalment, asOf: Day): number {
  if (book.terms.interest.type === 'flat') return flatInterest(book, instalment);
  return interestUpTo(book, instalment, stretchesOf(book, instalment, asOf));
}

export function stretchesOf(book: InstalmentBook, instalment: Instalment, asOf: Day): Stretches {
  const days: Day[] = [];
  if (book.terms.recalculation.type !== 'none') {
    days.push(asOf);
    for (const { met } of book.instalments) for (const { day } of met) days.push(day);
  }
  return { cuts: cutsOf(book, instalment, days), until: instalment.dueDay, balanceOn: balanceRuleOf(book)(book, asOf) };
}

/** Gives an open instalment its parts; interest above its amount waits for the next one. */
export function setParts(book: InstalmentBook, instalment: Instalment, earnedCents: number): number {
  // Principal that was paid ahead stays paid, when interest that comes later would have lowered it.
  const principal = Math.max(principalOf(book, instalment, earnedCents), instalment.paid.principal - instalment.revivedPrincipalCents);
  // Where no principal is left, a cent that waits is one that rounding has made.
  const isOver = principal === 0 && !instalment.isPrincipalFree && openPrincipal(book, instalment) <= 0;
  const mostInterest = isOver ? 0 : interestRoom(book, instalment, principal);
  const interest = Math.max(instalment.paid.interest - instalment.revivedInterestCents, Math.min(earnedCents, mostInterest));
  instalment.due.interest = interest + instalment.revivedInterestCents;
  instalment.due.principal = principal + instalment.revivedPrincipalCents;
  if (book.feeShare > 0) instalment.due.fees = shareOf(principal + interest, book.feeShare);
  return Math.max(0, earnedCents - interest);
}

/** The interest that an instalment asks for, without what came back to life in it. */
export const ownInterest = ({ due, revivedInterestCents }: Instalment): number => due.interest - revivedInterestCents;

const shareOf = (cents: number, share: number): number =>
  Number(divideRounded(BigInt(cents) * BigInt(share), BigInt(RATE_ONE), 'halfEven'));

/** A level instalment asks for no more than its amount, unless it is the last. */
function interestRoom(book: InstalmentBook, instalment: Instalment, principal: number): number {
  if (instalment.isPrincipalFree || isLast(book, instalment) || isAddOn(book)) return Number.MAX_SAFE_INTEGER;
  return Math.max(0, levelOf(book, instalment) - principal);
}

/** The principal is set by itself, and interest comes on top. */
const isAddOn = ({ terms }: InstalmentBook): boolean => terms.principal.type !== 'level' || terms.interest.type === 'flat';

/** The principal that an instalment asks for, without what came back to life in it. */
function principalOf(book: InstalmentBook, instalment: Instalment, interestCents: number): number {
  const openCents = openPrincipal(book, instalment);
  if (isLast(book, instalment)) return Math.max(0, openCents);
  if (instalment.isPrincipalFree) return 0;
  const level = levelOf(book, instalment);
  const wanted = isAddOn(book) ? level : Math.max(0, level - interestCents);
  return Math.max(0, Math.min(wanted, openCents - paidAfter(book, instalment)));
}

/** Principal that instalments after this one have been paid ahead: nobody else asks for it. */
function paidAfter({ instalments }: InstalmentBook, instalment: Instalment): number {
  let cents = 0;
  for (let at = instalments.length - 1; at >= 0; at -= 1) {
    const other = instalments[at];
    if (other === undefined || other === instalment) break;
    if (other.kind === 'regular') cents += Math.max(0, other.paid.principal - other.revivedPrincipalCents);
  }
  return cents;
}

/** Principal paid out by the due date that no earlier instalment asks for. */
export function openPrincipal(book: InstalmentBook, instalment: Instalment): number {
  const isAll = isLast(book, instalment);
  let cents = 0;
  for (const advance of book.advances) if (isAll || advance.day <= instalment.dueDay) cents += advance.amountCents;
  for (const other of book.instalments) {
    if (other === instalment) break;
    cents -= other.due.principal - other.revivedPrincipalCents;
  }
  return cents;
}

export function isLast({ instalments }: InstalmentBook, instalment: Instalment): boolean {
  const last = instalments.findLast(({ kind }) => kind === 'regular');
  return last === instalment;
}

/** The amount of the level in force for an instalment. */
export function levelOf({ levels }: InstalmentBook, { dueDay }: Instalment): number {
  let found: Level | undefined;
  for (const level of levels) if (level.from <= dueDay) found = level;
  return found?.amountCents ?? 0;
}

/** An instalment that was met in full is final, and it is noted on which day. */
export function closeMet(book: InstalmentBook, instalment: Instalment): void {
  if (sumOf(instalment.paid) < sumOf(instalment.due)) {
    instalment.metDay = null;
    return;
  }
  instalment.metDay ??= book.day;
  if (sumOf(instalment.due) > 0 && book.terms.recalculation.type === 'progressive') instalment.isFixed = true;
}
