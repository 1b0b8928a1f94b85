import { must } from '../../assert.js';
import { rateOn } from '../../rates/index.js';
import { plusCents } from '../core/interest.js';
import { holds, settingsOf } from '../core/rules.js';
import { closeObligation, fulfilWithoutLateFees, meet, toleratedWithoutLateFees } from '../installment/shared.js';
import type { DrawState, LineFee, LineObligation, LineState } from './state.js';
import type { DrawOrder } from './terms.js';

/** The fees of a draw, or of the line itself. */
export const feesOf = (state: LineState, draw: DrawState | null): LineFee[] => (draw === null ? state.fees : draw.fees);

export const allFees = (state: LineState): readonly LineFee[] => [...state.fees, ...state.draws.flatMap(({ fees }) => fees)];

export interface Met {
  readonly draw: number | null;
  readonly how: 'payment' | 'credit';
  readonly onPart: ((obligation: number | null, amountCents: number) => void) | null;
  /** Counts what late fees take. */
  readonly tally: { toLateFeesCents: number };
}

/**
 * Assigns money that met due and overdue balances of a draw (null: fees of the line) to what the draw brings to the
 * obligations, oldest first: what an obligation lacks is always what its draws still have due.
 * Answers what no obligation lacked.
 */
export function meetObligations(state: LineState, amountCents: number, met: Met): number {
  const { obligations } = state;
  let leftCents = amountCents;
  for (let at = state.firstOpenObligation; at < obligations.length && leftCents > 0; at += 1) {
    const obligation = must(obligations[at], 'an obligation');
    if (!obligation.isFulfilled) leftCents -= meetPart(state, obligation, leftCents, met);
  }
  // What the tolerance has let pass still stands in the buckets, and takes its money last.
  for (let at = 0; at < obligations.length && leftCents > 0; at += 1) {
    const obligation = must(obligations[at], 'an obligation');
    if (obligation.isFulfilled) leftCents -= meetPart(state, obligation, leftCents, met);
  }
  if (leftCents > 0) met.onPart?.(null, leftCents);
  return leftCents;
}

/** The part of the money that a draw's part of the obligation takes. Late fees have taken what it would not lack without them. */
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

/** What of the money the obligation would lack without late fees; what the tolerance would let pass then takes its money last. */
function meetWithoutLateFees(state: LineState, obligation: LineObligation, amountCents: number): number {
  const { withoutLateFeesCents } = obligation;
  if (!holds(state, 'withoutLateFeesByDraw') || withoutLateFeesCents <= toleratedWithoutLateFees(state)) return 0;
  const partCents = Math.min(amountCents, withoutLateFeesCents);
  obligation.withoutLateFeesCents -= partCents;
  return partCents;
}

/** Closes what a whole payment has fulfilled. */
export function closeFulfilled(state: LineState): void {
  const toleranceCents = settingsOf(state).overdueToleranceCents;
  for (let at = state.firstOpenObligation; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation !== undefined && !obligation.isFulfilled && obligation.remainingCents <= toleranceCents)
      closeObligation(state, obligation);
  }
}

/**
 * After a payment: late fees took `toLateFeesCents` of it, which obligations lack without them, the oldest first; `first` was the oldest
 * open one before. Answers what is left of it.
 */
export function endMeeting(state: LineState, toLateFeesCents: number, first: number): number {
  const leftCents = fulfilWithoutLateFees(state, toLateFeesCents, first);
  closeFulfilled(state);
  return leftCents;
}

/**
 * An obligation counts money in the order of obligations, whatever the waterfall does with draws and components: money
 * that met what is not due, of any draw, counts for what the oldest obligations lack. So much of what their draws have due is not due any
 * more: a later statement asks for it. Answers how much has counted.
 */
export function countInOrder(state: LineState, aheadCents: number, money: Omit<Met, 'draw'> & { readonly tally: Tally }): number {
  if (!isCounting(state)) return 0;
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
    for (const draw of state.draws) returnToNonDue(state, draw);
  return countedCents;
}

interface Tally {
  readonly splits: readonly { readonly feesCents: number }[];
  toLateFeesCents: number;
}

/** The same for what takes money off balances and counts for the oldest obligations without anything ahead. */
export function returnAllToNonDue(state: LineState): void {
  if (isCounting(state)) for (const draw of state.draws) returnToNonDue(state, draw);
}

/** Whether obligations count money that met what is not due. */
export const isCounting = (state: LineState): boolean =>
  (state.status === 'active' || state.status === 'frozen') && holds(state, 'obligationsInOrder');

/**
 * What a draw has overdue above what overdue obligations ask of it makes good what others lack of what it has due; the rest of it, and
 * what is due above what obligations ask of the draw, is not due: principal first.
 */
function returnToNonDue(state: LineState, draw: DrawState): void {
  lower(draw, 'overdue', aboveObligations(state, draw, 'overdue'), Math.max(0, -aboveObligations(state, draw, 'due')));
  // Money may have met what is overdue in place of what is due: no more is asked for than obligations lack in all.
  const aboveCents = aboveObligations(state, draw, 'due');
  lower(draw, 'due', Math.min(aboveCents, aboveCents + aboveObligations(state, draw, 'overdue')), 0);
}

/** The balances of a draw that obligations carry, beside fees. */
const CARRIED = {
  overdue: { principal: 'overduePrincipalCents', interest: 'overdueInterestCents' },
  due: { principal: 'duePrincipalCents', interest: 'dueInterestCents' },
} as const;

/** Due, or overdue. */
type Lateness = keyof typeof CARRIED;

function lower({ balances }: DrawState, lateness: Lateness, aboveCents: number, toDueCents: number): void {
  let leftCents = Math.max(0, aboveCents);
  let missingCents = toDueCents;
  /** Answers what of it is not due any more. */
  const take = (component: keyof (typeof CARRIED)['due']): number => {
    const amountCents = Math.min(leftCents, balances[CARRIED[lateness][component]]);
    const stillDueCents = Math.min(amountCents, missingCents);
    balances[CARRIED[lateness][component]] -= amountCents;
    balances[CARRIED.due[component]] += stillDueCents;
    leftCents -= amountCents;
    missingCents -= stillDueCents;
    return amountCents - stillDueCents;
  };
  balances.nonDuePrincipalCents += take('principal');
  balances.nonDueInterest = plusCents(balances.nonDueInterest, take('interest'));
}

/** By how much what obligations carry of a draw that is due or overdue, or of the line's own fees (null), is above what they lack of it. */
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
 * Once every obligation is fulfilled, a fee that other money was counted for is carried by none: it is due by itself, and the next
 * statement takes it in. The newest fees first: money meets the oldest ones first. Answers how much money had been counted for them: it is
 * ahead again.
 */
export function releaseFees(state: LineState): number {
  if (state.firstOpenObligation < state.obligations.length || !isCounting(state)) return 0;
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

/** By what a step of the multi-waterfall compares draws: the greater one goes first. */
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

/** The draws, or some of them, in the order in which money reaches them, as they stand now. */
export function drawsInOrder(state: LineState, draws: readonly DrawState[] = state.draws): readonly DrawState[] {
  if (draws.length < 2) return draws;
  const { drawOrder } = settingsOf(state);
  const keyed = draws.map((draw) => ({ draw, keys: drawOrder.map((step) => KEYS[step](state, draw)) }));
  return keyed.sort((a, b) => compareKeys(a.keys, b.keys)).map(({ draw }) => draw);
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < a.length; at += 1) {
    const difference = (b[at] ?? 0) - (a[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
