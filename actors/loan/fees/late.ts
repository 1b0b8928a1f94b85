import {
  type Cents,
  type Day,
  dayAt,
  type FeeAmount,
  type FeeBase,
  type FeeTierTerms,
  FIRST_DAY,
  type LateFeeTerms,
  least,
  type Since,
  ZERO,
} from '../../../engine/index.js';
import { companyOf, type FeeType, feeTypeOf } from '../../company/index.js';
import { actorView } from '../../kernel/actor-logic.js';
import { amount, dateText, dateTimeText, orNull } from '../../wire.js';
import { recordOf } from '../context.js';
import type { PastFee } from '../migration/line/history.js';
import type { DynamicFeeTerms, Origination } from '../origination/terms.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import type { FeeReply } from './types.js';

/** Late-fee types that one loan may have over its life: the ids of their fees are in the loan's reserved block. */
export const MAX_LATE_FEE_TYPES = 4;

/**
 * The late fees of a loan: its product's active late-fee types in the order of their creation, with the amounts
 * that the loan's own terms override and the rule of the borrower's state at origination.
 */
export function lateFeeTerms(
  feeTypes: readonly FeeType[],
  origination: Origination,
  known: readonly string[] = [],
): readonly LateFeeTerms[] {
  const kept = new Set(known);
  const terms: LateFeeTerms[] = [];
  for (const feeType of feeTypes) {
    if (feeType.status !== 'active' || feeType.feeType !== 'lateFee' || feeType.trigger !== 'overdueDays') continue;
    if (!kept.has(feeType.id) && kept.size >= MAX_LATE_FEE_TYPES) continue;
    kept.add(feeType.id);
    terms.push(lateFee(feeType, origination));
  }
  return terms;
}

/** The late fees of a loan over time: each list holds from its day, the first from the beginning. */
export type LateFeeTimeline = readonly Since<readonly LateFeeTerms[]>[];

export const firstLateFees = (value: readonly LateFeeTerms[]): LateFeeTimeline => [{ from: FIRST_DAY, value }];

/** The timeline with the late fees that hold from a day on. */
export function withLateFees(timeline: LateFeeTimeline, from: Day, value: readonly LateFeeTerms[]): LateFeeTimeline {
  return [...timeline.filter((entry) => entry.from < from), { from, value }];
}

export function lateFeesAt(timeline: LateFeeTimeline, day: Day): readonly LateFeeTerms[] {
  return (timeline.findLast((entry) => entry.from <= day) ?? timeline[0])?.value ?? [];
}

export const sameLateFees = (a: readonly LateFeeTerms[], b: readonly LateFeeTerms[]): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

function lateFee(feeType: FeeType, origination: Origination): LateFeeTerms {
  const own = ownTerms(feeType, origination.fees.dynamicFees);
  const rule = feeType.stateRules.find((candidate) => candidate.state === origination.addressState);
  return {
    feeTypeId: feeType.id,
    triggerDays: feeType.triggerDays,
    amount: own?.feeCents != null ? { type: 'fixed', amountCents: own.feeCents } : amountOf(feeType),
    minCents: feeType.minAmount,
    maxCents: feeType.maxAmount,
    capPerLoanCents: leastOf(feeType.capPerLoanAmount, own?.feeCapCents ?? null),
    capPerPeriodCount: feeType.capPerPeriodCount,
    toleranceCents: feeType.toleranceAmount,
    chargeLogic: feeType.chargeLogic,
    stateRule: rule === undefined ? null : { maxCents: rule.maxAmount, graceDays: rule.graceDays ?? 0 },
    ...(feeType.waiveDuringScra ? { isWaivedDuringScra: true } : {}),
    ...(feeType.waiveWhileFrozen ? {} : { isChargedWhileFrozen: true }),
  };
}

function ownTerms(feeType: FeeType, fees: readonly DynamicFeeTerms[]): DynamicFeeTerms | undefined {
  return fees.find((fee) => fee.dynamicFeeTypeId === feeType.id || fee.apiName === feeType.name.apiName);
}

function amountOf(feeType: FeeType): FeeAmount {
  if (feeType.amountLogic === 'tiered') return { type: 'tiered', base: baseOf(feeType), tiers: tiersOf(feeType) };
  const amountCents = feeType.amount ?? ZERO;
  const percentage = feeType.percentage;
  if (percentage === null || feeType.amountLogic === 'fixed') return { type: 'fixed', amountCents };
  const base = baseOf(feeType);
  if (feeType.amountLogic === 'greaterOf' || feeType.amountLogic === 'lesserOf') {
    return { type: feeType.amountLogic, amountCents, percentage, base };
  }
  return { type: 'percentage', percentage, base };
}

const tiersOf = ({ tiers }: FeeType): readonly FeeTierTerms[] =>
  tiers.map((tier) => ({ upToCents: tier.upToAmount, amountCents: tier.amount, percentage: tier.percentage }));

/** A late fee has no purchase or payment to be a percentage of: it is a percentage of the overdue amount. */
function baseOf(feeType: FeeType): FeeBase {
  const base = feeType.percentageBase;
  return base === 'obligationAmount' || base === 'principal' ? base : 'overdueAmount';
}

const leastOf = (a: Cents | null, b: Cents | null): Cents | null => (a === null ? b : b === null ? a : least(a, b));

/** A fee that another system charged, on the draw with its history. Its unpaid part is in the balances at the cutoff. */
export function pastFeeReply(fee: PastFee, state: LoanState, env: ViewEnv): FeeReply {
  const { zone, loanTypeId } = recordOf(state);
  const feeType = feeTypeOf(companyOf(env, state.tenant), loanTypeId, fee.feeTypeId);
  const isCanceled = fee.canceledAt !== null;
  const charged = dateText(fee.chargeDay);
  return {
    id: fee.id,
    type: 'dynamicFee',
    amount: amount(isCanceled ? ZERO : fee.amountCents),
    originalAmount: amount(fee.amountCents),
    remainingAmount: amount(ZERO),
    status: isCanceled ? 'canceled' : 'booked',
    createdDate: dateText(dayAt(zone, fee.createdAt)),
    scheduledDate: charged,
    dueDate: null,
    feeTypeId: fee.feeTypeId,
    drawId: state.draws.find(({ drawType }) => drawType === 'static')?.id ?? null,
    migration: {
      originalDrawId: fee.originalDrawId,
      originalTransactionId: fee.originalTransactionId,
      originalPurchaseId: fee.originalPurchaseId,
    },
    dynamicFeeDetails: {
      loanFeeId: fee.id,
      loanFeeExternalId: fee.externalId,
      apiName: feeType?.name.apiName ?? null,
      displayName: fee.customDisplayName ?? feeType?.name.displayName ?? null,
      caseId: fee.caseId,
      createdBy: actorView(fee.createdBy),
      chargeDate: charged,
      canceledDate: orNull((at: number) => dateText(dayAt(zone, at)), fee.canceledAt),
      canceledBy: orNull(actorView, fee.canceledBy),
      transactionId: fee.originalTransactionId,
      purchaseId: fee.originalPurchaseId,
      capitalizedAmount: amount(ZERO),
      creditedAmount: amount(ZERO),
    },
    timestamps: { createdAt: dateTimeText(fee.createdAt) },
  };
}
