import {
  shareOfCents,
  cents,
  type Cents,
  type Day,
  type FeeCharged,
  type FeeReference,
  type FeeState,
  latest,
  type LineFeeCharged,
  must,
  type Rate,
  ZERO,
} from '../../../engine/index.js';
import { companyOf, type FeeType, feeTypeOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, recordOf } from '../context.js';
import { type DrawOrigination, drawStatusOf, mayMoveDraw } from '../draws/draw.js';
import type { LedgerChange } from '../facts.js';
import { feesIn, obligationsIn, periodsIn, principalOf, type RunningLedger } from '../ledger/running.js';
import { type LoanStatus, mayMove } from '../machine.js';
import type { ScheduledWork } from '../catch-up.js';
import type { DynamicFeeTerms, OriginationFees } from '../origination/terms.js';
import type { ChargedFee, LoanState } from '../state.js';
import { kindOf } from './coming.js';
import type { FeeChargedBody, ScheduledFeeCanceledBody } from './evolve.js';

/** What decides the amount of a fee that is charged by hand or by a trigger other than lateness. */
export interface FeeQuote {
  readonly feeType: FeeType;
  /** Instead of the configured amount; clipped to the same bounds. */
  readonly amountCents?: Cents | null;
  /** Amount of the payment or purchase that caused the fee, for percentages of it. */
  readonly baseCents?: Cents;
  /** The day of its charge, if that is past with the ledger at its end; by default the day of the ledger. */
  readonly day?: Day;
  readonly ledgerThen?: RunningLedger;
  /** The period that it is for; by default the one of its day. */
  readonly period?: number;
  /** Fee terms of the draw that bears it; they come before the line's. */
  readonly ofDraw?: OwnFees;
  /** A fee whose amount changes: its old amount does not count for the caps. */
  readonly but?: FeeReference;
}

/**
 * The amount of a fee, by its type's logic or as given. It is clipped to the type's bounds and caps and the loan's own cap, never refused.
 * Zero means that no fee is charged.
 */
export function feeCents(state: LoanState, ledger: RunningLedger, quote: FeeQuote): Cents {
  const { feeType } = quote;
  const own = (quote.ofDraw && ownTerms(quote.ofDraw, feeType)) ?? ownTerms(recordOf(state).atOrigination.fees, feeType);
  const configured = own?.feeCents ?? amountByLogic(quote.ledgerThen ?? ledger, quote);
  let value: number = quote.amountCents ?? configured;
  if (feeType.minAmount !== null) value = Math.max(value, feeType.minAmount);
  if (feeType.maxAmount !== null) value = Math.min(value, feeType.maxAmount);
  const rule = feeType.stateRules.find((candidate) => candidate.state === recordOf(state).atOrigination.addressState);
  if (rule?.maxAmount != null) value = Math.min(value, rule.maxAmount);
  const known = knownFees(state, ledger, quote);
  const knownCents = known.reduce((total, fee) => total + fee.amountCents, 0);
  for (const cap of [feeType.capPerLoanAmount, own?.feeCapCents ?? null]) {
    if (cap !== null) value = Math.min(value, cap - knownCents);
  }
  if (feeType.capPerPeriodCount !== null && quote.but === undefined) {
    const period = quote.period ?? periodAt(ledger, quote.day ?? ledger.day);
    const inPeriod = known.filter((fee) => fee.period === period).length;
    if (inPeriod >= feeType.capPerPeriodCount) value = 0;
  }
  return cents(Math.max(0, value));
}

interface KnownFee {
  readonly amountCents: number;
  readonly period: number;
}

/** Fees of a type that count for its caps: charged and scheduled ones. */
function knownFees(state: LoanState, ledger: RunningLedger, { feeType: { id }, but }: FeeQuote): readonly KnownFee[] {
  const byHand = (activationOf(state)?.fees ?? []).filter(({ fee }) => !(but?.type === 'charged' && but.fee === fee));
  const charged = feesIn(ledger)
    .filter((fee) => fee.feeTypeId === id && !fee.isCanceled && !isFee(fee, but))
    .map(({ fee, amountCents, chargeDay }) => ({
      amountCents,
      period: byHand.find((known) => known.fee === fee)?.period ?? periodAt(ledger, chargeDay),
    }));
  const waiting = byHand.flatMap(({ scheduled, feeTypeId, amountCents, period }) =>
    scheduled === null || feeTypeId !== id ? [] : [{ amountCents, period: period ?? periodAt(ledger, scheduled.day) }],
  );
  return [...charged, ...waiting];
}

