import { addDays } from '../calendar/index.js';
import { advanceFirstOpen, centsOfInterest, type Interest, NO_INTEREST, passEnforced } from '../replay/shared.js';
import { assert } from '../assert.js';
import { drawOf } from './draws.js';
import { beginEntry, enter } from './entering.js';
import type { LineSeeded, SeededBody, SeededDraw, SeededFee, SeededObligation } from './facts.js';
import { feesOf } from './fees-of.js';
import { bookFee, type NewLineFee } from './fees.js';
import { periodAfter } from './periods.js';
import { beginPeriod } from './statement.js';
import type { DrawObligation, DrawState, GraceStanding, LineFee, LineObligation, LinePeriod, LineState } from './state.js';
import { countFor } from './totals.js';

type Standing = SeededFee['standing'];

/** Ordinals of a migrated line: what was overdue at the cutoff, the period that was closed by it, and the running one. */
const OVERDUE_ORDINAL = 0;
const CLOSED_ORDINAL = 1;

/**
 * A line begins with the balances of its cutoff (loans.md 10.4): the statement of the closed period is made, what it asked
 * for is due, what was not paid before is overdue as one obligation, and the next period runs.
 */
export function seedLine(state: LineState, fact: LineSeeded): void {
  assert(state.obligations.length === 0 && fact.effective.day === state.terms.activation, 'a line is seeded once, when its ledger begins');
  const before = beginEntry(state);
  const closed: LinePeriod = { ordinal: CLOSED_ORDINAL, ...fact.period };
  const late = latePeriod(closed, fact);
  const running = periodAfter(state.schedule, closed);
  state.periods = fact.obligation.overdueCents > 0 ? [late, closed, running] : [closed, running];
  for (const seed of fact.draws) seedDraw(drawOf(state, seed.draw), seed);
  for (const fee of fact.fees) seedFee(state, null, fee, { closed, late });
  for (const seed of fact.draws) for (const fee of seed.fees) seedFee(state, drawOf(state, seed.draw), fee, { closed, late });
  const { obligation } = fact;
  if (obligation.overdueCents > 0) {
    state.obligations.push({ ...obligationOf(fact, late, { at: 'overdue', ...overdueOf(obligation) }), isEnforced: true });
  }
  state.obligations.push(obligationOf(fact, closed, { at: 'due', amountCents: obligation.amountCents, remainingCents: obligation.remainingCents }));
  advanceFirstOpen(state);
  passEnforced(state);
  state.totals.reimbursementCents = fact.reimbursementCents;
  beginPeriod(state);
  enter(state, before, 'migration');
}

/** Stands for all periods before, as far as something of them was overdue: the days overdue are counted from its due date. */
function latePeriod(closed: LinePeriod, { effective, obligation }: LineSeeded): LinePeriod {
  const dueDate = addDays(effective.day, -Math.max(1, obligation.daysOverdue));
  const endDate = addDays(closed.startDate, -1);
  return { ordinal: OVERDUE_ORDINAL, startDate: endDate, endDate, statementDate: closed.startDate, dueDate };
}

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

/** What a fee of each standing fell due with. */
interface Carriers {
  readonly closed: LinePeriod;
  readonly late: LinePeriod;
}

/** It was charged before the cutoff, so that it counts for the next statement and not among what this service has charged. */
function seedFee(state: LineState, draw: DrawState | null, { kind, standing, amountCents }: SeededFee, { closed, late }: Carriers): void {
  if (amountCents === 0) return;
  const chargeDay = closed.startDate;
  const fee: NewLineFee = {
    fee: null, obligation: null, feeTypeId: kind, kind: 'otherFee', chargeLogic: 'nextDueDate', chargeDay, chargeSeconds: 0, knownDay: chargeDay,
    amountCents, origin: ORIGINS[kind],
  };
  bookFee(state, draw, fee);
  countFor(state, draw, (totals) => (totals.feesChargedCents -= amountCents));
  const booked = feesOf(state, draw).at(-1);
  if (booked !== undefined) place(booked, standing, standing === 'due' ? closed : late);
}

