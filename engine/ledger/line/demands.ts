import { cents } from '../../money/index.js';
import { settingsOf } from '../core/rules.js';
import { limitRoom, overLimitOf } from './credit.js';
import { drawsInOrder, feesOf } from './count-in-order.js';
import { drawMinimum, lineMinimum } from './minimum-payment.js';
import { openFeesCents, principalCents } from './owed.js';
import type { DrawState, LineFee, LinePeriod, LineState } from './state.js';

/** The part of one draw, or of the line itself (null), in a statement. */
export interface Demand {
  readonly draw: DrawState | null;
  /** Fees that are due by themselves, fees that fall due now, and fees that wait until nothing else is left. */
  readonly loose: readonly LineFee[];
  readonly falling: readonly LineFee[];
  readonly waiting: readonly LineFee[];
  /** Fees that are part of the statement in any case. */
  readonly feesCents: number;
  /** Interest and principal that are not due. */
  readonly bodyCents: number;
  askedCents: number;
}

/** The parts of each draw and of the line itself on a statement date. */
export function demandsOf(state: LineState, period: LinePeriod): readonly Demand[] {
  return [...state.draws.map((draw) => drawDemand(state, draw, period)), emptyDemand(state, null, period)];
}

function drawDemand(state: LineState, draw: DrawState, period: LinePeriod): Demand {
  const demand = emptyDemand(state, draw, period);
  const row = draw.rows.find(({ dueDate }) => dueDate === period.dueDate);
  if (row !== undefined) {
    const isLast = draw.rows.every(({ dueDate }) => dueDate <= period.dueDate);
    ask(demand, isLast ? demand.bodyCents : row.amountCents);
  } else if (draw.isAmortized) {
    // Interest that accrued after the last row was fixed, and returned balances: no rows are left for them.
    ask(demand, draw.rows.length === 0 ? demand.bodyCents : 0);
  } else ask(demand, minimumOf(state, draw, demand) - demand.feesCents);
  return demand;
}

/** The minimum payment of a draw by its own terms. */
function minimumOf(state: LineState, draw: DrawState, { feesCents, bodyCents }: Demand): number {
  const { isInterestInMinimum, areFeesInMinimum } = settingsOf(state);
  const { minimum } = draw.activation;
  const asked = drawMinimum(
    {
      percentage: minimum.percentageOfPrincipal,
      percentageOf: 'principal',
      fixedCents: cents(minimum.isOverLimitIncluded ? overLimitOf(draw) : 0),
      minCents: minimum.minCents,
      isInterestIncluded: isInterestInMinimum,
      areFeesIncluded: areFeesInMinimum,
    },
    {
      principalCents: cents(principalCents(draw)),
      balanceCents: cents(bodyCents + feesCents),
      interestCents: cents(draw.balances.nonDueInterest.cents),
      feesCents: cents(feesCents),
    },
  );
  return asked;
}

function emptyDemand(state: LineState, draw: DrawState | null, { dueDate }: LinePeriod): Demand {
  const open = feesOf(state, draw).filter((fee) => fee.openCents > 0 && fee.carriedBy === null && fee.knownDay < state.day);
  const loose = open.filter((fee) => fee.dueStatus === 'due');
  const nonDue = open.filter((fee) => fee.dueStatus === 'nonDue');
  const isFalling = (fee: LineFee): boolean => fee.chargeLogic === 'nextDueDate' && (fee.fromDueDate ?? dueDate) <= dueDate;
  const falling = nonDue.filter(isFalling);
  const feesCents = openFeesCents(loose) + openFeesCents(falling);
  const bodyCents = draw === null ? 0 : draw.balances.nonDuePrincipalCents + draw.balances.nonDueInterest.cents;
  const waiting = nonDue.filter((fee) => !isFalling(fee));
  const demand: Demand = { draw, loose, falling, waiting, feesCents, bodyCents, askedCents: feesCents };
  ask(demand, 0);
  return demand;
}

/** Adds an amount to the fees of a demand. If it is the whole balance, the waiting fees are added, too. */
function ask(demand: Demand, moreCents: number): number {
  const before = demand.askedCents;
  const most = demand.feesCents + demand.bodyCents;
  const asked = Math.min(most, Math.max(demand.feesCents, Math.min(before, most) + Math.max(0, moreCents)));
  demand.askedCents = asked === most ? most + openFeesCents(demand.waiting) : asked;
  return demand.askedCents - before;
}

/**
 * Raises the demands to the minimum of the whole line: its floor, and the balance above its limit. Returns the part that comes
 * from the limit.
 */
export function extraOf(state: LineState, demands: readonly Demand[]): number {
  const { isOverLimitInMinimum } = settingsOf(state);
  const { minimum } = state.terms;
  const ofDraws = demands.filter(({ draw }) => draw !== null);
  const drawsOverCents = state.draws.reduce(
    (sum, draw) => (draw.activation.minimum.isOverLimitIncluded ? sum + overLimitOf(draw) : sum),
    0,
  );
  const isIncluded = isOverLimitInMinimum || minimum.isOverLimitIncluded;
  const overCents = isIncluded ? Math.max(0, -limitRoom(state) - drawsOverCents) : 0;
  const lineCents = demands.reduce((sum, { draw, askedCents }) => (draw === null ? sum + askedCents : sum), 0);
  const askedCents = demands.reduce((sum, demand) => sum + demand.askedCents, 0);
  const total = lineMinimum(
    { minCents: minimum.minCents, overLimit: 'underFloor', isOverdueIncluded: false },
    {
      minimumsCents: ofDraws.map((demand) => cents(demand.askedCents)),
      dueFeesCents: cents(lineCents),
      overLimitCents: cents(overCents),
      overdueCents: cents(0),
      balanceCents: cents(
        demands.reduce((sum, { feesCents, bodyCents, waiting }) => sum + feesCents + bodyCents + openFeesCents(waiting), 0),
      ),
    },
  );
  spread(state, demands, total - askedCents);
  return Math.min(overCents + drawsOverCents, total);
}

/** Spreads the additional amount of the line over its draws in the order of the multi-waterfall. */
function spread(state: LineState, demands: readonly Demand[], extraCents: number): void {
  let leftCents = extraCents;
  for (const draw of drawsInOrder(state)) {
    if (leftCents <= 0) return;
    const demand = demands.find((candidate) => candidate.draw === draw);
    if (demand !== undefined) leftCents -= ask(demand, leftCents);
  }
}

/** Facts that were recorded after the due date do not raise the minimum payment: the last draws are lowered. */
export function boundDemands(demands: readonly Demand[], askedCents: number | undefined): void {
  if (askedCents === undefined) return;
  let excessCents = demands.reduce((sum, demand) => sum + bodyAsked(demand), 0) - askedCents;
  for (const demand of [...demands].reverse()) {
    if (excessCents <= 0) return;
    const lessCents = Math.min(excessCents, bodyAsked(demand));
    if (lessCents > 0) demand.askedCents = demand.feesCents + bodyAsked(demand) - lessCents;
    excessCents -= lessCents;
  }
}

/** The demand without fees. */
const bodyAsked = ({ feesCents, bodyCents, askedCents }: Demand): number => Math.min(bodyCents, Math.max(0, askedCents - feesCents));
