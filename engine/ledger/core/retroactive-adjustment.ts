import { must } from '../../assert.js';
import type { Day } from '../../calendar/index.js';
import type { Cents } from '../../money/index.js';
import type {
  Accelerate,
  AdvanceCanceled,
  ChargebackReversed,
  ChargeOff,
  DaySpan,
  EffectiveTime,
  FactPosition,
  FeeCanceled,
  FeeChanged,
  FeeCharged,
  OriginationFeeChanged,
  Payment,
  PaymentMoved,
  PaymentSettled,
  PaymentVoided,
  Refund,
  RefundCanceled,
  Reimbursed,
  ReverseAccelerate,
  ReverseChargeOff,
  ScraDaysSet,
} from './facts.js';
import type { ChangedLateFee, FeeWaiver, OrdersInForce, WaivedLateFee } from './state.js';

/** Effective time, then the order of recording. */
export function compareFacts(a: FactPosition, b: FactPosition): number {
  return a.effective.day - b.effective.day || a.effective.seconds - b.effective.seconds || a.sequence - b.sequence;
}

/** Sorts facts that are nearly in order: each fact that was recorded late is inserted at its position. */
function inOrder<Fact extends FactPosition>(facts: readonly Fact[]): readonly Fact[] {
  let sorted: Fact[] | null = null;
  let last = facts[0];
  for (const fact of facts) {
    if (last !== undefined && compareFacts(last, fact) > 0) {
      sorted ??= facts.slice(0, facts.indexOf(fact));
      sorted.splice(insertionIndexOf(sorted, fact), 0, fact);
    } else {
      sorted?.push(fact);
      last = fact;
    }
  }
  return sorted ?? facts;
}

function insertionIndexOf(sorted: readonly FactPosition[], fact: FactPosition): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareFacts(must(sorted[middle], 'a fact'), fact) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Facts that change other facts, or derived events. */
export type PastFact =
  | PaymentVoided
  | PaymentMoved
  | ChargebackReversed
  | ReverseAccelerate
  | ReverseChargeOff
  | FeeCanceled
  | FeeChanged
  | ScraDaysSet
  | OriginationFeeChanged
  | AdvanceCanceled
  | Refund
  | RefundCanceled;

/** All that facts about the past change. */
export interface RetroactiveAdjustment {
  /** Payments and refunds. */
  readonly voided: ReadonlySet<number>;
  readonly canceledAdvances: ReadonlySet<number>;
  readonly reversedChargebacks: ReadonlySet<number>;
  readonly moved: ReadonlyMap<number, EffectiveTime>;
  readonly changedFees: ReadonlyMap<number, Cents>;
  readonly accelerationReversals: readonly FactPosition[];
  readonly chargeOffReversals: readonly FactPosition[];
  readonly orders: OrdersInForce;
}

export function retroactiveAdjustmentOf(facts: readonly PastFact[]): RetroactiveAdjustment {
  const voided = new Set<number>();
  const canceledAdvances = new Set<number>();
  const reversedChargebacks = new Set<number>();
  const moved = new Map<number, EffectiveTime>();
  const waivedFees: number[] = [];
  const waivedLateFees: WaivedLateFee[] = [];
  const changedFees = new Map<number, Cents>();
  const changedLateFees: ChangedLateFee[] = [];
  let originationFeeCents: number | null = null;
  let scraDays: readonly DaySpan[] = [];
  const accelerationReversals: FactPosition[] = [];
  const chargeOffReversals: FactPosition[] = [];
  for (const fact of [...facts].sort((a, b) => a.sequence - b.sequence)) {
    if (fact.type === 'paymentVoided' || fact.type === 'refundCanceled') voided.add(fact.transaction);
    else if (fact.type === 'advanceCanceled') canceledAdvances.add(fact.advance);
    else if (fact.type === 'chargebackReversed') reversedChargebacks.add(fact.chargeback);
    else if (fact.type === 'paymentMoved') moved.set(fact.transaction, fact.newEffective);
    else if (fact.type === 'reverseAccelerate') accelerationReversals.push(fact);
    else if (fact.type === 'reverseChargeOff') {
      // A charge-off includes an acceleration, so its reversal reverses that too.
      accelerationReversals.push(fact);
      chargeOffReversals.push(fact);
    } else if (fact.type === 'originationFeeChanged') originationFeeCents = fact.amountCents;
    else if (fact.type === 'scraDaysSet') scraDays = fact.spans;
    if (fact.type === 'feeChanged' && fact.fee.type === 'charged') changedFees.set(fact.fee.fee, fact.amountCents);
    else if (fact.type === 'feeChanged' && fact.fee.type === 'late') changedLateFees.push({ ...fact.fee, amountCents: fact.amountCents });
    if (fact.type === 'feeCanceled' && fact.fee.type === 'charged') waivedFees.push(fact.fee.fee);
    else if (fact.type === 'feeCanceled' && fact.fee.type === 'late') {
      waivedLateFees.push({ feeTypeId: fact.fee.feeTypeId, obligation: fact.fee.obligation });
    }
  }
  return {
    voided,
    canceledAdvances,
    reversedChargebacks,
    moved,
    changedFees,
    accelerationReversals,
    chargeOffReversals,
    orders: {
      waivedFees,
      waivedLateFees,
      feeWaivers: facts.flatMap((fact) => (fact.type === 'refund' && !voided.has(fact.transaction) ? waiversOf(fact) : [])),
      scraDays,
      changedLateFees,
      originationFeeCents,
      noAccelerationThrough: lastDay(accelerationReversals),
      noChargeOffThrough: lastDay(chargeOffReversals),
      idle: [],
      caps: [],
    },
  };
}

