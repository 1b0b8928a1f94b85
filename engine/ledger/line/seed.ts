import { assert } from '../../assert.js';
import type { DueStatus } from '../../waterfall.js';
import { centsOfInterest, type Interest, NO_INTEREST } from '../core/interest.js';
import { advanceFirstOpen } from '../core/obligations.js';
import { passEnforced } from '../core/overdue.js';
import { holds, settingsOf } from '../core/rules.js';
import { amortizeSeeded } from './amortized.js';
import { feesOf } from './count-in-order.js';
import { countFor, drawOf } from './credit.js';
import { beginEntry, enter } from './entering.js';
import { dueStatusOfSeeded, type LineSeeded, type SeededDraw, type SeededFee } from './facts.js';
import { addFee, type NewLineFee } from './fees.js';
import { unpaidPart } from './fix-obligation.js';
import { periodAfter, runningPeriod } from './periods.js';
import { type CarriedFee, overdueObligations, type SeededShare } from './seed-overdue.js';
import type { DrawObligation, DrawState, GraceBalances, LineFee, LineObligation, LinePeriod, LineState } from './state.js';
import { beginPeriod } from './statement.js';

/**
 * Begins a line with the balances of its cutoff: the statement of the closed period is made and its amount is due, earlier unpaid
 * amounts are overdue in earlier obligations, and the next period runs.
 */
export function seedLine(state: LineState, fact: LineSeeded): void {
  assert(state.obligations.length === 0 && fact.effective.day === state.terms.activation, 'a line is seeded once, when its ledger begins');
  const before = beginEntry(state);
  const overdue = overdueObligations(fact);
  const closed: LinePeriod = { ordinal: Math.max(1, overdue.length), ...fact.period };
  state.periods = [...overdue.map(({ period }) => period), closed, periodAfter(state.schedule, closed)];
  for (const seed of fact.draws) seedDraw(drawOf(state, seed.draw), seed);
  const waiting = [...feesBut(null, fact.fees), ...fact.draws.flatMap(({ draw, fees }) => feesBut(draw, fees))];
  const late = overdue.flatMap(({ period, fees }) => fees.map((of) => ({ ...of, period })));
  const first = waiting.map((of) => ({ ...of, period: closed }));
  for (const { draw, fee, period } of holds(state, 'overdueFeesFirst') ? [...late, ...first] : [...first, ...late])
    seedFee(state, draw, fee, period);
  for (const draw of state.draws) amortizeSeeded(state, draw);
  for (const { period, amountCents, remainingCents, shares } of overdue) {
    state.obligations.push({
      ...obligationOf(state, fact, period, { at: 'overdue', amountCents, remainingCents, shares }),
      isEnforced: true,
    });
  }
  const { amountCents, remainingCents } = fact.obligation;
  state.obligations.push(obligationOf(state, fact, closed, { at: 'due', amountCents, remainingCents, shares: dueShares(fact) }));
  advanceFirstOpen(state);
  passEnforced(state);
  state.totals.reimbursementCents = fact.reimbursementCents;
  beginPeriod(state);
  enter(state, before, 'migration');
}

/** Fees that no earlier obligation carries. */
const feesBut = (draw: number | null, fees: readonly SeededFee[]): readonly CarriedFee[] =>
  fees.flatMap((fee) => (dueStatusOfSeeded(fee) === 'overdue' ? [] : [{ draw, fee }]));

const dueShares = ({ draws, fees }: LineSeeded): readonly SeededShare[] => [
  ...draws.map((draw) => ({ draw: draw.draw, ...draw.due, feesCents: feesIn(draw.fees, 'due') })),
  { draw: null, principalCents: 0, interestCents: 0, feesCents: feesIn(fees, 'due') },
];

function seedDraw(draw: DrawState, { nonDue, due, overdue, isGraceEligible }: SeededDraw): void {
  const { balances } = draw;
  balances.nonDuePrincipalCents = nonDue.principalCents;
  balances.nonDueInterest = nonDue.interestCents === 0 ? NO_INTEREST : centsOfInterest(nonDue.interestCents);
  balances.duePrincipalCents = due.principalCents;
  balances.dueInterestCents = due.interestCents;
  balances.overduePrincipalCents = overdue.principalCents;
  balances.overdueInterestCents = overdue.interestCents;
  draw.isGraceEligible = draw.activation.grace.isApplicable && isGraceEligible;
}

const ORIGINS = { originationFee: 'origination', drawFee: 'draw', dynamicFee: 'charged', serviceFee: 'charged' } as const;