const isFee = ({ fee, feeTypeId, obligation }: FeeState, named: FeeReference | undefined): boolean =>
  named?.type === 'charged'
    ? named.fee === fee
    : named !== undefined && fee === null && named.feeTypeId === feeTypeId && named.obligation === obligation;

/** The period that contains a day; days after the last due date count as one more period. */
function periodAt(ledger: RunningLedger, day: Day): number {
  const periods = periodsIn(ledger);
  return periods.find(({ endDay }) => day <= endDay)?.ordinal ?? periods.length;
}

function feeChange(feeType: FeeType, fee: number, amountCents: Cents): LedgerChange<FeeCharged> {
  return { type: 'feeCharged', fee, feeTypeId: feeType.id, kind: kindOf(feeType), amountCents, chargeLogic: feeType.chargeLogic };
}

/** The ledger's change for a fee that is charged by hand; for a line with the draw that bears it, if one does. */
export function feeChangeOn(
  state: LoanState,
  feeType: FeeType,
  fee: number,
  amountCents: Cents,
  draw: number | null,
): LedgerChange<FeeCharged | LineFeeCharged> {
  const change = feeChange(feeType, fee, amountCents);
  return state.line === null ? change : { ...change, draw };
}

/** The ledger's change for an automatic fee: its type decides whether military service waives it. */
export const automaticFeeChange: typeof feeChangeOn = (state, feeType, fee, amountCents, draw) => {
  const change = feeChangeOn(state, feeType, fee, amountCents, draw);
  return feeType.waiveDuringScra ? { ...change, isWaivedDuringScra: true } : change;
};

/** The number of the next fee of a loan. */
export const nextFeeNumber = (state: LoanState): number => (activationOf(state)?.fees.length ?? 0) + 1;

/** Fee terms of a loan or draw itself. */
type OwnFees =
  | Pick<OriginationFees, 'dynamicFees' | 'serviceFeeCents' | 'serviceFeeCapCents'>
  | Pick<DrawOrigination, 'dynamicFees' | 'serviceFeeCents' | 'serviceFeeCapCents'>;

/** Its terms of one fee: of its dynamic fees, and for service fees its own amount and cap; undefined if it has none. */
function ownTerms(
  { dynamicFees, serviceFeeCents, serviceFeeCapCents }: OwnFees,
  feeType: FeeType,
): Pick<DynamicFeeTerms, 'feeCents' | 'feeCapCents'> | undefined {
  const own = dynamicFees.find(isOf(feeType));
  if (own !== undefined || feeType.feeType !== 'serviceFee') return own;
  return serviceFeeCents === null && serviceFeeCapCents === null
    ? undefined
    : { feeCents: serviceFeeCents, feeCapCents: serviceFeeCapCents };
}

const isOf =
  ({ id, name }: FeeType) =>
  (fee: DynamicFeeTerms): boolean =>
    fee.dynamicFeeTypeId === id || fee.apiName === name.apiName;

function amountByLogic(ledger: RunningLedger, { feeType, baseCents }: FeeQuote): number {
  const base = baseOf(ledger, feeType, baseCents ?? ZERO);
  const part = percentageCents(feeType.percentage, base);
  const fixed = feeType.amount ?? 0;
  switch (feeType.amountLogic) {
    case 'fixed':
      return fixed;
    case 'percentage':
      return part;
    case 'greaterOf':
      return Math.max(fixed, part);
    case 'lesserOf':
      return Math.min(fixed, part);
    case 'tiered': {
      const tier = feeType.tiers.find((candidate) => candidate.upToAmount === null || base <= candidate.upToAmount);
      return tier === undefined ? 0 : (tier.amount ?? percentageCents(tier.percentage, base));
    }
  }
}

