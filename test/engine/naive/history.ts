import type { Big } from 'big.js';
import type {
  Day,
  DaySpan,
  FeeCharged,
  LedgerFact,
  LedgerTerms,
  Refund,
  ThresholdsHeld,
  ThresholdsReleased,
} from '../../../engine/index.js';
import { amountOf } from './parts.js';

/** Payments at their current amounts and times, and fees that were not waived, in the order of their effective times. */
export function history(facts: readonly LedgerFact[]): readonly LedgerFact[] {
  const voided = facts.flatMap((fact) => (fact.type === 'paymentVoided' ? [fact.transaction] : []));
  const waived = facts.flatMap((fact) => (fact.type === 'feeCanceled' && fact.fee.type === 'charged' ? [fact.fee.fee] : []));
  const kept = facts.filter((fact) => {
    if (fact.type === 'accelerate' || fact.type === 'chargeOff') return !isReversed(fact, facts);
    if (fact.type === 'payment' || fact.type === 'paymentSettled' || fact.type === 'reimbursed') return !voided.includes(fact.transaction);
    if (fact.type === 'refund') return !facts.some((other) => other.type === 'refundCanceled' && other.transaction === fact.transaction);
    if (fact.type === 'advance') return !facts.some((other) => other.type === 'advanceCanceled' && other.advance === fact.advance);
    return fact.type === 'feeCharged' ? !waived.includes(fact.fee) : UNCONDITIONAL.has(fact.type);
  });
  const moved = kept.map((fact) => {
    if (fact.type === 'feeCharged') return withChange(fact, facts);
    if (fact.type !== 'payment') return fact;
    const moves = facts.filter((other) => other.type === 'paymentMoved' && other.transaction === fact.transaction);
    const last = moves.at(-1);
    return last?.type === 'paymentMoved' ? { ...fact, effective: last.newEffective } : fact;
  });
  const key = (fact: LedgerFact): number => fact.effective.day * 86_400 + fact.effective.seconds;
  return settled([...moved].sort((a, b) => key(a) - key(b) || a.sequence - b.sequence));
}

/** A payment that was settled before the time to which it was moved cannot fail. */
const settled = (inOrder: readonly LedgerFact[]): readonly LedgerFact[] =>
  inOrder.map((fact, at) => {
    if (fact.type !== 'payment') return fact;
    const isSettled = inOrder.slice(0, at).some((earlier) => earlier.type === 'paymentSettled' && earlier.transaction === fact.transaction);
    return isSettled ? { ...fact, isProcessing: false } : fact;
  });

/** The terms with the latest origination fee. */
export function asChanged(terms: LedgerTerms, facts: readonly LedgerFact[]): LedgerTerms {
  const amounts = facts.flatMap((fact) => (fact.type === 'originationFeeChanged' ? [fact.amountCents] : []));
  const { originationFee } = terms;
  return { ...terms, originationFee: { ...originationFee, amountCents: amounts.at(-1) ?? originationFee.amountCents } };
}

/** A fee with the last change of its amount. */
function withChange(fee: FeeCharged, facts: readonly LedgerFact[]): FeeCharged {
  const changes = facts.flatMap((fact) =>
    fact.type === 'feeChanged' && fact.fee.type === 'charged' && fact.fee.fee === fee.fee ? [fact.amountCents] : [],
  );
  return { ...fee, amountCents: changes.at(-1) ?? fee.amountCents };
}

/** Other facts that take effect at their own time unconditionally. */
const UNCONDITIONAL: ReadonlySet<LedgerFact['type']> = new Set([
  'ratesChanged',
  'scheduleChanged',
  'dueDateDeferred',
  'freeze',
  'unfreeze',
  'paymentSettled',
]);

/**
 * An order is reversed by a reversal that was recorded later and is effective later. A charge-off includes an acceleration, and so does
 * its reversal.
 */
