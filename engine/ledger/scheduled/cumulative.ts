import type { Day } from '../../calendar/index.js';
import { overdueSince, paidAheadBy, scheduledBalance } from './balance.js';
import {
  type Divided,
  type DividedUnder,
  type Installment,
  type Met,
  noParts,
  openPart,
  PARTS,
  type ScheduledLedger,
  sumOf,
} from './ledger.js';
import { closeMet, cutsOf, interestUpTo, isLast, levelOf, openPrincipal } from './split.js';
import { solveAmount } from './level.js';
import { addParts, meet, noteMet, type MoneyAllocation } from './allocate.js';
import { RowsBefore } from './rows-before.js';
import type { Recalculation } from './terms.js';

type Cumulative = Extract<Recalculation, { type: 'cumulative' }>;

/** Past due installments first. The running installment takes the rest, up to the whole remaining loan. */
export function allocateCumulative(ledger: ScheduledLedger, money: MoneyAllocation): void {
  const { pastDue } = ledger.terms.allocation;
  const running = ledger.installments.find(({ kind, dueDay }) => kind === 'regular' && dueDay >= ledger.day);
  for (const installment of ledger.installments)
    if (installment !== running && installment.dueDay <= ledger.day) meet(ledger, installment, pastDue, money);
  if (running === undefined || money.leftCents === 0) return;
  const charges = openPart(running, 'penalties') + openPart(running, 'fees') + Math.max(0, openPart(running, 'interest'));
  const mostCents = charges + openPrincipal(ledger, running) - running.paid.principal;
  const taken = noParts();
  taken.principal = Math.min(money.leftCents, Math.max(0, mostCents));
  money.leftCents -= taken.principal;
  money.parts.principal += taken.principal;
  noteMet(ledger, running, taken);
}

/**
 * Splits the installments again. Money before a due date lowers the running balance. Money above the principal of the
 * installment raises that principal, and the installments after it are solved again.
 *
 * A row depends on the rows before it and on its own money. So the rows of closed periods, and coming rows, stay as they are unless one of
 * their inputs has changed, and a payment divides the money of the rows alone that it changes.
 */
export function splitCumulative(ledger: ScheduledLedger, asOf: Day, recalculation: Cumulative): void {
  const { installments } = ledger;
  const before = new RowsBefore(ledger);
  const under = dividedUnder(ledger);
  let isSettled = before.isInOrder;
  let raised: number | null = null;
  for (const [position, installment] of installments.entries()) {
    if (installment.kind === 'regular') {
      const { from, dueDay } = installment;
      // Other rows may depend on later ones: they are divided with each fact.
      const isBehindEarlier = before.isInOrder && from < dueDay;
      const sums = isBehindEarlier ? before : null;
      const row: RowToDivide = {
        installment,
        isRunning: from < asOf && asOf <= dueDay,
        beginsWith: scheduledBalance(ledger, from, sums),
        openCents: openPrincipal(ledger, installment, sums),
        levelBefore: raised,
      };
      const known = isBehindEarlier ? sameDivision(row, under) : null;
      if (known !== null) {
        closeMet(ledger, installment);
        raised = known.levelAfter;
      } else {
        const next = installments[position + 1];
        const { paid, wanted, leftCents } = divide(ledger, row, asOf, recalculation);
        if (paid > wanted && next !== undefined) {
          const coming = installments.slice(position + 1).filter(({ kind }) => kind === 'regular');
          raised = solveAmount(ledger, coming, scheduledBalance(ledger, next.from));
        }
        installment.divided = isBehindEarlier && leftCents === 0 ? dividedOf(row, under, raised) : null;
        if (installment.divided === null) isSettled = false;
      }
    }
    before.pass(installment);
  }
  ledger.isSettled = isSettled;
}

interface RowToDivide extends Pick<Divided, 'isRunning' | 'beginsWith' | 'openCents' | 'levelBefore'> {
  readonly installment: Installment;
}

function dividedUnder(ledger: ScheduledLedger): DividedUnder {
  const { rates, advances, revivals, moves, levels, dividedUnder: known } = ledger;
  const isSame =
    known?.rates === rates &&
    known.advances === advances &&
    known.revivals === revivals &&
    known.moves === moves &&
    known.levels === levels;
  if (isSame) return known;
  ledger.dividedUnder = { rates, advances, revivals, moves, levels };
  return ledger.dividedUnder;
}

/** The last division of a row if another one would change nothing: all inputs are the same, and no fact has changed the amounts. */
function sameDivision(row: RowToDivide, under: DividedUnder): Divided | null {
  const { divided, due, met } = row.installment;
  const isSame =
    divided !== null &&
    !row.isRunning &&
    !divided.isRunning &&
    divided.under === under &&
    divided.met === met &&
    divided.levelBefore === row.levelBefore &&
    divided.beginsWith === row.beginsWith &&
    divided.openCents === row.openCents &&
    areEqual(divided.due, due);
  return isSame ? divided : null;
}

