import type { Day } from '../../calendar/index.js';
import type { Rate } from '../../money/index.js';
import type { ChargePart, Excess, ScheduledTerms, Part } from './terms.js';

/** Amounts of the parts in cents: plain numbers, which change while a ledger is computed. */
export type Parts = Record<Part, number>;

export const noParts = (): Parts => ({ penalties: 0, fees: 0, interest: 0, principal: 0 });

export const PARTS = ['penalties', 'fees', 'interest', 'principal'] as const;

export const sumOf = (parts: Readonly<Parts>): number => parts.penalties + parts.fees + parts.interest + parts.principal;

/** All money paid to an installment on a day. Replaced, never changed. */
export interface Met {
  readonly day: Day;
  readonly parts: Readonly<Parts>;
  /** Principal of this day and of all days before it. */
  readonly principalSoFar: number;
}

/** The interest of a period that is over or has not begun, and all inputs that could change it. Replaced, never changed. */
interface PeriodEarned extends Pick<ScheduledLedger, 'rates' | 'advances' | 'revivals' | 'moves'> {
  readonly isOver: boolean;
  /** Principal of the rows due before; for a coming period the balance on its first day. */
  readonly beginsWith: number;
  readonly interestCents: number;
}

/** What the divisions of all rows depend on. A ledger gets a new one when any of them is replaced. */
export type DividedUnder = Readonly<Pick<ScheduledLedger, 'rates' | 'advances' | 'revivals' | 'moves' | 'levels'>>;

/**
 * The last division of a row's money by cumulative recalculation that left no money over, and all inputs that could change it. Replaced,
 * never changed.
 */
export interface Divided {
  readonly under: DividedUnder;
  /** The interest of a running row also depends on the day and on what is overdue. */
  readonly isRunning: boolean;
  /** The level that an earlier row has solved again; null: none has. */
  readonly levelBefore: number | null;
  readonly levelAfter: number | null;
  readonly beginsWith: number;
  readonly openCents: number;
  readonly due: Readonly<Parts>;
  readonly met: readonly Met[];
}

/** Replaced, never changed. */
export type Moved = Readonly<Pick<Parts, 'interest' | 'principal'>>;

export const NOTHING_MOVED: Moved = { interest: 0, principal: 0 };

export type InstallmentKind =
  | 'regular'
  /** Due on the day of an advance. */
  | 'downPayment'
  /** After the last due date: amounts that are owed again. */
  | 'added';

export interface Installment {
  readonly kind: InstallmentKind;
  from: Day;
  dueDay: Day;
  /** Its amounts, paid or not. */
  due: Parts;
  paid: Parts;
  /** One entry a day, the oldest first. */
  met: readonly Met[];
  /** Cached interest, so that past and coming periods are not computed at each fact; null: not computed yet. */
  earned: PeriodEarned | null;
  /** Null: not divided yet, or money was left over. */
  divided: Divided | null;
  /** The part of `due` that is owed again after a chargeback or a refund of overpaid money. */
  revivedPrincipalCents: number;
  revivedInterestCents: number;
  /** What a re-amortization has moved from it to later rows, and the part of `due` that it has moved here from overdue rows. */
  movedOut: Moved;
  movedIn: Moved;
  /** What was paid of its own amounts when other amounts joined it in the running period: it stays due. Null: nothing joined. */
  held: Moved | null;
  paidInAdvanceCents: number;
  paidLateCents: number;
  /** The most own principal and interest: it fell due before a higher rate was known. Null: no bound. */
  mostCents: number | null;
  /** The day on which it was fully paid; null: it is open. */
  metDay: Day | null;
  /** It has no principal, by agreement. */
  isPrincipalFree: boolean;
  /** Its parts are final: no recalculation changes them. */
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

/** A fee or a penalty in an installment. */
export interface Charge {
  readonly sequence: number;
  readonly part: ChargePart;
  readonly dueDay: Day;
  readonly amountCents: number;
  readonly installment: Installment;
  /** It is owed again after a chargeback. */
  readonly isRevived?: true;
}

export interface Level {
  readonly from: Day;
  readonly amountCents: number;
}

/** The effect of one payment. */
export interface PaymentDone {
  readonly sequence: number;
  readonly parts: Parts;
  /** The overpaid part, less chargebacks. */
  overCents: number;
  /** What is owed again after chargebacks. */
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
  /** The sequence of its fact. */
  readonly sequence: number;
  readonly day: Day;
  readonly amountCents: number;
  readonly parts: Readonly<Parts>;
  readonly principalBalanceCents: number;
}

/** The ledger of a loan with scheduled interest. Its lists are replaced, never changed, so that copies can share them. */
export interface ScheduledLedger {
  readonly terms: ScheduledTerms;
  day: Day;
  /** The day as of which the installments are split after all facts; null: not split yet. */
  splitDay: Day | null;
  /** The last cumulative recalculation left no money over, so that another one on the same day changes nothing. */
  isSettled: boolean;
  /** Of the divisions of the rows; null: none is known. */
  dividedUnder: DividedUnder | null;
  installments: Installment[];
  advances: readonly AmountOfDay[];
  rates: readonly RateSince[];
  excess: Excess;
  /** Amounts of level installments, or the principal of equal installments, each from a due date on. */
  levels: readonly Level[];
  /** Principal that is owed again, with the day from which it bears interest. */
  revivals: readonly AmountOfDay[];
  /** Overdue principal that moved to coming rows, with the same kind of day. */
  moves: readonly AmountOfDay[];
  /** Days on which an installment was paid, each once, the oldest first. */
  metDays: readonly Day[];
  charges: readonly Charge[];
  /** The fee in each installment, as a share of it. */
  feeShare: number;
  /** The fee kept back from each advance, as a share of it. */
  advanceFeeShare: number;
  advanceFeeCents: number;
  undoneDownPayments: ReadonlySet<number>;
  recordedIncome: Readonly<Parts>;
  overpaidCents: number;
  payments: readonly PaymentDone[];
  /** What all payments paid at their time. */
  paidParts: Readonly<Parts>;
  /** What is owed again after chargebacks. */
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

/** Principal and interest of a row without amounts that are owed again or moved from other rows. */
export const ownPrincipal = ({ due, revivedPrincipalCents, movedIn }: Installment): number =>
  due.principal - revivedPrincipalCents - movedIn.principal;

export const ownInterest = ({ due, revivedInterestCents, movedIn }: Installment): number =>
  due.interest - revivedInterestCents - movedIn.interest;

/** The same, including what has moved to later rows. */
export const claimedPrincipal = (row: Installment): number => ownPrincipal(row) + row.movedOut.principal;

export const claimedInterest = (row: Installment): number => ownInterest(row) + row.movedOut.interest;

export function addEntry(ledger: ScheduledLedger, entry: Pick<ScheduledEntry, 'type' | 'sequence' | 'amountCents' | 'parts'>): void {
  const done = { ...entry, day: ledger.day, parts: { ...entry.parts }, principalBalanceCents: principalBalanceOf(ledger) };
  ledger.entries = [...ledger.entries, done];
}
