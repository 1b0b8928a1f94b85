import { must } from '../../../assert.js';
import { addDays } from '../../../calendar/index.js';
import { cents } from '../../../money/index.js';
import {
  accruedBy,
  type ChargePart,
  continueInstallments,
  type Installment,
  type ScheduledLedger,
  type ScheduledFact,
  type ScheduledTerms,
  type Joining,
  type Part,
  ratesSince,
  sumOf,
} from '../../scheduled/index.js';
import { copyObligation } from '../copies.js';
import { centsOfInterest } from '../../core/interest.js';
import { NOTHING_DIGESTED } from '../../core/mixer.js';
import { holds, settingsOf } from '../../core/rules.js';
import type { LedgerState, OpenRow } from '../state.js';
import type { FeeState, ObligationState } from '../../core/state.js';
import type { LedgerTerms } from '../../core/terms.js';

/*
 * A loan with scheduled interest. Its book (engine/ledger/scheduled) says what each installment asks for and has met; the
 * ledger's balances, obligations and fees are read from it after each step, so that all that reads ledgers, and days
 * overdue, late fees, statuses and events, work as for loans by the day:
 *
 *     facts of the ledger -> facts of the book -> book -> balances, obligations, fees
 *
 * After an acceleration there are no installments any more: the balances go on by themselves.
 */

/** Whether the installments of the loan are in force. */
export const isKept = (state: LedgerState): boolean => state.scheduledFacts !== null;

type NewFact<Fact = ScheduledFact> = Fact extends unknown ? Omit<Fact, 'sequence'> : never;

/** Facts come in the order in which they happened: the ledger has sorted them. */
export function addScheduledFact(state: LedgerState, fact: NewFact): void {
  const facts = must(state.scheduledFacts, 'the loan has scheduled interest');
  state.scheduledFacts = [...facts, { ...fact, sequence: facts.length + 1 }];
}

/** Which row takes what the state's day asks for. */
export const joining = (state: LedgerState): Joining => (holds(state, 'chargesInRunningPeriod') ? { joins: 'runningPeriod' } : {});

/** The row of the running period carries a charge; from the last due date on one of its own. */
export function addCharge(state: LedgerState, part: ChargePart, amountCents: number): void {
  const { day } = state;
  addScheduledFact(state, { type: 'charged', day, part, dueDay: addDays(day, 1), amountCents: cents(amountCents), ...joining(state) });
}

/** The facts with which the book of a new loan begins. */
export function firstFacts({ activation, principalCents, rates }: LedgerTerms): readonly ScheduledFact[] {
  const advanced: ScheduledFact = { type: 'advanced', day: activation, sequence: 2, amountCents: principalCents };
  return [{ type: 'ratesReplaced', day: activation, sequence: 1, rates: ratesSince(rates, activation) }, advanced];
}

export function scheduledTermsOf({ keeping, activation, rows, rates }: LedgerTerms): ScheduledTerms {
  const first = must(
    rates.segments.find(({ until }) => until > activation),
    'a timeline covers every day',
  );
  return {
    ...must(keeping, 'the loan has scheduled interest'),
    start: activation,
    dueDates: rows.map(({ date }) => date),
    annualRate: first.net,
  };
}

/** The book on the state's day, or on a later one. */
export const scheduledLedgerOf = (state: LedgerState, day = state.day): ScheduledLedger =>
  continueInstallments(scheduledTermsOf(state.terms), must(state.scheduledFacts, 'the loan has scheduled interest'), day);

/** Interest that is not due, and the amounts of the rows to come: all that a day without facts changes. */
export function settleInterest(state: LedgerState, scheduled: ScheduledLedger): void {
  let claimed = 0;
  let ahead = 0;
  let open = 0;
  // What a chargeback has brought back of interest is owed beside what the nights bear.
  let revived = 0;
  let bearing = 0;
  for (const [ordinal, { due, paid, revivedInterestCents, movedIn, movedOut }] of scheduled.installments.entries()) {
    bearing += due.principal - paid.principal;
    revived += revivedInterestCents + movedIn.interest - movedOut.interest;
    if (ordinal < state.nextRow) claimed += due.interest;
    else {
      ahead += paid.interest;
      open += due.interest - paid.interest;
    }
  }
  // Where payments do not change the interest, the schedule's interest is owed from the beginning; what has come back of interest that
  // was paid before it accrued would wait in vain where no principal bears any more.
  const isOwedAtOnce = scheduled.terms.recalculation.type === 'none' || (bearing === 0 && revived > 0);
  const interestCents = isOwedAtOnce ? open : Math.max(0, Math.min(open, accruedBy(scheduled, state.day) + revived - claimed - ahead));
  state.nonDueInterest = centsOfInterest(interestCents);
  state.totals.interestAccrued = centsOfInterest(
    state.totals.paidInterestCents + interestCents + state.dueInterestCents + state.overdueInterestCents,
  );
  state.rows = scheduled.installments.map(rowOf);
}

function rowOf({ kind, dueDay, due }: Installment): OpenRow {
  const row: OpenRow = { date: dueDay, amountCents: cents(due.principal + due.interest), isForced: false };
  return kind === 'added' ? { ...row, isClosing: true } : row;
}

