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

/** Payments as they now stand, fees that nobody waived, in the order of their effective times. */
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

/** What was settled before the time to which it has been moved may not fail any more. */
const settled = (inOrder: readonly LedgerFact[]): readonly LedgerFact[] =>
  inOrder.map((fact, at) => {
    if (fact.type !== 'payment') return fact;
    const isSettled = inOrder.slice(0, at).some((earlier) => earlier.type === 'paymentSettled' && earlier.transaction === fact.transaction);
    return isSettled ? { ...fact, isProcessing: false } : fact;
  });

/** The terms with the origination fee as it was last set. */
export function asChanged(terms: LedgerTerms, facts: readonly LedgerFact[]): LedgerTerms {
  const amounts = facts.flatMap((fact) => (fact.type === 'originationFeeChanged' ? [fact.amountCents] : []));
  const { originationFee } = terms;
  return { ...terms, originationFee: { ...originationFee, amountCents: amounts.at(-1) ?? originationFee.amountCents } };
}

/** The last change of its amount counts. */
function withChange(fee: FeeCharged, facts: readonly LedgerFact[]): FeeCharged {
  const changes = facts.flatMap((fact) =>
    fact.type === 'feeChanged' && fact.fee.type === 'charged' && fact.fee.fee === fee.fee ? [fact.amountCents] : [],
  );
  return { ...fee, amountCents: changes.at(-1) ?? fee.amountCents };
}

/** What happens at its time, beside money and fees. */
const UNCONDITIONAL: ReadonlySet<LedgerFact['type']> = new Set([
  'ratesChanged',
  'scheduleChanged',
  'dueDateDeferred',
  'freeze',
  'unfreeze',
  'paymentSettled',
]);

/**
 * An order is undone by a reversal that was recorded after it and counts from a later time. A charge-off passes through acceleration, and
 * so does its reversal.
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

/** What is known of the days only later. */
export interface Orders {
  /** Late fees that somebody has taken back, or given another amount: their type and the ordinal of the obligation. */
  readonly waivedLate: ReadonlySet<string>;
  readonly changedLate: ReadonlyMap<string, Big>;
  /** Military service, as it was set last. */
  readonly scraDays: readonly DaySpan[];
  /** Days overdue accelerate or charge off again after these days. */
  readonly noAccelerationThrough: number;
  readonly noChargeOffThrough: number;
  /** In the order of their times. */
  readonly holds: readonly (ThresholdsHeld | ThresholdsReleased)[];
  /** Days on which interest had stopped and which a reversal does not bring back. */
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

/** Whether a refund that was recorded later takes a fee of this time back. */
export function isRefunded(refunds: readonly Refund[], day: number, seconds: number, isLate: boolean): boolean {
  return refunds.some(({ effective, recordedDay, areLateFeesCanceled, areOtherFeesCanceled }) => {
    const isAfter = day > effective.day || (day === effective.day && seconds > effective.seconds);
    return isAfter && day <= recordedDay && (isLate ? areLateFeesCanceled : areOtherFeesCanceled);
  });
}

/** Whether somebody's last word of the days before was that thresholds wait. */
export const areHeld = ({ holds }: Orders, day: number): boolean =>
  holds.some(({ holder }) => holds.findLast((fact) => fact.holder === holder && fact.effective.day < day)?.type === 'thresholdsHeld');

export const isDuringScra = ({ scraDays }: Orders, day: number): boolean =>
  scraDays.some(({ from, until }) => from <= day && (until === null || day < until));

/** Recorded after the day from which on it makes due dates dearer. */
export const isLate = (fact: LedgerFact): boolean =>
  (fact.type === 'ratesChanged' || fact.type === 'advance') && fact.recordedDay > fact.effective.day;