function baseOf(ledger: RunningLedger, feeType: FeeType, baseCents: Cents): number {
  switch (feeType.percentageBase) {
    case 'principal':
      return principalOf(ledger);
    case 'obligationAmount':
      return obligationsIn(ledger).find((obligation) => !obligation.isFulfilled)?.obligationCents ?? 0;
    case 'overdueAmount':
      return obligationsIn(ledger).reduce((sum, obligation) => (obligation.isOverdue ? sum + obligation.remainingCents : sum), 0);
    case 'purchaseAmount':
    case 'paymentAmount':
    case null:
      return baseCents;
  }
}

/** A percentage of an amount, rounded half up to the cent. */
function percentageCents(percentage: Rate | null, ofCents: number): number {
  if (percentage === null) return 0;
  return shareOfCents(ofCents, percentage, 'halfUp');
}

/**
 * Fees that were scheduled: on their day they are charged in the ledger, or canceled if the loan has ended. A payoff cancels them at once.
 */
export const scheduledFeeWork: ScheduledWork<EvolveEnv> = {
  nextDay(state) {
    let next: Day | null = null;
    for (const fee of waiting(state)) {
      const day = workDayOf(state, fee);
      if (day !== null && (next === null || day < next)) next = day;
    }
    return next;
  },
  *due(state, day, env) {
    for (const fee of waiting(state)) {
      const workDay = workDayOf(state, fee);
      if (workDay !== null && workDay <= day) yield draftOf(state, fee, env, workDay);
    }
  },
};

/**
 * The day on which a scheduled fee is charged or canceled. Null while money in processing covers all that is owed: if it settles, the loan
 * is paid off, as the payoff was quoted without this fee. If it fails, the fee is charged for its day.
 */
function workDayOf(state: LoanState, fee: Waiting): Day | null {
  const { status, through, outstandingCents } = must(activationOf(state), `${state.id} has no ledger`).summary;
  if (isPaidOffSince(fee, status)) return through;
  if (status === 'active' && outstandingCents === 0 && (state.line === null || recordOf(state).isClosed)) return null;
  return latest(fee.scheduled.day, through);
}

/** Whether the loan was paid off after the fee was ordered. */
const isPaidOffSince = ({ isOrderedAfterPayoff }: Waiting, status: LoanStatus): boolean =>
  status === 'paidOff' && isOrderedAfterPayoff !== true;

type Waiting = ChargedFee & { readonly scheduled: NonNullable<ChargedFee['scheduled']> };

const waiting = (state: LoanState): readonly Waiting[] =>
  (activationOf(state)?.fees ?? []).filter((fee): fee is Waiting => fee.scheduled !== null);

function draftOf(state: LoanState, fee: Waiting, env: EvolveEnv, recordedDay: Day): FactDraft {
  const feeType = feeTypeOf(companyOf(env, state.tenant), recordOf(state).loanTypeId, fee.feeTypeId);
  const reason = feeType === undefined ? 'the fee type was deleted' : obstacleOf(state, fee, env);
  if (feeType === undefined || reason !== null) {
    const body: ScheduledFeeCanceledBody = { feeId: fee.id, reason, caseId: null };
    return { type: 'ScheduledFeeCanceled', body };
  }
  const { id, externalId, category, customDisplayName, period, draw, caseId } = fee;
  const body: FeeChargedBody = {
    change: feeChangeOn(state, feeType, fee.fee, fee.amountCents, draw ?? null),
    details: {
      id,
      externalId,
      category,
      customDisplayName,
      ...(period === undefined ? {} : { period }),
      ...(draw === undefined ? {} : { draw }),
    },
    recordedDay,
    caseId,
    reason: null,
  };
  return { type: 'FeeCharged', body, effective: fee.scheduled };
}

/** Why a scheduled fee is not charged: the status of the loan, or of the draw that would bear it; null if nothing prevents it. */
function obstacleOf(state: LoanState, fee: Waiting, env: EvolveEnv): string | null {
  const status = activationOf(state)?.summary.status ?? 'canceled';
  if (isPaidOffSince(fee, status) || !mayMove(status, 'chargeFee')) return `the loan is ${status}`;
  const draw = state.draws.find(({ draw: number }) => number === fee.draw);
  if (draw === undefined) return null;
  const drawStatus = drawStatusOf(state, env, draw);
  return mayMoveDraw(drawStatus, 'manageFees') ? null : `the draw is ${drawStatus}`;
}
