import { must } from '../assert.js';
import type { Day } from '../calendar/index.js';
import type { Cents } from '../money/index.js';
import type {
  Accelerate,
  AdvancePaidOut,
  Cancel,
  ChargeOff,
  DueDateDeferred,
  EffectiveTime,
  FactPlace,
  FeeCharged,
  Freeze,
  LedgerFact,
  Payment,
  PaymentSettled,
  RatesChanged,
  Refund,
  ScheduleChanged,
  Unfreeze,
} from './facts.js';
import { NO_ORDERS } from './start.js';
import type { ChangedLateFee, FeeWaiver, StandingOrders, WaivedLateFee } from './state.js';

/** Facts that happen at their effective time. The others say something about these, or about derived events. */
export type AppliedFact =
  | Payment
  | PaymentSettled
  | AdvancePaidOut
  | Refund
  | Freeze
  | Unfreeze
  | Accelerate
  | ChargeOff
  | Cancel
  | FeeCharged
  | RatesChanged
  | ScheduleChanged
  | DueDateDeferred;

export interface Arrangement {
  /** In the order in which they happened. */
  readonly facts: readonly AppliedFact[];
  readonly orders: StandingOrders;
}

/** Effective time, then the order of recording (README 23). */
export function compareFacts(a: FactPlace, b: FactPlace): number {
  return a.effective.day - b.effective.day || a.effective.seconds - b.effective.seconds || a.sequence - b.sequence;
}

/** Facts that change what has been before them: only a replay can take them in. */
export function isAboutThePast(fact: LedgerFact): boolean {
  switch (fact.type) {
    case 'paymentVoided':
    case 'paymentMoved':
    case 'reverseAccelerate':
    case 'reverseChargeOff':
    case 'feeCanceled':
    case 'advanceCanceled':
    case 'refundCanceled':
    case 'feeChanged':
    case 'originationFeeChanged':
      return true;
    case 'refund':
      return fact.areLateFeesCanceled || fact.areOtherFeesCanceled;
    default:
      return false;
  }
}

/** What makes rows dearer. Recorded late, it leaves the ones that fell due before as they were (README 18). */
export type LateChange = RatesChanged | AdvancePaidOut;

/** Rates and advances that were recorded after the day they hold from. */
export const isLateChange = (fact: LedgerFact): fact is LateChange =>
  (fact.type === 'ratesChanged' || fact.type === 'advance') && fact.recordedDay > fact.effective.day;

/**
 * Turns the facts as they were recorded into the history as it is now known: voided payments are out, moved ones
 * at their new time, reversed orders gone, and everything is in effective order.
 */
export function arrange(facts: readonly LedgerFact[]): Arrangement {
  const retouch = facts.some(isAboutThePast) ? retouching(facts) : null;
  const applied = retouch === null ? (facts as readonly AppliedFact[]) : retouched(facts, retouch);
  return { facts: settledInTime(inOrder(applied)), orders: retouch?.orders ?? NO_ORDERS };
}

/** Facts come as they were recorded, nearly in order: each late one is put back to its place. */
function inOrder(facts: readonly AppliedFact[]): readonly AppliedFact[] {
  let sorted: AppliedFact[] | null = null;
  for (let at = 1; at < facts.length; at += 1) {
    const fact = must(facts[at], 'a fact');
    const last: AppliedFact = must((sorted ?? facts)[at - 1], 'a fact before it');
    if (compareFacts(last, fact) > 0) {
      sorted ??= facts.slice(0, at);
      sorted.splice(placeOf(sorted, fact), 0, fact);
    } else sorted?.push(fact);
  }
  return sorted ?? facts;
}

function placeOf(sorted: readonly AppliedFact[], fact: AppliedFact): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareFacts(must(sorted[middle], 'a fact'), fact) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What the facts about the past say, collected. */
interface Retouching {
  /** Payments and refunds. */
  readonly voided: ReadonlySet<number>;
  readonly canceledAdvances: ReadonlySet<number>;
  readonly moved: ReadonlyMap<number, EffectiveTime>;
  readonly changedFees: ReadonlyMap<number, Cents>;
  readonly accelerationReversals: readonly FactPlace[];
  readonly chargeOffReversals: readonly FactPlace[];
  readonly orders: StandingOrders;
}

