import type { Day } from '../../calendar/index.js';
import { overdueOn, paidAheadBy, scheduledBalance } from './balance.js';
import { type Installment, type ScheduledLedger, noParts, openPart, sumOf } from './ledger.js';
import { closeMet, cutsOf, interestUpTo, isLast, levelOf, openPrincipal } from './split.js';
import { solveAmount } from './level.js';
import { meet, noteMet, type MoneyAllocation } from './allocate.js';
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
 */
export function splitCumulative(ledger: ScheduledLedger, asOf: Day, recalculation: Cumulative): void {
  const { installments } = ledger;
  let raised: number | null = null;
  for (const [position, installment] of installments.entries()) {
    if (installment.kind !== 'regular') continue;
    const interest = periodInterest(ledger, installment, asOf, recalculation);
    const level = raised ?? levelOf(ledger, installment);
    const open = openPrincipal(ledger, installment);
    const wanted = Math.min(open, Math.max(0, level - interest));
    const paid = Math.min(open, paidPrincipal(installment, interest, recalculation));
    installment.due.interest = interest;
    installment.due.principal = isLast(ledger, installment) ? open : Math.max(wanted, paid);
    redistribute(ledger, installment);
    const next = installments[position + 1];
    if (paid > wanted && next !== undefined) {
      const coming = installments.slice(position + 1).filter(({ kind }) => kind === 'regular');
      raised = solveAmount(ledger, coming, scheduledBalance(ledger, next.from));
    }
  }
}

/** Principal paid by the money of an installment: all that came before its due date, or the rest after interest and charges. */
function paidPrincipal(installment: Installment, interest: number, { rest }: Cumulative): number {
  const { due, met, dueDay } = installment;
  const total = met.reduce((sum, { parts }) => sum + sumOf(parts), 0);
  const ahead = rest === 'daily' ? paidAheadBy(met, dueDay, dueDay) : 0;
  return Math.max(ahead, total - interest - due.fees - due.penalties);
}

function periodInterest(ledger: ScheduledLedger, installment: Installment, asOf: Day, recalculation: Cumulative): number {
  const { from, dueDay, met } = installment;
  const isDaily = recalculation.rest === 'daily';
  const isRunning = from < asOf && asOf <= dueDay;
  const overdueUntil = !isRunning ? from : isDaily ? asOf : dueDay;
  const days = isDaily ? [overdueUntil, ...met.map(({ day }) => day)] : [overdueUntil];
  const scheduled = scheduledBalance(ledger, from);
  const balanceOn = (day: Day): number => {
    const ahead = isDaily ? paidAheadBy(met, dueDay, day) : 0;
    const overdue = day < overdueUntil ? overdueOn(ledger, from, isDaily ? day : from, recalculation.isCompounding) : 0;
    return scheduled - ahead + overdue;
  };
  return interestUpTo(ledger, installment, { cuts: cutsOf(ledger, installment, days), until: dueDay, balanceOn });
}

/** Allocates the money of an installment to its parts again, in the order of due parts. */
function redistribute(ledger: ScheduledLedger, installment: Installment): void {
  const { met } = installment;
  installment.paid = noParts();
  let principalSoFar = 0;
  installment.met = met.map(({ day, parts }) => {
    const taken = noParts();
    let left = sumOf(parts);
    for (const part of ledger.terms.allocation.due) {
      const cents = Math.min(left, Math.max(0, openPart(installment, part)));
      taken[part] = cents;
      installment.paid[part] += cents;
      left -= cents;
    }
    // Interest that the payment itself has saved is overpaid.
    ledger.overpaidCents += left;
    principalSoFar += taken.principal;
    return { day, parts: taken, principalSoFar };
  });
  closeMet(ledger, installment);
}