/** Reads the balances, obligations and fees from the book. */
export function settle(state: LedgerState): ScheduledLedger {
  const scheduled = scheduledLedgerOf(state);
  const open = { nonDue: 0, due: 0, overdue: 0 };
  state.dueInterestCents = 0;
  state.overdueInterestCents = 0;
  state.prepaidCents = 0;
  const toleranceCents = settingsOf(state).overdueToleranceCents;
  let at = 0;
  for (const [ordinal, installment] of scheduled.installments.entries()) {
    const { due, paid } = installment;
    const principal = due.principal - paid.principal;
    if (ordinal >= state.nextRow) {
      open.nonDue += principal;
      state.prepaidCents += sumOf(paid);
      continue;
    }
    const before = state.obligations[at];
    if (before === undefined || before.ordinal !== ordinal) continue;
    const lackedCents = before.remainingCents;
    const obligation = withSplit(before, installment);
    state.obligations[at] = obligation;
    if (obligation !== before && at < state.digestedObligations.count && holds(state, 'chargesInRunningPeriod'))
      state.digestedObligations = NOTHING_DIGESTED; // what is asked of it again was digested as settled
    follow(obligation, installment);
    if (
      obligation.isFulfilled &&
      obligation.remainingCents > Math.max(toleranceCents, holds(state, 'toleranceFollowed') ? lackedCents : 0)
    ) {
      // A charge after the last due date joins the last installment; what a higher tolerance has let pass stays so.
      obligation.isFulfilled = false;
      state.firstOpenObligation = Math.min(state.firstOpenObligation, at);
    }
    at += 1;
    const interest = due.interest - paid.interest;
    if (obligation.isEnforced) {
      open.overdue += principal;
      state.overdueInterestCents += interest;
    } else {
      open.due += principal;
      state.dueInterestCents += interest;
    }
  }
  state.nonDuePrincipalCents = open.nonDue;
  state.duePrincipalCents = open.due;
  state.overduePrincipalCents = open.overdue;
  settleFees(state, scheduled);
  settlePaid(state, scheduled);
  settleInterest(state, scheduled);
  return scheduled;
}

/** What all payments together have paid and nobody has charged back: recalculation may have moved money of older ones to other parts. */
function settlePaid({ totals }: LedgerState, scheduled: ScheduledLedger): void {
  const paid = { principal: 0, interest: 0, charges: 0 };
  for (const { paid: met } of scheduled.installments) {
    paid.principal += met.principal;
    paid.interest += met.interest;
    paid.charges += met.fees + met.penalties;
  }
  const back = scheduled.chargedBackParts;
  paid.principal -= back.principal;
  paid.interest -= back.interest;
  paid.charges -= back.fees + back.penalties;
  totals.paidPrincipalCents = paid.principal;
  totals.paidInterestCents = paid.interest;
  totals.paidFeesCents = paid.charges;
}

/** Payments of its own day, and charges after it, may change what an obligation is made of. */
function withSplit(obligation: ObligationState, { due }: Installment): ObligationState {
  const feesCents = due.fees + due.penalties;
  const isSame =
    obligation.principalCents === due.principal && obligation.interestCents === due.interest && obligation.feesCents === feesCents;
  if (isSame) return obligation;
  return {
    ...copyObligation(obligation),
    baseCents: due.principal + due.interest,
    principalCents: due.principal,
    interestCents: due.interest,
    feesCents,
    unroundedInterest: centsOfInterest(due.interest),
  };
}

/** An obligation is its installment, charges included. */
function follow(obligation: ObligationState, { due, paid }: Installment): void {
  obligation.amountCents = sumOf(due);
  obligation.remainingCents = sumOf(due) - sumOf(paid);
  obligation.withoutLateFeesCents = Math.max(0, obligation.remainingCents - (due.penalties - paid.penalties));
}

/** Charges and fees came in together: a fee that was waived is no charge. */
function settleFees(state: LedgerState, scheduled: ScheduledLedger): void {
  state.openFeesCents = 0;
  const met = new Map<string, number>();
  const charged = state.fees.filter(({ isCanceled }) => !isCanceled);
  for (const [position, fee] of charged.entries()) {
    const charge = must(scheduled.charges[position], 'a fee is a charge of the book');
    const ordinal = scheduled.installments.indexOf(charge.installment);
    const key = `${ordinal} ${charge.part}`;
    const before = met.get(key) ?? 0;
    met.set(key, before + charge.amountCents);
    fee.openCents = charge.amountCents - Math.min(charge.amountCents, Math.max(0, charge.installment.paid[charge.part] - before));
    state.openFeesCents += fee.openCents;
    assignFee(state, fee, ordinal);
  }
}

function assignFee(state: LedgerState, fee: FeeState, ordinal: number): void {
  const obligation = ordinal < state.nextRow ? state.obligations.find((candidate) => candidate.ordinal === ordinal) : undefined;
  fee.carriedBy = obligation === undefined ? null : ordinal;
  fee.dueDay = obligation === undefined ? null : obligation.dueDay;
  fee.dueStatus = obligation === undefined ? 'nonDue' : obligation.isEnforced ? 'overdue' : 'due';
}

/** Late fees are penalties. */
export const chargePartOf = (kind: FeeState['kind']): Extract<Part, 'fees' | 'penalties'> => (kind === 'lateFee' ? 'penalties' : 'fees');