/**
 * Whether facts take back or move only facts that are among them, and as a whole. Then a ledger from before the first of them needs no
 * replay: it continues with what is left.
 */
export function areAmongThemselves<Fact extends Numbered>(facts: readonly Fact[], isAboutThePast: (fact: Fact) => boolean): boolean {
  if (!facts.some(isAboutThePast)) return true;
  const known = new Set<string>();
  for (const fact of facts) for (const name of namesOf(fact)) known.add(name);
  return facts.every((fact) => !isAboutThePast(fact) || known.has(takenBackBy(fact) ?? ''));
}

interface Numbered extends Typed {
  readonly transaction?: number | null;
  readonly advance?: number;
  readonly chargeback?: number;
  readonly purchase?: number;
}

/** What later facts can take back of a fact, or move. */
function namesOf({ type, transaction, advance, chargeback, purchase }: Numbered): readonly string[] {
  if (type === 'payment' || type === 'refund' || type === 'reimbursed') return [`payment ${transaction}`];
  if (type === 'advance') return [`advance ${advance}`];
  if (type === 'paymentChargedBack') return [`chargeback ${chargeback}`];
  return type === 'purchase' ? [`purchase ${purchase}`] : [];
}

/** Null: a fee, an order, or a date of many facts is changed. */
function takenBackBy({ type, transaction, advance, chargeback, purchase }: Numbered): string | null {
  if (type === 'paymentVoided' || type === 'paymentMoved' || type === 'refundCanceled') return `payment ${transaction}`;
  if (type === 'advanceCanceled') return `advance ${advance}`;
  if (type === 'chargebackReversed') return `chargeback ${chargeback}`;
  return type === 'purchaseVoided' ? `purchase ${purchase}` : null;
}

function waiversOf({ effective: after, recordedDay: through, areLateFeesCanceled, areOtherFeesCanceled }: Refund): readonly FeeWaiver[] {
  const late: readonly FeeWaiver[] = areLateFeesCanceled ? [{ fees: 'late', after, through }] : [];
  return areOtherFeesCanceled ? [...late, { fees: 'other', after, through }] : late;
}

const lastDay = (reversals: readonly FactPosition[]): Day | null =>
  reversals.reduce<Day | null>((last, { effective }) => (last === null || effective.day > last ? effective.day : last), null);

/** A fact is reversed by a reversal that was recorded later and is effective later. */
const isReversed = (fact: FactPosition, reversals: readonly FactPosition[]): boolean =>
  reversals.some((reversal) => reversal.sequence > fact.sequence && compareFacts(fact, reversal) < 0);

/** A payment that was settled before its new effective time was never in processing. */
function settledInTime<Fact extends Typed>(facts: readonly Fact[]): readonly Fact[] {
  let seen: Set<number> | null = null;
  let early: Set<number> | null = null;
  for (const fact of facts) {
    if (isPayment(fact) && fact.isProcessing) (seen ??= new Set()).add(fact.transaction);
    if (isSettled(fact) && seen?.has(fact.transaction) !== true) (early ??= new Set()).add(fact.transaction);
  }
  if (early === null) return facts;
  const settled = early;
  return facts.map((fact) => (isPayment(fact) && settled.has(fact.transaction) ? { ...fact, isProcessing: false } : fact));
}

interface Typed {
  readonly type: string;
}

const isPayment = (fact: Typed): fact is Payment => fact.type === 'payment';
const isSettled = (fact: Typed): fact is PaymentSettled => fact.type === 'paymentSettled';

export const NO_ORDERS: OrdersInForce = {
  waivedFees: [],
  waivedLateFees: [],
  feeWaivers: [],
  scraDays: [],
  changedLateFees: [],
  originationFeeCents: null,
  noAccelerationThrough: null,
  noChargeOffThrough: null,
  idle: [],
  caps: [],
};

/** In effective order, whenever they were recorded. */
export const inTheirOrder = <Fact extends FactPosition & Typed>(facts: readonly Fact[]): readonly Fact[] => settledInTime(inOrder(facts));

/** Facts that other facts undo, move or change, in ledgers of both kinds. */
type Adjustable = Payment | Reimbursed | PaymentSettled | FeeCharged | Accelerate | ChargeOff;

/** A fact at its time and with its amount after the adjustment; null: it was voided or reversed. */
export function adjusted<Fact extends Adjustable>(fact: Fact, adjustment: RetroactiveAdjustment): Fact | null {
  switch (fact.type) {
    case 'payment':
    case 'reimbursed': {
      if (adjustment.voided.has(fact.transaction)) return null;
      const effective = adjustment.moved.get(fact.transaction);
      return effective === undefined ? fact : { ...fact, effective };
    }
    case 'paymentSettled':
      return adjustment.voided.has(fact.transaction) ? null : fact;
    case 'feeCharged': {
      const amountCents = adjustment.changedFees.get(fact.fee);
      return amountCents === undefined ? fact : { ...fact, amountCents };
    }
    case 'accelerate':
      return isReversed(fact, adjustment.accelerationReversals) ? null : fact;
    case 'chargeOff':
      return isReversed(fact, adjustment.chargeOffReversals) ? null : fact;
  }
}
