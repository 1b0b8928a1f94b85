import { NOTHING_PREPAID, type Prepaid, prepaidRow } from '../../amortization/index.js';
import type { Cents } from '../../money/index.js';
import { capOf } from './caps.js';
import { type Interest, minusCents, NO_INTEREST } from '../core/interest.js';
import type { LedgerState, OpenRow } from './state.js';

/** What a row asks for on its day, without the fees that fall due with it. */
export interface Demand {
  /** Principal and interest, before what was paid in advance is taken off. */
  readonly baseCents: number;
  readonly originationCents: number;
  readonly prepaidCents: number;
  /** What is not paid in advance and moves from non-due to due: fees first, then interest, principal for the rest and never negative. */
  readonly movedOriginationCents: number;
  readonly movedInterestCents: number;
  readonly movedPrincipalCents: number;
}

/** `interestCents`: what of the accrued interest may fall due. */
export function demandOf(state: LedgerState, row: OpenRow, interestCents: number): Demand {
  const isAtEnd = isLastRow(state);
  const isLast = isAtEnd && (row.isClosing === true || state.terms.isLastAsScheduled !== true);
  const leftCents = state.nonDuePrincipalCents + interestCents;
  const contractualCents = Math.min(askedCents(state, row, interestCents), leftCents + state.prepaidCents);
  const baseCents = capped(state, row, isLast ? Math.max(leftCents, contractualCents) : contractualCents, leftCents);
  if (isLast) return lastDemand(state, baseCents, interestCents);
  const prepaid = prepaidOf(state);
  if (prepaid === NOTHING_PREPAID) return splitDemand(state, { baseCents, originationCents: 0, prepaidCents: 0 }, interestCents);
  const { shareCents, prepaidCents } = prepaidRow(isAtEnd ? withAllShares(prepaid) : prepaid, baseCents as Cents, leftCents as Cents);
  return splitDemand(state, { baseCents, originationCents: shareCents, prepaidCents }, interestCents);
}

export const isLastRow = ({ rows, nextRow }: LedgerState): boolean => nextRow === rows.length - 1;

const withAllShares = (prepaid: Prepaid): Prepaid => ({ ...prepaid, feeShareCents: prepaid.feeAskedCents });

/** The last row takes all that is left; what it asks for above that was paid in advance. */
function lastDemand(state: LedgerState, baseCents: number, interestCents: number): Demand {
  const { nonDueOriginationFeeCents, originationAskedCents } = state;
  const paidBaseCents = Math.min(state.prepaidCents, Math.max(0, baseCents - state.nonDuePrincipalCents - interestCents));
  const paidFeeCents = Math.min(state.prepaidCents - paidBaseCents, Math.max(0, originationAskedCents - nonDueOriginationFeeCents));
  const asked: Asked = {
    baseCents,
    originationCents: nonDueOriginationFeeCents + paidFeeCents,
    prepaidCents: paidBaseCents + paidFeeCents,
  };
  return splitDemand(state, asked, interestCents);
}

type Asked = Pick<Demand, 'baseCents' | 'originationCents' | 'prepaidCents'>;

function splitDemand(state: LedgerState, { baseCents, originationCents, prepaidCents }: Asked, interestCents: number): Demand {
  const dueCents = baseCents + originationCents - prepaidCents;
  const movedOriginationCents = Math.min(originationCents, dueCents, state.nonDueOriginationFeeCents);
  const movedInterestCents = Math.min(interestCents, dueCents - movedOriginationCents);
  const movedPrincipalCents = dueCents - movedOriginationCents - movedInterestCents;
  return { baseCents, originationCents, prepaidCents, movedOriginationCents, movedInterestCents, movedPrincipalCents };
}

/** What rows to come take from what was paid in advance. */
export function prepaidOf(state: LedgerState): Prepaid {
  const { prepaidCents, originationAskedCents, nonDueOriginationFeeCents } = state;
  if (prepaidCents === 0 && originationAskedCents === 0 && nonDueOriginationFeeCents === 0) return NOTHING_PREPAID;
  return {
    leftCents: prepaidCents as Cents,
    feeShareCents: feeShareCents(state) as Cents,
    feeAskedCents: originationAskedCents as Cents,
    feeOpenCents: nonDueOriginationFeeCents as Cents,
  };
}

/** Takes off the non-due balances what a row has moved. Where it is due, the caller says. */
export function leaveNonDue(state: LedgerState, demand: Demand): void {
  state.prepaidCents -= demand.prepaidCents;
  state.nonDueOriginationFeeCents -= demand.movedOriginationCents;
  state.originationAskedCents = Math.max(0, state.originationAskedCents - demand.originationCents);
  state.nonDuePrincipalCents -= demand.movedPrincipalCents;
  state.nonDueInterest = restOf(state.nonDueInterest, demand.movedInterestCents);
}

const restOf = (interest: Interest, movedCents: number): Interest =>
  interest.cents === movedCents && interest.parts === 0 ? NO_INTEREST : minusCents(interest, movedCents);

/** A row of interest alone asks for what has accrued; who has paid ahead has paid for the amount that was told. */
const askedCents = (state: LedgerState, row: OpenRow, interestCents: number): number =>
  row.isInterestOnly === true && state.prepaidCents === 0 ? interestCents : row.amountCents;

/**
 * What a row of a time at which its rates were not known may ask for. The row's own amount has not risen;
 * but near the end of the loan, where less than a row was left before, only the ledger without those rates can tell.
 */
function capped(state: LedgerState, row: OpenRow, baseCents: number, leftCents: number): number {
  const unknown = state.unknownRates;
  if (unknown === null || row.date > unknown.through) return baseCents;
  const { caps } = state.orders;
  if (caps.length > 0) return Math.min(baseCents, capOf(caps, row.date) ?? baseCents);
  const oldCents = unknown.rowsBefore[state.nextRow]?.amountCents ?? 0;
  unknown.fellCents += Math.max(0, oldCents - row.amountCents);
  // Interest alone rises with whatever makes it dearer.
  if (row.isInterestOnly === true) state.isCapMissing = true;
  // What has accrued leaves less of a row to principal, and where it is capitalized it is principal once more.
  const accruedCents = state.totals.interestAccrued.cents + 2 - unknown.interestBeforeCents;
  // Each due date may have rounded interest up, so that a cent a row is allowed for.
  const spareCents = leftCents - baseCents - unknown.fellCents - state.nextRow - 1;
  if (spareCents < accruedCents || (spareCents < accruedCents * 2 && isCapitalized(state))) state.isCapMissing = true;
  return baseCents;
}

function isCapitalized({ terms }: LedgerState): boolean {
  for (const { value } of terms.settings) if (value.capitalization === 'afterDueDate') return true;
  return false;
}

/** The origination fee on top of the first row, or an equal part in each. */
export function feeShareCents({ terms, originationAskedCents, originationShareCents }: LedgerState): number {
  return terms.originationFee.logic === 'firstPayment' ? originationAskedCents : Math.min(originationShareCents, originationAskedCents);
}
