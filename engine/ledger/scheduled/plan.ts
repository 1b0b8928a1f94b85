import type { Day } from '../../calendar/index.js';
import { shareOfCents, divideRounded } from '../../money/index.js';
import { expectedBalance, scheduledBalance } from './balance.js';
import {
  type Installment,
  type ScheduledLedger,
  type InstallmentKind,
  isOpen,
  noParts,
  NOTHING_MOVED,
  ownInterest,
  ownPrincipal,
} from './ledger.js';
import { interestUpTo, openPrincipal, stretchesOf, toMultiple, waitingBefore } from './split.js';
import { type Rest, solveAmount, solveRest } from './level.js';

export function newInstallment(kind: InstallmentKind, from: Day, dueDay: Day): Installment {
  return {
    kind,
    from,
    dueDay,
    due: noParts(),
    paid: noParts(),
    met: [],
    earned: null,
    divided: null,
    revivedPrincipalCents: 0,
    revivedInterestCents: 0,
    movedOut: NOTHING_MOVED,
    movedIn: NOTHING_MOVED,
    held: null,
    mostCents: null,
    paidInAdvanceCents: 0,
    paidLateCents: 0,
    metDay: null,
    isPrincipalFree: false,
    isFixed: false,
  };
}

/** The installments of the terms before the first advance. */
export function plannedInstallments({ start, dueDates, interestOnlyCount }: ScheduledLedger['terms']): Installment[] {
  return dueDates.map((dueDay, position) => {
    const installment = newInstallment('regular', dueDates[position - 1] ?? start, dueDay);
    installment.isPrincipalFree = position < interestOnlyCount;
    return installment;
  });
}

/** Solves the installments due after a day again, even if they were paid in advance. */
export function replan(ledger: ScheduledLedger, after: Day): void {
  const coming = ledger.installments.filter(({ kind, dueDay }) => kind === 'regular' && dueDay > after);
  const [first] = coming;
  if (first === undefined) return;
  for (const installment of coming) installment.isFixed = false;
  const amountCents = amountOf(ledger, coming, first);
  ledger.levels = [...ledger.levels.filter((level) => level.from < first.dueDay), { from: first.dueDay, amountCents }];
}

/** Solves the rows due after a day over the remaining balance. If payments change the interest, rows paid in advance stay. */
export function solveRowsAfter(ledger: ScheduledLedger, day: Day): void {
  const { principal, interest, recalculation } = ledger.terms;
  const isByNight = recalculation.type === 'progressive';
  if (principal.type !== 'level' || interest.type === 'flat' || recalculation.type === 'cumulative') return replan(ledger, day);
  const coming = ledger.installments.filter(({ kind, dueDay }) => kind === 'regular' && dueDay > day);
  const [first] = coming;
  if (first === undefined) return;
  for (const row of coming) row.isFixed = isByNight && row.isFixed && !isOpen(row);
  const amountCents = solveRest(ledger, coming, isByNight ? restByNight(ledger, first) : restOfSchedule(ledger, first));
  ledger.levels = [...ledger.levels.filter((level) => level.from < first.dueDay), { from: first.dueDay, amountCents }];
}

/** From the period of the first row, or from today if it has begun. Principal paid in advance bears no interest. */
function restByNight(ledger: ScheduledLedger, first: Installment): Rest {
  const from = first.from > ledger.day ? first.from : ledger.day;
  const accrued = interestUpTo(ledger, first, { ...stretchesOf(ledger, first, ledger.day), until: from });
  return {
    from,
    principalCents: expectedBalance(ledger, from),
    waitingCents: waitingBefore(ledger, first) + accrued,
    besideLevel: (row) => besideOwn(row) - row.paid.principal,
    held: (row) => ({
      principal: Math.max(0, row.paid.principal - besideOwn(row)),
      interest: Math.max(0, row.paid.interest - (row.due.interest - ownInterest(row))),
    }),
  };
}

/** Amounts that join the balance after that day leave it with their row. */
function restOfSchedule(ledger: ScheduledLedger, first: Installment): Rest {
  const { from } = first;
  const later = [...ledger.revivals, ...ledger.moves].filter(({ day }) => day > from);
  return {
    from,
    principalCents: scheduledBalance(ledger, from),
    waitingCents: waitingBefore(ledger, first),
    besideLevel: (row) =>
      later.reduce((sum, { day, amountCents }) => (day > row.from && day <= row.dueDay ? sum - amountCents : sum), besideOwn(row)),
    held: () => NOTHING_MOVED,
  };
}

const besideOwn = (row: Installment): number => row.due.principal - ownPrincipal(row);

function amountOf(ledger: ScheduledLedger, coming: readonly Installment[], first: Installment): number {
  const { principal, interest, rounding } = ledger.terms;
  const openCents = openPrincipal(ledger, first);
  if (principal.type === 'share') {
    const whole = ledger.advances.reduce((sum, { amountCents }) => sum + amountCents, 0);
    return shareOfCents(whole, principal.share, 'halfEven');
  }
  const bearing = coming.filter(({ isPrincipalFree }) => !isPrincipalFree).length;
  if (principal.type === 'equal') return Number(divideRounded(BigInt(openCents), BigInt(Math.max(1, bearing)), rounding.interest));
  if (interest.type === 'flat' && rounding.isOfWholeRow !== true)
    return toMultiple(ledger, BigInt(openCents), BigInt(Math.max(1, bearing)));
  if (interest.type === 'flat') return Number(divideRounded(BigInt(openCents), BigInt(Math.max(1, bearing)), rounding.amount));
  return solveAmount(ledger, coming, scheduledBalance(ledger, first.from));
}
