import { must } from '../../assert.js';
import { rateOn } from '../../rates/index.js';
import { CARRIED, isCountedInOrder, type Lateness, returnToNonDue } from '../core/count-in-order.js';
import { closeObligation, fulfilWithoutLateFees, meet, toleratedWithoutLateFees } from '../core/obligations.js';
import { holds, settingsOf } from '../core/rules.js';
import type { DrawState, LineFee, LineObligation, LineState } from './state.js';
import type { DrawOrder } from './terms.js';

/** The fees of a draw, or of the line itself. */
export const feesOf = (state: LineState, draw: DrawState | null): LineFee[] => (draw === null ? state.fees : draw.fees);

export const allFees = (state: LineState): readonly LineFee[] => [...state.fees, ...state.draws.flatMap(({ fees }) => fees)];

export interface Met {
  readonly draw: number | null;
  readonly how: 'payment' | 'credit';
  readonly onPart: ((obligation: number | null, amountCents: number) => void) | null;
  /** Counts money that goes to late fees. */
  readonly tally: { toLateFeesCents: number };
}

/**
 * Assigns money for due and overdue balances of a draw (null: fees of the line) to the draw's parts of obligations, the oldest
 * first. An obligation always lacks what its draws still have due. Returns the part that no obligation lacked.
 */
export function meetObligations(state: LineState, amountCents: number, met: Met): number {
  const { obligations } = state;
  let leftCents = amountCents;
  for (let at = state.firstOpenObligation; at < obligations.length && leftCents > 0; at += 1) {
    const obligation = must(obligations[at], 'an obligation');
    if (!obligation.isFulfilled) leftCents -= meetPart(state, obligation, leftCents, met);
  }
  // Amounts within the tolerance are still in the buckets, and get money last.
  for (let at = 0; at < obligations.length && leftCents > 0; at += 1) {
    const obligation = must(obligations[at], 'an obligation');
    if (obligation.isFulfilled) leftCents -= meetPart(state, obligation, leftCents, met);
  }
  if (leftCents > 0) met.onPart?.(null, leftCents);
  return leftCents;
}

/** Assigns money to a draw's part of an obligation. Money that the obligation would not lack without late fees counts as late fees. */
function meetPart(state: LineState, obligation: LineObligation, leftCents: number, { draw, how, onPart, tally }: Met): number {
  const part = obligation.draws.find((candidate) => candidate.draw === draw);
  if (part === undefined || part.remainingCents === 0) return 0;
  const partCents = meet(obligation, Math.min(leftCents, part.remainingCents), { how, onPart });
  part.remainingCents -= partCents;
  tally.toLateFeesCents += partCents - meetWithoutLateFees(state, obligation, partCents);
  if (how === 'payment') part.paymentsCents += partCents;
  else part.creditsCents += partCents;
  return partCents;
}

/** The part of the money that the obligation would lack without late fees. Amounts within the tolerance get money last. */
function meetWithoutLateFees(state: LineState, obligation: LineObligation, amountCents: number): number {
  const { withoutLateFeesCents } = obligation;
  if (!holds(state, 'withoutLateFeesByDraw') || withoutLateFeesCents <= toleratedWithoutLateFees(state)) return 0;
  const partCents = Math.min(amountCents, withoutLateFeesCents);
  obligation.withoutLateFeesCents -= partCents;
  return partCents;
}

/** Closes obligations that a whole payment has fulfilled. */
export function closeFulfilled(state: LineState): void {
  const toleranceCents = settingsOf(state).overdueToleranceCents;
  for (let at = state.firstOpenObligation; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation !== undefined && !obligation.isFulfilled && obligation.remainingCents <= toleranceCents)
      closeObligation(state, obligation);
  }
}

/**
 * Ends a payment of which `toLateFeesCents` went to late fees: without late fees, that money would count for obligations, the oldest
 * first. `first` was the oldest open obligation before. Returns the rest.
 */
export function endMeeting(state: LineState, toLateFeesCents: number, first: number): number {
  const leftCents = fulfilWithoutLateFees(state, toLateFeesCents, first);
  closeFulfilled(state);
  return leftCents;
}

/**
 * Money counts for the oldest obligations first, whatever draws and components the waterfall pays. Money that lowered balances
 * which are not due, of any draw, counts for what the oldest obligations lack. The same amount of their draws' due balances is not due any
 * more: a later statement has it. Returns how much has counted.
 */
export function countInOrder(state: LineState, aheadCents: number, money: Omit<Met, 'draw'> & { readonly tally: Tally }): number {
  if (!isCountedInOrder(state)) return 0;
  let leftCents = aheadCents;
  for (let at = state.firstOpenObligation; at < state.obligations.length && leftCents > 0; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || obligation.isFulfilled) continue;
    for (const { draw } of obligation.draws) leftCents -= meetPart(state, obligation, leftCents, { ...money, draw });
  }
  const countedCents = aheadCents - leftCents;
  const isOfSeveral = state.obligations.length - state.firstOpenObligation > 1;
  const areFeesMet = money.tally.splits.some(({ feesCents }) => feesCents > 0);
  if (countedCents > 0 || isOfSeveral || areFeesMet || allFees(state).some(({ openCents }) => openCents > 0))
    for (const draw of state.draws) returnAbove(state, draw);
  return countedCents;
}

