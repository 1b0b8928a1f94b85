import { must } from '../../../assert.js';
import { addDays, type Day } from '../../../calendar/index.js';
import { cents, RATE_ZERO } from '../../../money/index.js';
import { NOTHING_DIGESTED } from '../../core/digest.js';
import type { Accrual } from '../../core/entries.js';
import { centsOfInterest, type Interest, isZero, minus } from '../../core/interest.js';
import { holds, settingsOf } from '../../core/rules.js';
import type { FeeState, ObligationState } from '../../core/state.js';
import type { LedgerTerms } from '../../core/terms.js';
import {
  accruedBy,
  type ChargePart,
  continueInstallments,
  type Installment,
  type Joining,
  paidOfCharges,
  type Part,
  ratesSince,
  type ScheduledFact,
  type ScheduledLedger,
  type ScheduledTerms,
  sumOf,
} from '../../scheduled/index.js';
import { copyObligation } from '../copies.js';
import type { LedgerState, OpenRow } from '../state.js';

/*
 * A loan with scheduled interest. Its scheduled ledger (engine/ledger/scheduled) has the amounts of each installment and what was paid of
 * them. The balances, obligations and fees of the loan's ledger are read from it after each step. So readers of ledgers, days overdue,
 * late fees, statuses and events work as for loans with daily interest:
 *
 *     facts of the loan -> facts of the scheduled ledger -> scheduled ledger -> balances, obligations, fees
 *
 * After an acceleration there are no installments any more: the balances continue on their own.
 */

/** Whether the installments of the loan are in force. */
export const hasScheduledInterest = (state: LedgerState): boolean => state.scheduledFacts !== null;

type NewFact<Fact = ScheduledFact> = Fact extends unknown ? Omit<Fact, 'sequence'> : never;

/** Appends a fact. Facts come in effective order: the loan's ledger has sorted them. */
export function addScheduledFact(state: LedgerState, fact: NewFact): void {
  const facts = must(state.scheduledFacts, 'the loan has scheduled interest');
  state.scheduledFacts = [...facts, { ...fact, sequence: facts.length + 1 }];
}

/** Which row the amounts of the state's day join. */
export const joining = (state: LedgerState): Joining => (holds(state, 'chargesInRunningPeriod') ? { joins: 'runningPeriod' } : {});

/** A charge joins the row of the running period; from the last due date on it has a row of its own. */
export function addCharge(state: LedgerState, part: ChargePart, amountCents: number): void {
  const { day } = state;
  addScheduledFact(state, { type: 'charged', day, part, dueDay: addDays(day, 1), amountCents: cents(amountCents), ...joining(state) });
}

/** The first facts of the scheduled ledger of a new loan. */
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

/** The scheduled ledger on the state's day, or on a later day. */
export const scheduledLedgerOf = (state: LedgerState, day = state.day): ScheduledLedger =>
  continueInstallments(scheduledTermsOf(state.terms), must(state.scheduledFacts, 'the loan has scheduled interest'), day);

/** Reads interest that is not due and the amounts of coming rows: everything that a day without facts changes. */
export function settleInterest(state: LedgerState, scheduled: ScheduledLedger): void {
  let claimed = 0;
  let ahead = 0;
  let open = 0;
  // Interest that is owed again after a chargeback is owed in addition to the interest of the nights.
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
  // If payments do not change the interest, the interest of the schedule is owed from the beginning. Interest that is owed again would
  // never accrue if no principal bears interest any more.
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

/** Reads everything again. What this adds to the interest of the loan is interest of the day. */
export function settle(state: LedgerState): ScheduledLedger {
  const before = state.totals.interestAccrued;
  const scheduled = readScheduled(state);
  watchInterest(state, state.day, minus(state.totals.interestAccrued, before));
  return scheduled;
}

/** Reports interest of a day that is booked at once. It is negative if a payment has lowered the interest. */
export function watchInterest(state: LedgerState, day: Day, interest: Interest): void {
  const { watcher } = state;
  if (watcher?.interestBooked === undefined || isZero(interest)) return;
  watcher.interestBooked({ from: day, until: addDays(day, 1), ...bearingOn(state, day), interest, interestBeforeDiscount: interest });
}

/** The principal of the loan and its rate on a day. */
export function bearingOn(state: LedgerState, day: Day): Pick<Accrual, 'principalCents' | 'rate' | 'rateBeforeDiscount'> {
  const rate = state.rates.segments.find(({ until }) => until > day)?.net ?? RATE_ZERO;
  const principalCents = state.nonDuePrincipalCents + state.duePrincipalCents + state.overduePrincipalCents;
  return { principalCents, rate, rateBeforeDiscount: rate };
}

/** Reads the balances, obligations and fees from the scheduled ledger. */
export function readScheduled(state: LedgerState): ScheduledLedger {
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
      state.digestedObligations = NOTHING_DIGESTED; // the obligation was digested as settled and has changed
    follow(obligation, installment);
    if (
      obligation.isFulfilled &&
      obligation.remainingCents > Math.max(toleranceCents, holds(state, 'toleranceFollowed') ? lackedCents : 0)
    ) {
      // A charge after the last due date joins the last installment. Obligations within an earlier, higher tolerance stay fulfilled.
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

/** The totals of all payments, less charge-backs: recalculation may have moved money of older payments to other parts. */
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

/** Payments on the due date, and later charges, may change the split of an obligation. */
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

/** An obligation has the amounts of its installment, including charges. */
function follow(obligation: ObligationState, { due, paid }: Installment): void {
  obligation.amountCents = sumOf(due);
  obligation.remainingCents = sumOf(due) - sumOf(paid);
  obligation.withoutLateFeesCents = Math.max(0, obligation.remainingCents - (due.penalties - paid.penalties));
}

/** Charges and fees have the same order. A waived fee has no charge. */
function settleFees(state: LedgerState, scheduled: ScheduledLedger): void {
  state.openFeesCents = 0;
  const charged = state.fees.filter(({ isCanceled }) => !isCanceled);
  if (charged.length === 0) return;
  const paid = paidOfCharges(scheduled, scheduled.charges);
  for (const [position, fee] of charged.entries()) {
    const charge = must(scheduled.charges[position], 'a fee is a charge of the scheduled ledger');
    fee.openCents = charge.amountCents - (paid[position] ?? 0);
    state.openFeesCents += fee.openCents;
    assignFee(state, fee, scheduled.installments.indexOf(charge.installment));
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
