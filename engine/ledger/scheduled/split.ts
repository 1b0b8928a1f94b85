import { must } from '../../assert.js';
import { addDays, type Day, dayUnits } from '../../calendar/index.js';
import { shareOfCents, divideRounded, RATE_ONE, YEAR_UNITS } from '../../money/index.js';
import { actualBalance, expectedBalance, scheduledBalance } from './balance.js';
import {
  claimedInterest,
  claimedPrincipal,
  type Installment,
  type ScheduledLedger,
  type Level,
  NOTHING_MOVED,
  ownInterest,
  ownPrincipal,
  sumOf,
} from './ledger.js';
import { paidOfOwn, RowsBefore } from './rows-before.js';

/** Interest of one cent over some days: `numerator / denominator`. */
export interface GrowthOfDays {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const WHOLE_YEAR = BigInt(RATE_ONE) * BigInt(YEAR_UNITS);

/** The interest of a cent in the nights `[from, to)`, all in one period and at one rate. */
export function growthOf(ledger: ScheduledLedger, period: Pick<Installment, 'from' | 'dueDay'>, from: Day, to: Day): GrowthOfDays {
  const rate = BigInt(rateOn(ledger, from));
  const { interest } = ledger.terms;
  if (interest.type === 'daily') return { numerator: rate * BigInt(dayUnits(interest.dayCount, from, to)), denominator: WHOLE_YEAR };
  if (interest.type === 'periodic' && interest.firstPeriodYear !== null && period.from === ledger.terms.start) {
    return { numerator: rate * BigInt(to - from), denominator: BigInt(RATE_ONE) * BigInt(interest.firstPeriodYear) };
  }
  const share = BigInt(RATE_ONE) * BigInt(interest.periodsPerYear);
  return { numerator: rate * BigInt(to - from), denominator: share * BigInt(Math.max(1, period.dueDay - period.from)) };
}

export const rateOn = ({ terms, rates }: ScheduledLedger, day: Day): number => rateIn(terms, rates, day);

function rateIn(terms: ScheduledLedger['terms'], rates: ScheduledLedger['rates'], day: Day): number {
  let rate = terms.annualRate;
  for (const change of rates) if (change.from <= day) rate = change.annualRate;
  return rate;
}

/** The first night whose rate has changed; null: none. */
export function firstOtherNight({ terms, rates }: ScheduledLedger, before: ScheduledLedger['rates']): Day | null {
  const nights = [...before, ...rates].map(({ from }) => from).sort((a, b) => a - b);
  return nights.find((night) => rateIn(terms, rates, night) !== rateIn(terms, before, night)) ?? null;
}

/** Days of a period on which its balance or rate changes, including its ends. */
export function cutsOf(
  ledger: ScheduledLedger,
  { from, dueDay }: Pick<Installment, 'from' | 'dueDay'>,
  days: readonly Day[],
): readonly Day[] {
  const cuts = new Set<Day>([from, dueDay]);
  const add = (day: Day): void => {
    if (day > from && day < dueDay) cuts.add(day);
  };
  for (const { day } of ledger.advances) add(day);
  for (const { day } of ledger.moves) add(day);
  for (const change of ledger.rates) add(change.from);
  for (const day of days) add(day);
  return [...cuts].sort((a, b) => a - b);
}

/** The interest of a period up to a day, rounded once or for each stretch of one balance, as the terms say. */
export function interestUpTo(ledger: ScheduledLedger, period: Installment, through: Stretches): number {
  const { interest, interestPer } = ledger.terms.rounding;
  let cents = 0;
  let exact: GrowthOfDays = { numerator: 0n, denominator: 1n };
  for (const [position, from] of through.cuts.entries()) {
    const to = through.cuts[position + 1];
    if (to === undefined || from >= through.until) break;
    const end = to < through.until ? to : through.until;
    const { numerator, denominator } = growthOf(ledger, period, from, end);
    const earned = { numerator: BigInt(Math.max(0, through.balanceOn(from))) * numerator, denominator };
    if (interestPer === 'period') exact = plusExactly(exact, earned);
    else cents += Number(divideRounded(earned.numerator, earned.denominator, interest));
  }
  return interestPer === 'period' ? Number(divideRounded(exact.numerator, exact.denominator, interest)) : cents;
}

/** Adds exactly. The stretches of a period nearly always have one denominator. */
function plusExactly(a: GrowthOfDays, b: GrowthOfDays): GrowthOfDays {
  if (a.numerator === 0n) return b;
  if (a.denominator === b.denominator) return { numerator: a.numerator + b.numerator, denominator: a.denominator };
  return { numerator: a.numerator * b.denominator + b.numerator * a.denominator, denominator: a.denominator * b.denominator };
}

export interface Stretches {
  readonly cuts: readonly Day[];
  readonly until: Day;
  readonly balanceOn: (day: Day) => number;
}

/** Add-on interest: the period's share of the annual rate on the original principal. */
function flatInterest(ledger: ScheduledLedger, installment: Installment): number {
  const { interest, rounding } = ledger.terms;
  const periodsPerYear = interest.type === 'daily' ? 1 : interest.periodsPerYear;
  const principal = ledger.advances.reduce((sum, { amountCents }) => sum + amountCents, 0) - downPayments(ledger);
  const rate = rateOn(ledger, installment.dueDay);
  return Number(divideRounded(BigInt(principal) * BigInt(rate), BigInt(RATE_ONE) * BigInt(periodsPerYear), rounding.interest));
}

const downPayments = (ledger: ScheduledLedger): number =>
  ledger.installments.reduce((sum, { kind, due }) => (kind === 'downPayment' ? sum + due.principal : sum), 0);

/** Rounds an amount as the terms say. */
export function toMultiple({ terms: { rounding } }: ScheduledLedger, numerator: bigint, denominator: bigint): number {
  const multiple = BigInt(rounding.multipleCents);
  return Number(divideRounded(numerator, denominator * multiple, rounding.amount) * multiple);
}

export const lastOf = <Item>(items: readonly Item[], what: string): Item => must(items.at(-1), what);

/** How the balance of a night is computed when the installments are split as of a day. */
type BalanceRule = (ledger: ScheduledLedger, asOf: Day, before: RowsBefore | null) => (day: Day) => number;

const SCHEDULED: BalanceRule = (ledger, _, before) => (day) => scheduledBalance(ledger, day, before);

/** Overdue principal bears interest up to the day of the split; after it, all payments are assumed to be in time. */
const ACTUAL: BalanceRule = (ledger, asOf, before) => (day) =>
  day < asOf ? actualBalance(ledger, day) : expectedBalance(ledger, day, before);

/** Overdue principal bears no interest beyond the schedule. */
const WITHOUT_OVERDUE: BalanceRule = (ledger, _, before) => (day) => expectedBalance(ledger, day, before);

function balanceRuleOf({ terms: { recalculation } }: ScheduledLedger): BalanceRule {
  if (recalculation.type !== 'progressive') return SCHEDULED;
  return recalculation.isOverdueBearing ? ACTUAL : WITHOUT_OVERDUE;
}

/**
 * Splits the installments into interest and principal as of a day. A final installment keeps its parts; interest of its
 * period that is not in its parts moves to the next one.
 */
export function split(ledger: ScheduledLedger, asOf: Day): void {
  let waitingCents = 0;
  const before = new RowsBefore(ledger);
  for (const row of ledger.installments) {
    if (row.kind === 'regular') {
      const earnedCents = waitingCents + interestOf(ledger, row, asOf, before);
      waitingCents = row.isFixed ? Math.max(0, earnedCents - claimedInterest(row)) : setParts(ledger, row, earnedCents, before);
    }
    before.pass(row);
  }
}

/** Interest of the periods before a row that is not in the rows of these periods. */
export function waitingBefore(ledger: ScheduledLedger, row: Installment): number {
  let waiting = 0;
  const before = new RowsBefore(ledger);
  for (const earlier of ledger.installments) {
    if (earlier === row) break;
    if (earlier.kind === 'regular')
      waiting = Math.max(0, waiting + interestOf(ledger, earlier, ledger.day, before) - claimedInterest(earlier));
    before.pass(earlier);
  }
  return waiting;
}

/** The interest of the whole period of a row. */
function interestOf(ledger: ScheduledLedger, row: Installment, asOf: Day, before: RowsBefore): number {
  if (ledger.terms.interest.type === 'flat') return flatInterest(ledger, row);
  return interestOfPeriod(ledger, row, { asOf, until: row.dueDay, before });
}

interface Period {
  readonly asOf: Day;
  readonly until: Day;
  /** Sums of the rows before it. */
  readonly before: RowsBefore;
}

/**
 * The interest of a row's period up to a day. If the period is over or has not begun, the interest is cached until one of its inputs
 * changes: the principal of the rows before, or the balance at its beginning.
 */
export function interestOfPeriod(ledger: ScheduledLedger, row: Installment, { asOf, until, before }: Period): number {
  const { from, dueDay } = row;
  const isOver = dueDay <= asOf && dueDay <= ledger.day;
  const isComing = from >= asOf && from >= ledger.day;
  if (until < dueDay || (!isOver && !isComing)) return interestUpTo(ledger, row, { ...stretchesOf(ledger, row, asOf, before), until });
  const { rates, advances, revivals, moves } = ledger;
  const beginsWith = isOver ? before.askedBy(addDays(dueDay, -1)) : balanceRuleOf(ledger)(ledger, asOf, before)(from);
  const { earned } = row;
  const isSame =
    earned?.beginsWith === beginsWith &&
    earned.isOver === isOver &&
    earned.rates === rates &&
    earned.advances === advances &&
    earned.revivals === revivals &&
    earned.moves === moves;
  if (isSame) return earned.interestCents;
  const interestCents = interestUpTo(ledger, row, stretchesOf(ledger, row, asOf, before));
  row.earned = { isOver, beginsWith, rates, advances, revivals, moves, interestCents };
  return interestCents;
}

/** The index of the first of ascending days after a day, by binary search. */
function firstAfter(days: readonly Day[], day: Day): number {
  let [from, to] = [0, days.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (must(days[middle], 'an index of the days') <= day) from = middle + 1;
    else to = middle;
  }
  return from;
}

export function stretchesOf(ledger: ScheduledLedger, row: Installment, asOf: Day, before: RowsBefore | null = null): Stretches {
  const days: Day[] = [];
  if (ledger.terms.recalculation.type !== 'none') {
    days.push(asOf);
    const { metDays } = ledger;
    for (let at = firstAfter(metDays, row.from); at < metDays.length; at += 1) {
      const day = must(metDays[at], 'an index of the days');
      if (day >= row.dueDay) break;
      days.push(day);
    }
  }
  return { cuts: cutsOf(ledger, row, days), until: row.dueDay, balanceOn: balanceRuleOf(ledger)(ledger, asOf, before) };
}

/** Sets the parts of an open row. Interest above its amount waits for the next row. */
export function setParts(ledger: ScheduledLedger, row: Installment, earnedCents: number, before: RowsBefore | null = null): number {
  // Principal that was paid in advance stays paid, even if later interest would have lowered it.
  const beside = {
    principal: row.due.principal - ownPrincipal(row),
    interest: row.due.interest - ownInterest(row),
  };
  const held = row.held ?? NOTHING_MOVED;
  const least = Math.max(row.paid.principal - beside.principal, held.principal);
  const principal = Math.max(
    Math.min(principalOf(ledger, row, { interestCents: earnedCents, before }), mostPrincipal(ledger, row, earnedCents)),
    least,
  );
  // If no principal is left, a waiting cent comes from rounding.
  const isOver = principal === 0 && !row.isPrincipalFree && row.held === null && openPrincipal(ledger, row, before) <= 0;
  const mostInterest = isOver ? 0 : interestRoom(ledger, row, principal);
  const interest = Math.max(row.paid.interest - beside.interest, held.interest, Math.min(earnedCents, mostInterest));
  row.due.interest = interest + beside.interest;
  row.due.principal = principal + beside.principal;
  if (ledger.feeShare > 0) row.due.fees = shareOfCents(principal + interest, ledger.feeShare, 'halfEven');
  return Math.max(0, earnedCents - interest);
}

/** The most principal of a bounded row after its interest. The last row has no bound. */
function mostPrincipal(ledger: ScheduledLedger, row: Installment, interestCents: number): number {
  const isBound = row.mostCents !== null && row.held === null && !isLast(ledger, row);
  return isBound ? Math.max(0, (row.mostCents ?? 0) - interestCents) : Number.MAX_SAFE_INTEGER;
}

/** A level row has at most its amount, unless it is the last row or interest-bearing amounts have joined it. */
function interestRoom(ledger: ScheduledLedger, row: Installment, principal: number): number {
  const isJoined = row.held !== null && ledger.terms.recalculation.type !== 'none';
  if (row.mostCents !== null && row.held === null && !isLast(ledger, row)) return Math.max(0, row.mostCents - principal);
  if (row.isPrincipalFree || isLast(ledger, row) || isAddOn(ledger) || isJoined) return Number.MAX_SAFE_INTEGER;
  return Math.max(0, levelOf(ledger, row) - principal);
}

/** Principal is fixed, and interest is added to it. */
const isAddOn = ({ terms }: ScheduledLedger): boolean => terms.principal.type !== 'level' || terms.interest.type === 'flat';

interface Splitting {
  readonly interestCents: number;
  readonly before: RowsBefore | null;
}

/** The principal of a row, without amounts that are owed again. */
function principalOf(ledger: ScheduledLedger, row: Installment, { interestCents, before }: Splitting): number {
  const openCents = openPrincipal(ledger, row, before);
  if (isLast(ledger, row)) return Math.max(0, openCents);
  if (row.isPrincipalFree) return 0;
  const wanted = Math.max(0, wantedPrincipal(ledger, levelOf(ledger, row), interestCents));
  const paidAheadCents = before === null ? paidAfter(ledger, row) : before.paidAfter(row);
  return Math.max(0, Math.min(wanted, openCents - paidAheadCents));
}

function wantedPrincipal(ledger: ScheduledLedger, level: number, interestCents: number): number {
  if (!isAddOn(ledger)) return level - interestCents;
  return ledger.terms.rounding.isOfWholeRow === true ? toMultiple(ledger, BigInt(level + interestCents), 1n) - interestCents : level;
}

/** Principal of later installments that was paid in advance. */
function paidAfter({ installments }: ScheduledLedger, row: Installment): number {
  let cents = 0;
  for (let at = installments.length - 1; at >= 0; at -= 1) {
    const other = installments[at];
    if (other === undefined || other === row) break;
    cents += paidOfOwn(other);
  }
  return cents;
}

/** Principal paid out by the due date that is in no earlier row. */
export function openPrincipal(ledger: ScheduledLedger, row: Installment, before: RowsBefore | null = null): number {
  const isAll = isLast(ledger, row);
  let cents = 0;
  for (const advance of ledger.advances) if (isAll || advance.day <= row.dueDay) cents += advance.amountCents;
  if (before !== null) return cents - before.claimedCents;
  for (const other of ledger.installments) {
    if (other === row) break;
    cents -= claimedPrincipal(other);
  }
  return cents;
}

export function isLast({ installments }: ScheduledLedger, row: Installment): boolean {
  const last = installments.findLast(({ kind }) => kind === 'regular');
  return last === row;
}

/** The amount of the level in force for a row. */
export function levelOf({ levels }: ScheduledLedger, { dueDay }: Installment): number {
  let found: Level | undefined;
  for (const level of levels) if (level.from <= dueDay) found = level;
  return found?.amountCents ?? 0;
}

/** A fully paid row is final; records the day. */
export function closeMet(ledger: ScheduledLedger, row: Installment): void {
  if (sumOf(row.paid) < sumOf(row.due)) {
    row.metDay = null;
    return;
  }
  row.metDay ??= ledger.day;
  if (sumOf(row.due) > 0 && ledger.terms.recalculation.type === 'progressive') row.isFixed = true;
}
