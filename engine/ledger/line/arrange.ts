import type {
  EffectiveTime,
  FeeCanceled,
  FeeChanged,
  OriginationFeeChanged,
  PaymentMoved,
  PaymentVoided,
  ReverseAccelerate,
  ReverseChargeOff,
  ScraDaysSet,
} from '../core/facts.js';
import {
  adjusted,
  areAmongThemselves,
  inTheirOrder,
  type RetroactiveAdjustment,
  retroactiveAdjustmentOf,
} from '../core/retroactive-adjustment.js';
import type { DrawFeeChanged, LineFact, PurchaseVoided } from './facts.js';
import { NO_LINE_ORDERS } from './start.js';
import type { LineOrders } from './state.js';

type SharedPast =
  | PaymentVoided
  | PaymentMoved
  | ReverseAccelerate
  | ReverseChargeOff
  | FeeCanceled
  | FeeChanged
  | ScraDaysSet
  | OriginationFeeChanged;
type PastLineFact = SharedPast | PurchaseVoided | DrawFeeChanged;

/** Facts that apply at their effective time. All other facts change these. */
export type AppliedLineFact = Exclude<LineFact, PastLineFact>;

export interface LineArrangement {
  /** In effective order. */
  readonly facts: readonly AppliedLineFact[];
  readonly orders: LineOrders;
}

const PAST: ReadonlySet<LineFact['type']> = new Set<PastLineFact['type']>([
  'paymentVoided',
  'paymentMoved',
  'reverseAccelerate',
  'reverseChargeOff',
  'feeCanceled',
  'feeChanged',
  'scraDaysSet',
  'purchaseVoided',
  'drawFeeChanged',
  'originationFeeChanged',
]);

/** Facts that change the past: only a replay can apply them. */
export const isAboutThePast = (fact: LineFact): fact is PastLineFact => PAST.has(fact.type);

/** Facts that raise minimum payments. If recorded late, they do not raise payments whose due dates had passed. */
export type LateLineChange = Extract<AppliedLineFact, { readonly type: 'purchase' | 'drawRatesChanged' | 'drawAmortized' }>;

/** Purchases and rates that were recorded after their effective day. */
export const isLateChange = (fact: LineFact): fact is LateLineChange =>
  (fact.type === 'purchase' || fact.type === 'drawRatesChanged' || fact.type === 'drawAmortized') && fact.recordedDay > fact.effective.day;

/** Turns recorded facts into the adjusted history. */
export function arrangeLine(facts: readonly LineFact[]): LineArrangement {
  const past = facts.filter(isAboutThePast);
  const applied = withoutOldRates(facts.filter((fact): fact is AppliedLineFact => !isAboutThePast(fact)));
  if (past.length === 0) return { facts: inTheirOrder(applied), orders: NO_LINE_ORDERS };
  const adjustment = retroactiveAdjustmentOf(past.filter(isShared));
  const voided = new Set(past.map((fact) => (fact.type === 'purchaseVoided' ? fact.purchase : null)));
  const kept = applied.flatMap((fact) => keptFact(fact, adjustment, voided));
  return {
    facts: inTheirOrder(kept),
    orders: { ...adjustment.orders, drawFeesCents: changedDrawFees(past), askedCents: new Map() },
  };
}

/** Like `arrangeSince` of installment loans. */
export function arrangeLineSince(facts: readonly LineFact[]): readonly AppliedLineFact[] | null {
  if (!areAmongThemselves(facts, isAboutThePast)) return null;
  const arranged = arrangeLine(facts).facts;
  return arranged.some(isLateChange) ? null : arranged;
}

/** Rates of a draw replace all rates that were recorded earlier for the same or later days. */
function withoutOldRates(facts: readonly AppliedLineFact[]): readonly AppliedLineFact[] {
  const changes = facts.filter((fact) => fact.type === 'drawRatesChanged');
  if (changes.length < 2) return facts;
  const isOld = (fact: AppliedLineFact): boolean =>
    fact.type === 'drawRatesChanged' &&
    changes.some((later) => later.draw === fact.draw && later.sequence > fact.sequence && isBefore(later.effective, fact.effective));
  return facts.filter((fact) => !isOld(fact));
}

const isBefore = (a: EffectiveTime, b: EffectiveTime): boolean => a.day < b.day || (a.day === b.day && a.seconds <= b.seconds);

const isShared = (fact: PastLineFact): fact is SharedPast => fact.type !== 'purchaseVoided' && fact.type !== 'drawFeeChanged';

/** A fact at its effective time; empty if it was voided or reversed. */
function keptFact(
  fact: AppliedLineFact,
  adjustment: RetroactiveAdjustment,
  voidedPurchases: ReadonlySet<number | null>,
): readonly AppliedLineFact[] {
  switch (fact.type) {
    case 'payment':
    case 'reimbursed':
    case 'paymentSettled':
    case 'feeCharged':
    case 'accelerate':
    case 'chargeOff': {
      const kept = adjusted(fact, adjustment);
      return kept === null ? [] : [kept];
    }
    case 'purchase':
      return voidedPurchases.has(fact.purchase) ? [] : [fact];
    case 'balancesDeferred':
    case 'cancel':
    case 'drawActivated':
    case 'drawAmortized':
    case 'drawCanceled':
    case 'drawClosed':
    case 'drawRatesChanged':
    case 'freeze':
    case 'limitChanged':
    case 'lineClosed':
    case 'lineScheduleChanged':
    case 'lineSeeded':
    case 'pastFeeCanceled':
    case 'principalRaised':
    case 'thresholdsHeld':
    case 'thresholdsReleased':
    case 'unfreeze':
      return [fact];
  }
}

/** The amount that was recorded last applies. */
function changedDrawFees(past: readonly PastLineFact[]): ReadonlyMap<number, number> {
  const inOrderOfRecording = [...past].sort((a, b) => a.sequence - b.sequence);
  return new Map(inOrderOfRecording.flatMap((fact) => (fact.type === 'drawFeeChanged' ? [[fact.draw, fact.amountCents]] : [])));
}
