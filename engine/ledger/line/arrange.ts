import { inOrder, isReversed, retroactiveAdjustmentOf, type RetroactiveAdjustment, settledInTime } from '../core/retroactive-adjustment.js';
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

/** Facts that happen at their effective time. The others say something about these. */
export type AppliedLineFact = Exclude<LineFact, PastLineFact>;

export interface LineArrangement {
  /** In the order in which they happened. */
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

/** Facts that change what has been before them: only a replay can take them in. */
export const isAboutThePast = (fact: LineFact): fact is PastLineFact => PAST.has(fact.type);

/** What makes minimum payments dearer. Recorded late, it leaves the ones whose due dates had passed as they were. */
export type LateLineChange = Extract<AppliedLineFact, { readonly type: 'purchase' | 'drawRatesChanged' | 'drawAmortized' }>;

/** Purchases and rates that were recorded after the day they hold from. */
export const isLateChange = (fact: LineFact): fact is LateLineChange =>
  (fact.type === 'purchase' || fact.type === 'drawRatesChanged' || fact.type === 'drawAmortized') && fact.recordedDay > fact.effective.day;

/** The facts as they were recorded, as the history that is now known. */
export function arrangeLine(facts: readonly LineFact[]): LineArrangement {
  const past = facts.filter(isAboutThePast);
  const applied = withoutOldRates(facts.filter((fact): fact is AppliedLineFact => !isAboutThePast(fact)));
  if (past.length === 0) return { facts: settledInTime(inOrder(applied)), orders: NO_LINE_ORDERS };
  const adjustment = retroactiveAdjustmentOf(past.filter(isShared));
  const voided = new Set(past.map((fact) => (fact.type === 'purchaseVoided' ? fact.purchase : null)));
  const kept = applied.flatMap((fact) => keptFact(fact, adjustment, voided));
  return {
    facts: settledInTime(inOrder(kept)),
    orders: { ...adjustment.orders, drawFeesCents: changedDrawFees(past), askedCents: new Map() },
  };
}

/** The rates of a draw that were recorded last tell of all days from theirs on: what was recorded before about those days is no more. */
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

/** A fact where it happened, if it did. */
function keptFact(
  fact: AppliedLineFact,
  adjustment: RetroactiveAdjustment,
  voidedPurchases: ReadonlySet<number | null>,
): readonly AppliedLineFact[] {
  switch (fact.type) {
    case 'payment':
    case 'reimbursed': {
      if (adjustment.voided.has(fact.transaction)) return [];
      const effective = adjustment.moved.get(fact.transaction);
      return [effective === undefined ? fact : { ...fact, effective }];
    }
    case 'paymentSettled':
      return adjustment.voided.has(fact.transaction) ? [] : [fact];
    case 'purchase':
      return voidedPurchases.has(fact.purchase) ? [] : [fact];
    case 'feeCharged': {
      const amountCents = adjustment.changedFees.get(fact.fee);
      return [amountCents === undefined ? fact : { ...fact, amountCents }];
    }
    case 'accelerate':
      return isReversed(fact, adjustment.accelerationReversals) ? [] : [fact];
    case 'chargeOff':
      return isReversed(fact, adjustment.chargeOffReversals) ? [] : [fact];
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

/** The amount that was recorded last counts. */
function changedDrawFees(past: readonly PastLineFact[]): ReadonlyMap<number, number> {
  const inOrderOfRecording = [...past].sort((a, b) => a.sequence - b.sequence);
  return new Map(inOrderOfRecording.flatMap((fact) => (fact.type === 'drawFeeChanged' ? [[fact.draw, fact.amountCents]] : [])));
}