function place(fee: LineFee, standing: Standing, { ordinal, dueDate }: LinePeriod): void {
  if (standing === 'nonDue') return;
  fee.standing = standing;
  fee.carriedBy = ordinal;
  fee.dueDay = dueDate;
}

const overdueOf = ({ overdueCents, overdueRemainingCents }: SeededObligation): { readonly amountCents: number; readonly remainingCents: number } => ({
  amountCents: overdueCents, remainingCents: overdueRemainingCents,
});

interface Asked {
  readonly at: 'due' | 'overdue';
  readonly amountCents: number;
  readonly remainingCents: number;
}

/** What was met before the cutoff is not known by draw: it counts as met by the line, ahead of all that comes. */
function obligationOf(fact: LineSeeded, period: LinePeriod, { at, amountCents, remainingCents }: Asked): LineObligation {
  const parts = [...fact.draws.map((draw) => partOf(draw.draw, draw[at], draw.fees, { at, grace: graceOf(draw) })), partOf(null, NOTHING, fact.fees, { at, grace: NO_GRACE })];
  const sum = (of: (part: DrawObligation) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const interestCents = sum((part) => part.interestCents);
  const feesCents = sum((part) => part.feesCents);
  assert(sum((part) => part.remainingCents) === remainingCents, 'what an obligation lacks is what its draws have due');
  const metCents = amountCents - remainingCents;
  const whole = { fullBalanceCents: fact.draws.reduce((total, draw) => total + draw.fullBalanceCents, 0), isEligible: fact.obligation.isGraceEligible };
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
    isFulfilled: remainingCents === 0,
    isEnforced: false,
    isLateFeeBlocked: false,
    period,
    overLimitCents: 0,
    carriedOverdueCents: at === 'due' ? fact.obligation.overdueRemainingCents : 0,
    grace: { ...NO_GRACE, ...whole, fullBalanceMinusOverdueCents: whole.fullBalanceCents - fact.obligation.overdueRemainingCents },
    draws: parts.map((part) => (part.draw === null ? { ...part, amountCents: part.amountCents + metCents, prepaidCents: metCents } : part)),
  };
}

const NOTHING = { principalCents: 0, interestCents: 0 };

const NO_GRACE: GraceStanding = { fullBalanceCents: 0, fullBalanceMinusOverdueCents: 0, principalCents: 0, totalFulfilledOnDueDateCents: 0, isEligible: false };

const graceOf = ({ fullBalanceCents, nonDue, due, overdue, fees, isGraceEligible }: SeededDraw): GraceStanding => ({
  fullBalanceCents,
  principalCents: nonDue.principalCents + due.principalCents + overdue.principalCents,
  fullBalanceMinusOverdueCents: fullBalanceCents - overdue.principalCents - overdue.interestCents - feesIn(fees, 'overdue'),
  totalFulfilledOnDueDateCents: 0,
  isEligible: isGraceEligible,
});

interface At {
  readonly at: 'due' | 'overdue';
  readonly grace: GraceStanding;
}

function partOf(draw: number | null, { principalCents, interestCents }: SeededBody | typeof NOTHING, fees: readonly SeededFee[], { at, grace }: At): DrawObligation {
  const feesCents = feesIn(fees, at);
  const amountCents = principalCents + interestCents + feesCents;
  return {
    draw, amountCents, interestCents, feesCents, remainingCents: amountCents, paymentsCents: 0, creditsCents: 0, prepaidCents: 0, capitalizedCents: 0,
    grace: { ...grace },
  };
}

const feesIn = (fees: readonly SeededFee[], at: Standing): number => fees.reduce((sum, { standing, amountCents }) => (standing === at ? sum + amountCents : sum), 0);

const interestOf = (cents: number): Interest => (cents === 0 ? NO_INTEREST : centsOfInterest(cents));