function isReversed(order: LedgerFact, facts: readonly LedgerFact[]): boolean {
  const isUndoing = ({ type }: LedgerFact): boolean =>
    type === 'reverseChargeOff' || (type === 'reverseAccelerate' && order.type === 'accelerate');
  return facts.some((fact) => isUndoing(fact) && fact.sequence > order.sequence && isBefore(order, fact));
}

function isBefore(a: LedgerFact, b: LedgerFact): boolean {
  const [first, second] = [a.effective, b.effective];
  if (first.day !== second.day) return first.day < second.day;
  return first.seconds === second.seconds ? a.sequence < b.sequence : first.seconds < second.seconds;
}

/** Late knowledge about the days of a history. */
export interface Orders {
  /** Late fees that were waived or given another amount: their type and the ordinal of the obligation. */
  readonly waivedLate: ReadonlySet<string>;
  readonly changedLate: ReadonlyMap<string, Big>;
  /** Days of military service, as set last. */
  readonly scraDays: readonly DaySpan[];
  /** Through these days, days overdue do not accelerate or charge off. */
  readonly noAccelerationThrough: number;
  readonly noChargeOffThrough: number;
  /** In the order of their effective times. */
  readonly holds: readonly (ThresholdsHeld | ThresholdsReleased)[];
  /** Days without interest that a reversal does not restore. */
  readonly idle: readonly { readonly from: number; readonly until: number }[];
}

export function ordersOf(facts: readonly LedgerFact[], idle: Orders['idle']): Orders {
  const last = (...types: readonly LedgerFact['type'][]): number =>
    Math.max(0, ...facts.filter(({ type }) => types.includes(type)).map(({ effective }): Day => effective.day));
  const keyOf = (fee: { readonly feeTypeId: string; readonly obligation: number }): string => `${fee.feeTypeId} ${fee.obligation}`;
  const waivedLate = new Set(facts.flatMap((fact) => (fact.type === 'feeCanceled' && fact.fee.type === 'late' ? [keyOf(fact.fee)] : [])));
  const changedLate = new Map(
    facts.flatMap((fact) =>
      fact.type === 'feeChanged' && fact.fee.type === 'late' ? [[keyOf(fact.fee), amountOf(fact.amountCents)] as const] : [],
    ),
  );
  const scraDays = facts.flatMap((fact) => (fact.type === 'scraDaysSet' ? [fact.spans] : [])).at(-1) ?? [];
  const holds = facts
    .filter((fact) => fact.type === 'thresholdsHeld' || fact.type === 'thresholdsReleased')
    .sort((a, b) => (isBefore(a, b) ? -1 : 1));
  return {
    waivedLate,
    changedLate,
    scraDays,
    holds,
    noAccelerationThrough: last('reverseAccelerate', 'reverseChargeOff'),
    noChargeOffThrough: last('reverseChargeOff'),
    idle,
  };
}

/** Whether a refund cancels a fee of this time. */
export function isRefunded(refunds: readonly Refund[], day: number, seconds: number, isLate: boolean): boolean {
  return refunds.some(({ effective, recordedDay, areLateFeesCanceled, areOtherFeesCanceled }) => {
    const isAfter = day > effective.day || (day === effective.day && seconds > effective.seconds);
    return isAfter && day <= recordedDay && (isLate ? areLateFeesCanceled : areOtherFeesCanceled);
  });
}

/** Whether any holder has last put the thresholds on hold, before this day. */
export const areHeld = ({ holds }: Orders, day: number): boolean =>
  holds.some(({ holder }) => holds.findLast((fact) => fact.holder === holder && fact.effective.day < day)?.type === 'thresholdsHeld');

export const isDuringScra = ({ scraDays }: Orders, day: number): boolean =>
  scraDays.some(({ from, until }) => from <= day && (until === null || day < until));

/** May raise amounts of past due dates: recorded after the day on which it takes effect. */
export const isLate = (fact: LedgerFact): boolean =>
  (fact.type === 'ratesChanged' || fact.type === 'advance') && fact.recordedDay > fact.effective.day;