const areEqual = (some: Divided['due'], others: Divided['due']): boolean =>
  some.principal === others.principal &&
  some.interest === others.interest &&
  some.fees === others.fees &&
  some.penalties === others.penalties;

const dividedOf = (
  { installment: { due, met }, isRunning, beginsWith, openCents, levelBefore }: RowToDivide,
  under: DividedUnder,
  levelAfter: number | null,
): Divided => ({ under, isRunning, levelBefore, levelAfter, beginsWith, openCents, due: { ...due }, met });

interface Division {
  /** Principal that the money of the row pays, and the principal that its level asks for. */
  readonly paid: number;
  readonly wanted: number;
  /** Money that the row cannot take any more. */
  readonly leftCents: number;
}

function divide(ledger: ScheduledLedger, row: RowToDivide, asOf: Day, recalculation: Cumulative): Division {
  const { installment, openCents } = row;
  const interest = periodInterest(ledger, row, asOf, recalculation);
  const level = row.levelBefore ?? levelOf(ledger, installment);
  const wanted = Math.min(openCents, Math.max(0, level - interest));
  const paid = Math.min(openCents, paidPrincipal(installment, interest, recalculation));
  installment.due.interest = interest;
  installment.due.principal = isLast(ledger, installment) ? openCents : Math.max(wanted, paid);
  return { paid, wanted, leftCents: redistribute(ledger, installment) };
}

/** Principal paid by the money of an installment: all that came before its due date, or the rest after interest and charges. */
function paidPrincipal({ due, paid, met, dueDay }: Installment, interest: number, { rest }: Cumulative): number {
  const ahead = rest === 'daily' ? paidAheadBy(met, dueDay, dueDay) : 0;
  return Math.max(ahead, sumOf(paid) - interest - due.fees - due.penalties);
}

function periodInterest(
  ledger: ScheduledLedger,
  { installment, isRunning, beginsWith }: RowToDivide,
  asOf: Day,
  recalculation: Cumulative,
): number {
  const { from, dueDay, met } = installment;
  const isDaily = recalculation.rest === 'daily';
  const overdueUntil = !isRunning ? from : isDaily ? asOf : dueDay;
  const overdueOn = isRunning ? overdueSince(ledger, from, recalculation.isCompounding) : null;
  const balanceOn = (day: Day): number => {
    const ahead = isDaily ? paidAheadBy(met, dueDay, day) : 0;
    const overdue = overdueOn !== null && day < overdueUntil ? overdueOn(isDaily ? day : from) : 0;
    return beginsWith - ahead + overdue;
  };
  const days = isDaily ? [overdueUntil, ...daysBefore(met, dueDay)] : [overdueUntil];
  return interestUpTo(ledger, installment, { cuts: cutsOf(ledger, installment, days), until: dueDay, balanceOn });
}

function daysBefore(met: readonly Met[], dueDay: Day): readonly Day[] {
  const days: Day[] = [];
  for (const { day } of met) {
    if (day >= dueDay) break;
    days.push(day);
  }
  return days;
}

/**
 * Allocates the money of an installment to its parts again, in the order of due parts. Money that was divided into the same amounts before
 * keeps its parts. Returns what is left over.
 */
function redistribute(ledger: ScheduledLedger, installment: Installment): number {
  const { met } = installment;
  const first = countOfSame(installment);
  installment.paid = paidBefore(installment, first);
  let leftCents = 0;
  if (first < met.length) {
    let principalSoFar = met[first - 1]?.principalSoFar ?? 0;
    const again = met.slice(first).map(({ day, parts }): Met => {
      const taken = noParts();
      let left = sumOf(parts);
      for (const part of ledger.terms.allocation.due) {
        const cents = Math.min(left, Math.max(0, openPart(installment, part)));
        taken[part] = cents;
        installment.paid[part] += cents;
        left -= cents;
      }
      leftCents += left;
      principalSoFar += taken.principal;
      return { day, parts: taken, principalSoFar };
    });
    installment.met = first === 0 ? again : [...met.slice(0, first), ...again];
  }
  // Interest that the payment itself has saved is overpaid.
  ledger.overpaidCents += leftCents;
  closeMet(ledger, installment);
  return leftCents;
}

/** The number of entries at the front that were divided into the same amounts before. Money is added at the end, or to the last entry. */
function countOfSame({ divided, due, met }: Installment): number {
  if (divided === null || !areEqual(divided.due, due)) return 0;
  const known = divided.met;
  for (let count = known.length; count > known.length - 2 && count > 0; count -= 1) if (known[count - 1] === met[count - 1]) return count;
  return 0;
}

/** What the first entries of an installment have paid. */
function paidBefore({ paid, met }: Installment, count: number): Installment['paid'] {
  const before = noParts();
  if (count === 0) return before;
  addParts(before, paid);
  for (const { parts } of met.slice(count)) for (const part of PARTS) before[part] -= parts[part];
  return before;
}
