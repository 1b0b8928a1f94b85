import type { Day } from '../../calendar/index.js';
import { RATE_ZERO } from '../../money/index.js';
import { centsOfInterest, type Interest, isMore, isZero, minus, NO_INTEREST } from '../core/interest.js';
import { holds } from '../core/rules.js';
import { enforcementDay, NEVER } from '../installment/shared.js';
import { accrueOnBase } from './accrue.js';
import { countFor, findDraw } from './credit.js';
import { beginEntry, enter } from './entering.js';
import type { DrawObligation, DrawSplit, DrawState, LineObligation, LinePaymentState, LineState } from './state.js';

/**
 * Interest that was paid and is taken back has paid principal of its draw instead, the last payment first; where no principal
 * is left the money is owed to the borrower.
 */
function reassignInterest(state: LineState, draw: DrawState, amountCents: number): void {
  let leftCents = amountCents;
  for (let at = state.payments.length - 1; at >= 0 && leftCents > 0; at -= 1) {
    const payment = state.payments[at];
    const split = payment?.splits.find((candidate) => candidate.draw === draw.draw);
    if (payment === undefined || split === undefined || split.interestCents === 0) continue;
    const movedCents = Math.min(leftCents, split.interestCents);
    state.payments[at] = reassign(state, draw, payment, { split, movedCents });
    leftCents -= movedCents;
  }
}

interface Reassigned {
  readonly split: DrawSplit;
  readonly movedCents: number;
}

function reassign(state: LineState, draw: DrawState, payment: LinePaymentState, { split, movedCents }: Reassigned): LinePaymentState {
  const principalCents = Math.min(movedCents, draw.balances.nonDuePrincipalCents);
  const overCents = movedCents - principalCents;
  draw.balances.nonDuePrincipalCents -= principalCents;
  countFor(state, draw, (totals) => {
    totals.paidInterestCents -= movedCents;
    totals.paidPrincipalCents += principalCents;
  });
  state.totals.paidOverCents += overCents;
  if (payment.kind !== 'credit') state.totals.reimbursementCents += overCents;
  watch(state, payment, draw, { bucket: 'nonDueInterest', amountCents: -movedCents });
  watch(state, payment, draw, { bucket: 'nonDuePrincipal', amountCents: principalCents });
  watch(state, payment, null, { bucket: 'paidOver', amountCents: overCents });
  const changed: DrawSplit = {
    ...split,
    interestCents: split.interestCents - movedCents,
    principalCents: split.principalCents + principalCents,
  };
  return {
    ...payment,
    interestCents: payment.interestCents - movedCents,
    principalCents: payment.principalCents + principalCents,
    overCents: payment.overCents + overCents,
    splits: payment.splits.map((candidate) => (candidate === split ? changed : candidate)),
  };
}

interface Row {
  readonly bucket: 'nonDueInterest' | 'nonDuePrincipal' | 'paidOver';
  readonly amountCents: number;
}

function watch(state: LineState, { transaction }: LinePaymentState, draw: DrawState | null, { bucket, amountCents }: Row): void {
  if (amountCents !== 0) state.watcher?.allocated?.({ transaction, draw: draw?.draw ?? null, bucket, obligation: null, amountCents });
}

/*
 * No interest on a balance whose statement is paid in full by the due date. What was
 * paid is known on the day after: a grace is lost, kept or restored, and the interest of the days since the statement with it.
 */

/** The next day on which a grace is decided: there is none where grace applies to no draw. */
export function nextGraceDay(state: LineState): Day {
  const last = state.obligations.at(-1);
  if (last === undefined || !state.draws.some((draw) => isApplicable(state, draw))) return NEVER;
  const day = enforcementDay(last);
  return day > state.day ? day : NEVER;
}

/** What a migration holds as history bears no interest, lost grace or not. */
const isApplicable = (state: LineState, { activation, isCanceled }: DrawState): boolean =>
  activation.grace.isApplicable && !isCanceled && (activation.drawType !== 'static' || !holds(state, 'bearingDrawsAlone'));