interface Tally {
  readonly splits: readonly { readonly feesCents: number }[];
  toLateFeesCents: number;
}

/** The same for money that counts for the oldest obligations and has no part in advance. */
export function returnAllToNonDue(state: LineState): void {
  if (isCountedInOrder(state)) for (const draw of state.draws) returnAbove(state, draw);
}

/**
 * Overdue balances of a draw above what overdue obligations lack of it become due as far as other obligations lack due balances. The rest,
 * and due balances above what obligations lack of the draw, become non-due: principal first.
 */
function returnAbove(state: LineState, draw: DrawState): void {
  lower(draw, 'overdue', aboveObligations(state, draw, 'overdue'), Math.max(0, -aboveObligations(state, draw, 'due')));
  // Money may have paid overdue balances instead of due ones: the balances must not exceed what all obligations lack.
  const aboveCents = aboveObligations(state, draw, 'due');
  lower(draw, 'due', Math.min(aboveCents, aboveCents + aboveObligations(state, draw, 'overdue')), 0);
}

const lower = ({ balances }: DrawState, lateness: Lateness, aboveCents: number, missingCents: number): void =>
  returnToNonDue(balances, lateness, { leftCents: Math.max(0, aboveCents), missingCents });

/** By how much the due or overdue balances of a draw, or the line's own fees (null), exceed what obligations lack of them. */
function aboveObligations(state: LineState, draw: DrawState | null, lateness: Lateness): number {
  const { principal, interest } = CARRIED[lateness];
  let total = draw === null ? 0 : draw.balances[principal] + draw.balances[interest];
  for (const fee of feesOf(state, draw)) if (fee.carriedBy !== null && fee.dueStatus === lateness) total += fee.openCents;
  for (const { draws, isEnforced } of state.obligations) {
    if (isEnforced !== (lateness === 'overdue')) continue;
    for (const part of draws) if (part.draw === (draw?.draw ?? null)) total -= part.remainingCents;
  }
  return total;
}

/**
 * Once every obligation is fulfilled, no obligation carries the fees for which other money was counted: they are due by themselves, and
 * the next statement includes them. The newest fees first, since money pays the oldest first. Returns the money that was counted for
 * them: it is paid in advance again.
 */
export function releaseFees(state: LineState): number {
  if (state.firstOpenObligation < state.obligations.length || !isCountedInOrder(state)) return 0;
  let releasedCents = 0;
  for (const holder of [null, ...state.draws]) {
    let leftCents: number | null = null;
    for (const fee of [...feesOf(state, holder)].reverse()) {
      if (fee.carriedBy === null || fee.openCents === 0) continue;
      leftCents ??= aboveObligations(state, holder, 'overdue') + aboveObligations(state, holder, 'due');
      if (fee.openCents > leftCents) continue;
      fee.carriedBy = null;
      fee.dueStatus = 'due';
      leftCents -= fee.openCents;
      releasedCents += fee.openCents;
    }
  }
  return releasedCents;
}

/** The value by which a step of the multi-waterfall orders draws: the greater one first. */
const KEYS: Readonly<Record<DrawOrder, (state: LineState, draw: DrawState) => number>> = {
  overdueAmount: (_, { balances, fees }) => balances.overduePrincipalCents + balances.overdueInterestCents + feesIn(fees, 'overdue'),
  dueAmount: (_, { balances, fees }) => balances.duePrincipalCents + balances.dueInterestCents + feesIn(fees, 'due'),
  highestRate: (state, { rates }) => rateOn(rates, state.day).net,
  oldest: (_, { activation }) => -activation.effective.day,
};

function feesIn(fees: readonly LineFee[], dueStatus: LineFee['dueStatus']): number {
  let total = 0;
  for (const fee of fees) if (fee.dueStatus === dueStatus) total += fee.openCents;
  return total;
}

/** The draws, or some of them, in the current order of payment. */
export const drawsInOrder = (state: LineState, draws: readonly DrawState[] = state.draws): readonly DrawState[] =>
  draws.length < 2 ? draws : orderedBy(state, draws, settingsOf(state).drawOrder);

/** The draws in the order of payment that they have when nothing is due or overdue. */
export const drawsByTerms = (state: LineState): readonly DrawState[] =>
  orderedBy(
    state,
    state.draws,
    settingsOf(state).drawOrder.filter((step) => step === 'highestRate' || step === 'oldest'),
  );

function orderedBy(state: LineState, draws: readonly DrawState[], order: readonly DrawOrder[]): readonly DrawState[] {
  const keyed = draws.map((draw) => ({ draw, keys: order.map((step) => KEYS[step](state, draw)) }));
  return keyed.sort((a, b) => compareKeys(a.keys, b.keys)).map(({ draw }) => draw);
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < a.length; at += 1) {
    const difference = (b[at] ?? 0) - (a[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
