import {
  type ScheduledEntry,
  computeInstallments,
  type Day,
  incomeToRecord,
  type ScheduledLedger,
  type ScheduledFact,
  type ScheduledTerms,
  payoffCents,
  sumOf,
} from '../../../../engine/index.js';
import { dayFrom, rateFrom } from '../../numbers.js';
import { amountOf, excessFrom, monthlyFrom, type PublishedLoan, termsOf, type Unwritten } from './published-loans.js';

export interface Step {
  readonly op?: string;
  readonly asOf?: string;
  readonly date?: string;
  readonly amount?: string;
  readonly expect?: Expected;
  readonly [key: string]: unknown;
}

export type Published = Readonly<Record<string, unknown>>;

export interface Expected {
  readonly [field: string]: unknown;
}

export interface LedgerVector {
  readonly id: string;
  readonly title: string;
  readonly loan: PublishedLoan;
  readonly steps?: readonly Step[];
}

type NewFact<Fact = ScheduledFact> = Fact extends unknown ? Omit<Fact, 'sequence'> : never;

/** What a vector needs besides its stated conventions. */
export interface Reading {
  readonly terms?: Unwritten;
  /** The source records the income of a loan when it has no open balance. */
  readonly isIncomeBooked?: boolean;
  /** The rows of the vector begin with this installment; absent: the first. */
  readonly firstRow?: number;
}

/** The day on which a step is entered: the business date only moves forward, and late steps are recorded late. */
export function dayOf(step: Step, today: Day): Day {
  const entered = step['enteredOn'];
  const enteredDate = step.asOf ?? (typeof entered === 'string' ? entered : (step['submittedOnDate'] ?? step.date));
  const day = typeof enteredDate === 'string' ? dayFrom(enteredDate) : today;
  return day > today ? day : today;
}

/** A vector's steps, played one after the other; the facts are replayed for each look. */
export class Player {
  readonly terms: ScheduledTerms;
  readonly reading: Reading;
  facts: readonly ScheduledFact[] = [];
  today: Day;
  /** Reversed transactions stay in the list of transactions as they were. */
  voided: readonly ScheduledEntry[] = [];
  #sequence = 0;

  constructor({ loan }: LedgerVector, reading: Reading) {
    this.terms = termsOf(loan, reading.terms ?? {});
    this.reading = reading;
    this.today = this.terms.start;
  }

  ledger(): ScheduledLedger {
    return computeInstallments(this.terms, this.facts, this.today);
  }

  /** @throws Error if the step is unknown. */
  play(step: Step): void {
    const { op } = step;
    this.today = dayOf(step, this.today);
    if (op === undefined) return;
    const play = OPS[op];
    if (play === undefined) throw new Error(`no such step: ${op}`);
    play(this, step, step.date === undefined ? this.today : dayFrom(step.date));
    if (this.reading.isIncomeBooked === true) this.#recordIncome();
  }

