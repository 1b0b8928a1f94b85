import type { Day } from '../../calendar/index.js';
import type { Rate } from '../../money/index.js';
import type { ChargePart, Excess, ScheduledTerms, Part } from './terms.js';

/** Amounts of the parts in cents: plain numbers, written while a book is computed. */
export type Parts = Record<Part, number>;

export const noParts = (): Parts => ({ penalties: 0, fees: 0, interest: 0, principal: 0 });

export const PARTS = ['penalties', 'fees', 'interest', 'principal'] as const;

export const sumOf = (parts: Readonly<Parts>): number => parts.penalties + parts.fees + parts.interest + parts.principal;

/** All money that met an installment on a day. Replaced, never written. */
export interface Met {
  readonly day: Day;
  readonly parts: Readonly<Parts>;
  /** Principal of this day and of all days before it. */
  readonly principalSoFar: number;
}

/** The interest of a period that is over or has not begun, and all that could change it. Replaced, never written. */
interface PeriodEarned extends Pick<ScheduledLedger, 'rates' | 'advances' | 'revivals' | 'moves'> {
  readonly isOver: boolean;
  /** Principal that rows due before ask for; of a period to come the balance on its first day. */
  readonly beginsWith: number;
  readonly interestCents: number;
}

/** Replaced, never written. */
export type Moved = Readonly<Pick<Parts, 'interest' | 'principal'>>;

export const NOTHING_MOVED: Moved = { interest: 0, principal: 0 };

export type InstallmentKind =
  | 'regular'
  /** Due with an advance. */
  | 'downPayment'
  /** After the last due date: what came back to life then. */
  | 'added';

export interface Installment {
  readonly kind: InstallmentKind;
  from: Day;
  dueDay: Day;
  /** What it asks for, paid or not. */
  due: Parts;
  paid: Parts;
  /** One a day, the oldest first. */
  met: readonly Met[];
  /** Remembered, so that periods of long ago and to come are not computed at each fact; null: not computed yet. */
  earned: PeriodEarned | null;
  /** Of `due`: came back to life by a chargeback, or by money that went back to the borrower. */
  revivedPrincipalCents: number;
  revivedInterestCents: number;
  /** What a re-amortization has moved from it to rows that came later, and of `due`: from overdue rows to it. */
  movedOut: Moved;
  movedIn: Moved;
  /** What it had met of its own when something joined it in the running period: that stays asked for. Null: nothing has. */
  held: Moved | null;
  paidInAdvanceCents: number;
  paidLateCents: number;
  /** Own principal and interest that it asks for at most: it fell due before a dearer rate was known. Null: nothing bounds it. */
  mostCents: number | null;
  /** When it was met in full; null: it is open. */
  metDay: Day | null;
  /** It asks for no principal, by agreement. */
  isPrincipalFree: boolean;
  /** Its parts are final, whatever is recalculated. */
  isFixed: boolean;
}

interface AmountOfDay {
  readonly day: Day;
  readonly amountCents: number;
}

interface RateSince {
  readonly from: Day;
  readonly annualRate: Rate;
}

/** A fee or a penalty that one installment carries. */
export interface Charge {
  readonly sequence: number;
  readonly part: ChargePart;
  readonly dueDay: Day;
  readonly amountCents: number;
  readonly installment: Installment;
  /** A chargeback has brought it back to life. */
  readonly isRevived?: true;
}

export interface Level {
  readonly from: Day;
  readonly amountCents: number;
}

/** What one payment did. */
export interface PaymentDone {
  readonly sequence: number;
  readonly parts: Parts;
  /** What of it was more than the loan asked for, and no chargeback has taken back. */
  overCents: number;
  /** What chargebacks have brought back to life of it. */
  readonly revived: Parts;
}

type ScheduledEntryType =
  | 'advance'
  | 'downPayment'
  | 'advanceFee'
  | 'payment'
  | 'credit'
  | 'interestRefund'
  | 'chargeback'
  | 'paidBack'
  | 'reamortization'
  | 'income';

export interface ScheduledEntry {
  readonly type: ScheduledEntryType;
  /** The fact that made it. */
  readonly sequence: number;
  readonly day: Day;
  readonly amountCents: number;
  readonly parts: Readonly<Parts>;
  readonly principalBalanceCents: number;
}

/** A loan with scheduled interest, while its facts are taken in. Its lists are replaced, never written: copies of a book share them. */
export interface ScheduledLedger {
  readonly terms: ScheduledTerms;
  day: Day;
  /** The day as of which the installments are split behind all facts; null: not split yet. */
  splitDay: Day | null;
  installments: Installment[];
  advances: readonly AmountOfDay[];
  rates: readonly RateSince[];
  excess: Excess;
  /** Amounts of level installments, or the principal of equal ones, each from a due date on. */
  levels: readonly Level[];
  /** Principal that came back to life, and the day from which it is in the balance that bears interest. */
  revivals: readonly AmountOfDay[];
  /** Overdue principal that joined rows to come, likewise. */
  moves: readonly AmountOfDay[];
  /** Days on which money has met an installment, each once, the oldest first. */
  metDays: readonly Day[];
  charges: readonly Charge[];
  /** A share of each installment that is a fee. */
  feeShare: number;
  /** A share of each advance that is kept back as a fee. */
  advanceFeeShare: number;
  advanceFeeCents: number;
  undoneDownPayments: ReadonlySet<number>;
  recordedIncome: Readonly<Parts>;
  overpaidCents: number;
  payments: readonly PaymentDone[];
  /** What all payments met when they came. */
  paidParts: Readonly<Parts>;
  /** What chargebacks have brought back to life of payments. */
  chargedBackParts: Readonly<Parts>;
  entries: readonly ScheduledEntry[];
}

export const plus = (some: Readonly<Parts>, more: Readonly<Parts>): Parts => ({
  penalties: some.penalties + more.penalties,
  fees: some.fees + more.fees,
  interest: some.interest + more.interest,
  principal: some.principal + more.principal,
});

export const isOpen = (installment: Installment): boolean => sumOf(installment.paid) < sumOf(installment.due);

export const openPart = ({ due, paid }: Installment, part: Part): number => due[part] - paid[part];

/** Principal paid out and not paid back. */
export function principalBalanceOf(ledger: ScheduledLedger): number {
  let balance = 0;
  for (const { amountCents } of ledger.advances) balance += amountCents;
  for (const { paid, revivedPrincipalCents } of ledger.installments) balance += revivedPrincipalCents - paid.principal;
  return balance;
}

/** What a row asks for of the principal paid out and of the interest of its period, without what came back to life or from other rows. */
export const ownPrincipal = ({ due, revivedPrincipalCents, movedIn }: Installment): number =>
  due.principal - revivedPrincipalCents - movedIn.principal;

export const ownInterest = ({ due, revivedInterestCents, movedIn }: Installment): number =>
  due.interest - revivedInterestCents - movedIn.interest;

/** The same with what has moved on: nobody else asks for it. */
export const claimedPrincipal = (row: Installment): number => ownPrincipal(row) + row.movedOut.principal;

export const claimedInterest = (row: Installment): number => ownInterest(row) + row.movedOut.interest;

export function addEntry(ledger: ScheduledLedger, entry: Pick<ScheduledEntry, 'type' | 'sequence' | 'amountCents' | 'parts'>): void {
  const done = { ...entry, day: ledger.day, parts: { ...entry.parts }, principalBalanceCents: principalBalanceOf(ledger) };
  ledger.entries = [...ledger.entries, done];
}