/** Adds a fee from before the cutoff: it is part of the next statement, but not of the fees that this service has charged. */
function seedFee(
  state: LineState,
  number: number | null,
  { kind, standing: dueStatus, amountCents }: SeededFee,
  carrier: LinePeriod,
): void {
  if (amountCents === 0) return;
  const draw = number === null ? null : drawOf(state, number);
  const chargeDay = runningPeriod(state).startDate;
  const fee: NewLineFee = {
    fee: null,
    obligation: null,
    feeTypeId: kind,
    kind: 'otherFee',
    chargeLogic: 'nextDueDate',
    chargeDay,
    chargeSeconds: 0,
    knownDay: chargeDay,
    amountCents,
    origin: ORIGINS[kind],
  };
  addFee(state, draw, fee);
  countFor(state, draw, (totals) => (totals.feesChargedCents -= amountCents));
  const added = feesOf(state, draw).at(-1);
  if (added !== undefined) assignToPeriod(added, dueStatus, carrier);
}

function assignToPeriod(fee: LineFee, dueStatus: DueStatus, { ordinal, dueDate }: LinePeriod): void {
  if (dueStatus === 'nonDue') return;
  fee.dueStatus = dueStatus;
  fee.carriedBy = ordinal;
  fee.dueDay = dueDate;
}

interface Asked {
  readonly at: 'due' | 'overdue';
  readonly amountCents: number;
  readonly remainingCents: number;
  readonly shares: readonly SeededShare[];
}

/** Amounts paid before the cutoff are not known by draw: they count as paid in advance on the line. */
function obligationOf(
  state: LineState,
  fact: LineSeeded,
  period: LinePeriod,
  { at, amountCents, remainingCents, shares }: Asked,
): LineObligation {
  const parts = shares.map((share) => unpaidPart(share, graceOf(fact.draws.find(({ draw }) => draw === share.draw))));
  const sum = (of: (part: DrawObligation) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const interestCents = sum((part) => part.interestCents);
  const feesCents = sum((part) => part.feesCents);
  assert(sum((part) => part.remainingCents) === remainingCents, 'what an obligation lacks is what its draws have due');
  const metCents = amountCents - remainingCents;
  const whole = {
    fullBalanceCents: fact.draws.reduce((total, draw) => total + draw.fullBalanceCents, 0),
    isEligible: fact.obligation.isGraceEligible,
  };
  return {
    ordinal: period.ordinal,
    dueDay: period.dueDate,
    amountCents,
    baseCents: amountCents - feesCents,
    principalCents: amountCents - feesCents - interestCents,
    interestCents,
    feesCents,
    unroundedInterest: interestOf(interestCents),
    unroundedDiscount: NO_INTEREST,
    remainingCents,
    paymentsCents: 0,
    creditsCents: 0,
    prepaidCents: metCents,
    capitalizedCents: 0,
    unassignedCents: 0,
    withoutLateFeesCents: remainingCents,
    pausedDays: 0,
    isFulfilled: remainingCents <= settingsOf(state).overdueToleranceCents,
    isEnforced: false,
    isLateFeeBlocked: false,
    period,
    overLimitCents: 0,
    carriedOverdueCents: at === 'due' ? fact.obligation.overdueRemainingCents : 0,
    grace: { ...NO_GRACE, ...whole, fullBalanceMinusOverdueCents: whole.fullBalanceCents - fact.obligation.overdueRemainingCents },
    draws: parts.map((part) => (part.draw === null ? { ...part, amountCents: part.amountCents + metCents, prepaidCents: metCents } : part)),
  };
}

const NO_GRACE: GraceBalances = {
  fullBalanceCents: 0,
  fullBalanceMinusOverdueCents: 0,
  principalCents: 0,
  totalFulfilledOnDueDateCents: 0,
  isEligible: false,
};

function graceOf(draw: SeededDraw | undefined): GraceBalances {
  if (draw === undefined) return NO_GRACE;
  const { fullBalanceCents, nonDue, due, overdue, fees, isGraceEligible } = draw;
  return {
    fullBalanceCents,
    principalCents: nonDue.principalCents + due.principalCents + overdue.principalCents,
    fullBalanceMinusOverdueCents: fullBalanceCents - overdue.principalCents - overdue.interestCents - feesIn(fees, 'overdue'),
    totalFulfilledOnDueDateCents: 0,
    isEligible: isGraceEligible,
  };
}

const feesIn = (fees: readonly SeededFee[], at: DueStatus): number =>
  fees.reduce((sum, fee) => (dueStatusOfSeeded(fee) === at ? sum + fee.amountCents : sum), 0);

const interestOf = (cents: number): Interest => (cents === 0 ? NO_INTEREST : centsOfInterest(cents));