function retouching(facts: readonly LedgerFact[]): Retouching {
  const voided = new Set<number>();
  const canceledAdvances = new Set<number>();
  const moved = new Map<number, EffectiveTime>();
  const waivedFees: number[] = [];
  const waivedLateFees: WaivedLateFee[] = [];
  const changedFees = new Map<number, Cents>();
  const changedLateFees: ChangedLateFee[] = [];
  let originationFeeCents: number | null = null;
  const accelerationReversals: FactPlace[] = [];
  const chargeOffReversals: FactPlace[] = [];
  for (const fact of [...facts].sort((a, b) => a.sequence - b.sequence)) {
    if (fact.type === 'paymentVoided' || fact.type === 'refundCanceled') voided.add(fact.transaction);
    else if (fact.type === 'advanceCanceled') canceledAdvances.add(fact.advance);
    else if (fact.type === 'paymentMoved') moved.set(fact.transaction, fact.newEffective);
    else if (fact.type === 'reverseAccelerate') accelerationReversals.push(fact);
    else if (fact.type === 'reverseChargeOff') {
      // A charge-off passes through acceleration, and so does its reversal.
      accelerationReversals.push(fact);
      chargeOffReversals.push(fact);
    }
    else if (fact.type === 'originationFeeChanged') originationFeeCents = fact.amountCents;
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
    moved,
    changedFees,
    accelerationReversals,
    chargeOffReversals,
    orders: {
      waivedFees,
      waivedLateFees,
      feeWaivers: facts.flatMap((fact) => (fact.type === 'refund' && !voided.has(fact.transaction) ? waiversOf(fact) : [])),
      changedLateFees,
      originationFeeCents,
      noAccelerationThrough: lastDay(accelerationReversals),
      noChargeOffThrough: lastDay(chargeOffReversals),
      idle: [],
      caps: [],
    },
  };
}

function waiversOf({ effective: after, recordedDay: through, areLateFeesCanceled, areOtherFeesCanceled }: Refund): readonly FeeWaiver[] {
  const late: readonly FeeWaiver[] = areLateFeesCanceled ? [{ fees: 'late', after, through }] : [];
  return areOtherFeesCanceled ? [...late, { fees: 'other', after, through }] : late;
}

const lastDay = (reversals: readonly FactPlace[]): Day | null =>
  reversals.reduce<Day | null>((last, { effective }) => (last === null || effective.day > last ? effective.day : last), null);

function retouched(facts: readonly LedgerFact[], retouch: Retouching): readonly AppliedFact[] {
  const applied: AppliedFact[] = [];
  for (const fact of facts) {
    switch (fact.type) {
      case 'payment': {
        const effective = retouch.moved.get(fact.transaction);
        if (!retouch.voided.has(fact.transaction)) applied.push(effective === undefined ? fact : { ...fact, effective });
        break;
      }
      case 'paymentSettled':
        if (!retouch.voided.has(fact.transaction)) applied.push(fact);
        break;
      case 'refund':
        if (!retouch.voided.has(fact.transaction)) applied.push(fact);
        break;
      case 'advance':
        if (!retouch.canceledAdvances.has(fact.advance)) applied.push(fact);
        break;
      case 'accelerate':
        if (!isReversed(fact, retouch.accelerationReversals)) applied.push(fact);
        break;
      case 'chargeOff':
        if (!isReversed(fact, retouch.chargeOffReversals)) applied.push(fact);
        break;
      case 'feeCharged': {
        const amountCents = retouch.changedFees.get(fact.fee);
        applied.push(amountCents === undefined ? fact : { ...fact, amountCents });
        break;
      }
      case 'freeze':
      case 'unfreeze':
      case 'cancel':
      case 'ratesChanged':
      case 'scheduleChanged':
      case 'dueDateDeferred':
        applied.push(fact);
        break;
      case 'paymentVoided':
      case 'paymentMoved':
      case 'reverseAccelerate':
      case 'reverseChargeOff':
      case 'feeCanceled':
      case 'advanceCanceled':
      case 'refundCanceled':
      case 'feeChanged':
      case 'originationFeeChanged':
        break;
    }
  }
  return applied;
}

/** An order is reversed by what was recorded after it and takes effect after it. */
const isReversed = (fact: FactPlace, reversals: readonly FactPlace[]): boolean =>
  reversals.some((reversal) => reversal.sequence > fact.sequence && compareFacts(fact, reversal) < 0);

/** A payment that was settled before the time it has been moved to was never in processing. */
function settledInTime(facts: readonly AppliedFact[]): readonly AppliedFact[] {
  let seen: Set<number> | null = null;
  let early: Set<number> | null = null;
  for (const fact of facts) {
    if (fact.type === 'payment' && fact.isProcessing) (seen ??= new Set()).add(fact.transaction);
    if (fact.type === 'paymentSettled' && seen?.has(fact.transaction) !== true) (early ??= new Set()).add(fact.transaction);
  }
  if (early === null) return facts;
  const settled = early;
  return facts.map((fact) => (fact.type === 'payment' && settled.has(fact.transaction) ? { ...fact, isProcessing: false } : fact));
}