/** 00:40 of due date + 1. */
export function decideGrace(state: LineState): void {
  const obligation = state.obligations.at(-1);
  if (obligation === undefined || enforcementDay(obligation) !== state.day) return;
  for (const part of obligation.draws) {
    const draw = part.draw === null ? undefined : findDraw(state, part.draw);
    if (draw === undefined || !isApplicable(state, draw)) continue;
    const isPaid = isPaidInFull(part);
    if (draw.isGraceEligible && !isPaid && state.status === 'active') loseGrace(state, draw, { obligation, part });
    else if (!draw.isGraceEligible && isPaid && werePaid(state, draw)) restoreGrace(state, draw);
  }
}

const isPaidInFull = ({ grace }: DrawObligation): boolean => grace.totalFulfilledOnDueDateCents >= grace.fullBalanceCents;

/** The obligations before the last one that must have been paid in full, too. */
function werePaid({ obligations }: LineState, { draw, activation }: DrawState): boolean {
  const count = activation.grace.periodsToRestore - 1;
  if (count === 0) return true;
  const before = obligations.slice(0, -1).slice(-count);
  return before.length === count && before.every(({ draws }) => draws.some((part) => part.draw === draw && isPaidInFull(part)));
}

/** Interest on the unpaid part from the statement date on, not from the due date; the days after it accrue on everything. */
function loseGrace(
  state: LineState,
  draw: DrawState,
  { obligation, part }: { readonly obligation: LineObligation; readonly part: DrawObligation },
): void {
  const before = beginEntry(state);
  changeGrace(state, draw, false);
  const unpaidCents = part.grace.fullBalanceCents - part.grace.totalFulfilledOnDueDateCents;
  // Days of freezing since the statement bear nothing.
  const since = obligation.period.statementDate + obligation.pausedDays;
  const from = Math.max(since, draw.interestFrom) as Day;
  const isSimple = state.terms.accrualMethod === 'simple';
  const baseCents = isSimple ? Math.min(unpaidCents, part.grace.principalCents) : unpaidCents;
  if (from < state.day) accrueOnBase(state, draw, { base: centsOfInterest(baseCents), from, to: state.day });
  enter(state, before, 'graceLost');
}

/** The interest since the last statement is taken back; what was paid of it has paid principal. */
function restoreGrace(state: LineState, draw: DrawState): void {
  const before = beginEntry(state);
  changeGrace(state, draw, true);
  const { balances, totals } = draw;
  const accrued = minus(totals.interestAccrued, totals.interestAccruedBeforePeriod);
  if (!isZero(accrued)) {
    const unpaid = isMore(accrued, balances.nonDueInterest) ? balances.nonDueInterest : accrued;
    const paid = minus(accrued, unpaid);
    balances.nonDueInterest = minus(balances.nonDueInterest, unpaid);
    takeBackAccrual(state, draw, accrued);
    if (paid.parts > 0 && holds(state, 'gracesWait')) takeBackForgone(state, draw, paid.parts);
    if (paid.cents > 0) reassignInterest(state, draw, paid.cents);
  }
  enter(state, before, 'graceRestored');
}

function takeBackAccrual(state: LineState, draw: DrawState, accrued: Interest): void {
  for (const totals of [draw.totals, state.totals]) {
    totals.interestAccrued = minus(totals.interestAccrued, accrued);
    // Of an old year, too, when the year has changed since the statement.
    if (isMore(totals.interestAccruedBeforeYear, totals.interestAccrued)) totals.interestAccruedBeforeYear = totals.interestAccrued;
  }
  const from = state.obligations.at(-1)?.period.statementDate ?? state.day;
  state.watcher?.accrued?.({
    draw: draw.draw,
    from,
    until: state.day,
    principalCents: 0,
    rate: RATE_ZERO,
    rateBeforeDiscount: RATE_ZERO,
    interest: NO_INTEREST,
    interestBeforeDiscount: NO_INTEREST,
    isTakenBack: true,
  });
}

/** A fraction of a cent that a payoff has given up is not accrued any more. */
function takeBackForgone(state: LineState, draw: DrawState, parts: number): void {
  for (const totals of [draw.totals, state.totals]) totals.forgoneRounding = minus(totals.forgoneRounding, { cents: 0, parts });
}

function changeGrace(state: LineState, draw: DrawState, isEligible: boolean): void {
  draw.isGraceEligible = isEligible;
  const { day, seconds } = state;
  state.watcher?.happened({ type: 'graceChanged', day, seconds, draw: draw.draw, isEligible });
}
