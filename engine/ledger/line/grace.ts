import { addDays, type Day, latest } from '../../calendar/index.js';
import { RATE_ZERO } from '../../money/index.js';
import { NEVER } from '../core/clock.js';
import { centsOfInterest, type Interest, isMore, isZero, minus, NO_INTEREST } from '../core/interest.js';
import { enforcementDay } from '../core/overdue.js';
import { holds } from '../core/rules.js';
import { accrueOnBase } from './accrue.js';
import { countFor, findDraw } from './credit.js';
import { beginEntry, enter } from './entering.js';
import { replacePayment } from './payments.js';
import type { DrawObligation, DrawSplit, DrawState, LineObligation, LinePaymentState, LineState } from './state.js';

/**
 * Moves money from interest that is canceled to principal of the draw, the last payment first. If no principal is left, the
 * money is owed to the borrower.
 */
function reassignInterest(state: LineState, draw: DrawState, amountCents: number): void {
  let leftCents = amountCents;
  for (let at = state.payments.length - 1; at >= 0 && leftCents > 0; at -= 1) {
    const payment = state.payments[at];
    const split = payment?.splits.find((candidate) => candidate.draw === draw.draw);
    if (payment === undefined || split === undefined || split.interestCents === 0) continue;
    const movedCents = Math.min(leftCents, split.interestCents);
    replacePayment(state, at, reassign(state, draw, payment, { split, movedCents }));
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
 * A balance whose statement is paid in full by the due date bears no interest. The payment is known on the day after: then the
 * grace is lost, kept or restored, and with it the interest of the days since the statement.
 */

/** The next day on which a grace is decided; none if grace applies to no draw. */
export function nextGraceDay(state: LineState): Day {
  const last = state.obligations.at(-1);
  if (last === undefined || !state.draws.some((draw) => isApplicable(state, draw))) return NEVER;
  const day = enforcementDay(last);
  return day > state.day ? day : NEVER;
}

/** Migrated history bears no interest, even if grace is lost. */
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

/** Whether the obligations before the last one were paid in full, as many as the terms require. */
function werePaid({ obligations }: LineState, { draw, activation }: DrawState): boolean {
  const count = activation.grace.periodsToRestore - 1;
  if (count === 0) return true;
  const before = obligations.slice(0, -1).slice(-count);
  return before.length === count && before.every(({ draws }) => draws.some((part) => part.draw === draw && isPaidInFull(part)));
}

/** Adds interest on the unpaid part from the statement date on, not from the due date. Later days accrue on the whole balance. */
function loseGrace(
  state: LineState,
  draw: DrawState,
  { obligation, part }: { readonly obligation: LineObligation; readonly part: DrawObligation },
): void {
  const before = beginEntry(state);
  changeGrace(state, draw, false);
  const unpaidCents = part.grace.fullBalanceCents - part.grace.totalFulfilledOnDueDateCents;
  // Frozen days since the statement bear no interest.
  const since = addDays(obligation.period.statementDate, obligation.pausedDays);
  const from = latest(since, draw.interestFrom);
  const isSimple = state.terms.accrualMethod === 'simple';
  const baseCents = isSimple ? Math.min(unpaidCents, part.grace.principalCents) : unpaidCents;
  if (from < state.day) accrueOnBase(state, draw, { base: centsOfInterest(baseCents), from, to: state.day });
  enter(state, before, 'graceLost');
}

/** Cancels the interest since the last statement. Its paid part becomes a payment of principal. */
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
    // Also interest of the old year, if the year has changed since the statement.
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

/** Removes a fraction of a cent that a payoff has forgone. */
function takeBackForgone(state: LineState, draw: DrawState, parts: number): void {
  for (const totals of [draw.totals, state.totals]) totals.forgoneRounding = minus(totals.forgoneRounding, { cents: 0, parts });
}

function changeGrace(state: LineState, draw: DrawState, isEligible: boolean): void {
  draw.isGraceEligible = isEligible;
  const { day, seconds } = state;
  state.watcher?.happened({ type: 'graceChanged', day, seconds, draw: draw.draw, isEligible });
}