  add(fact: NewFact): void {
    this.#sequence += 1;
    this.facts = [...this.facts, { ...fact, sequence: this.#sequence }];
  }

  undo(entry: ScheduledEntry | undefined): void {
    if (entry === undefined) throw new Error('nothing to undo');
    if (entry.type === 'downPayment') this.add({ type: 'downPaymentUndone', day: entry.day, advance: entry.sequence });
    else this.facts = this.facts.filter(({ sequence }) => sequence !== entry.sequence);
    this.voided = [...this.voided, entry];
  }

  #recordIncome(): void {
    const parts = incomeToRecord(this.ledger());
    if (sumOf(parts) > 0) this.add({ type: 'incomeBooked', day: this.today, parts });
  }
}

const textOf = (value: unknown): string => String(value ?? '');

type Op = (player: Player, step: Step, day: Day) => void;

const pays =
  (kind: 'payment' | 'credit'): Op =>
  (player, step, day) =>
    player.add({ type: 'paid', day, kind, amountCents: amountOf(step.amount ?? '') });

const OPS: Readonly<Record<string, Op>> = {
  asOf: () => {},
  // Each comparison computes the ledger through its day.
  endOfDay: () => {},
  disburse: (player, step, day) => player.add({ type: 'advanced', day, amountCents: amountOf(step.amount ?? '') }),
  repayment: pays('payment'),
  MERCHANT_ISSUED_REFUND: pays('credit'),
  PAYOUT_REFUND: pays('credit'),
  fullRefund: (player, step, day) => player.add({ type: 'refundedInFull', day, amountCents: amountOf(step.amount ?? '') }),
  creditBalanceRefund: (player, step, day) => player.add({ type: 'paidBack', day, amountCents: amountOf(step.amount ?? '') }),
  undoTransaction: (player, step, day) => {
    const ofDay = player.ledger().entries.filter((entry) => entry.day === day && entry.type !== 'income');
    const ofType = step['type'] === undefined ? ofDay : ofDay.filter(({ type }) => type === 'payment');
    player.undo(ofType[Number(step['nth']) - 1]);
  },
  // Counts the payments of the loan, undone ones too; the date is the day of the undoing.
  undoRepayment: (player, step) => {
    const payments = [...player.ledger().entries, ...player.voided].filter(({ type }) => type === 'payment');
    const nth = payments.sort((a, b) => a.sequence - b.sequence)[Number(step['nth']) - 1];
    player.undo(nth);
  },
  allocationRule: (player, step, day) => player.add({ type: 'excessChanged', day, excess: excessFrom(textOf(step['futureInstallments'])) }),
  addCharge: (player, step, day) =>
    player.add({
      type: 'charged',
      day,
      part: textOf(step['charge']) === 'LOAN_NSF_FEE' ? 'penalties' : 'fees',
      dueDay: dayFrom(textOf(step['dueDate'])),
      amountCents: amountOf(step.amount ?? ''),
    }),
  addPercentCharge: (player, step, day) => {
    const share = rateFrom(percent(textOf(step['percent'])));
    const isOfAdvance = step['charge'] === 'LOAN_DISBURSEMENT_PERCENTAGE_FEE';
    player.add({ type: isOfAdvance ? 'advanceFeeCharged' : 'installmentFeeCharged', day, share });
  },
  chargeback: (player, step, day) => {
    const payments = player.facts.filter(({ type }) => type === 'paid');
    const number = step['paymentNr'] === null ? payments.length : Number(step['paymentNr']);
    const payment = payments[number - 1]?.sequence ?? -1;
    player.add({ type: 'chargedBack', day, payment, amountCents: amountOf(step.amount ?? '') });
  },
  payInstallment: (player, step, day) =>
    player.add({
      type: 'paidInstallment',
      day,
      dueDay: dayFrom(textOf(step['installmentDue'])),
      principalCents: amountOf(textOf(step['principal'])),
      interestCents: amountOf(textOf(step['interest'])),
    }),
  payoff: (player, _step, day) =>
    player.add({ type: 'paid', day, kind: 'payment', amountCents: payoffCents(player.terms, player.facts, day) }),
  changeRate: (player, step, day) =>
    player.add({
      type: 'rateChanged',
      day,
      from: dayFrom(textOf(step['effectiveDate'])),
      annualRate: rateFrom(textOf(step['annualRate'])),
    }),
  reAmortize: (player, _step, day) => player.add({ type: 'reamortized', day }),
  reschedule,
};

const percent = (text: string): string => (Number(text) / 100).toFixed(8);

/** One request changes a due date and those after it, starts a period without principal, or changes the rate. */
function reschedule(player: Player, step: Step): void {
  const from = dayFrom(textOf(step['rescheduleFromDate']));
  const day = dayFrom(textOf(step['submittedOnDate']));
  if (step['newInterestRate'] !== undefined) {
    player.add({ type: 'rateChanged', day, from, annualRate: rateFrom(percent(textOf(step['newInterestRate']))) });
    return;
  }
  const coming = player.terms.dueDates.filter((date) => date >= from).length;
  const free = Number(step['graceOnPrincipal'] ?? 0);
  const first = step['adjustedDueDate'] === undefined ? from : dayFrom(textOf(step['adjustedDueDate']));
  const dueDates = [first, ...monthlyFrom(first, coming + free - 1)];
  player.add({ type: 'rescheduled', day, from, dueDates, principalFreeCount: free });
}

/** The principal and interest that were paid, with everything else, in whole. */
export const totalPaid = (ledger: ScheduledLedger): number => ledger.payments.reduce((sum, { parts }) => sum + sumOf(parts), 0);
