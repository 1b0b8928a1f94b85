import type { DynamicFeeKind, FeeCharged, MoneyKind } from './facts.js';
import type { FeeDueStatus, FeeState, ObligationState, OrdersInForce } from './state.js';

/** A fee that is charged now. */
export type NewFee = Pick<
  FeeState,
  'fee' | 'obligation' | 'feeTypeId' | 'kind' | 'chargeLogic' | 'chargeDay' | 'chargeSeconds' | 'knownDay' | 'amountCents'
>;

/** A fee that is in no balance yet. */
export function feeState(fee: NewFee, isCanceled: boolean): FeeState {
  return {
    fee: fee.fee,
    obligation: fee.obligation,
    feeTypeId: fee.feeTypeId,
    kind: fee.kind,
    chargeLogic: fee.chargeLogic,
    chargeDay: fee.chargeDay,
    chargeSeconds: fee.chargeSeconds,
    knownDay: fee.knownDay,
    amountCents: fee.amountCents,
    openCents: 0,
    creditedCents: 0,
    dueStatus: 'nonDue',
    dueDay: null,
    carriedBy: null,
    isCanceled,
  };
}

/** A fee that was ordered for a coming day, as it will be charged then. Projections charge it; the ledger does not know it yet. */
export interface ComingFee extends FeeCharged {
  /** The draw of a line that will bear it; null: the loan or line itself. */
  readonly draw: number | null;
}

export const NO_COMING_FEES: readonly ComingFee[] = [];

/** A manual fee. It joins no obligation that fell due before the fee was recorded. */
export const manualFee = ({ fee, feeTypeId, kind, chargeLogic, amountCents, effective, recordedDay }: FeeCharged): NewFee => ({
  fee,
  obligation: null,
  feeTypeId,
  kind,
  chargeLogic,
  chargeDay: effective.day,
  chargeSeconds: effective.seconds,
  knownDay: recordedDay > effective.day ? recordedDay : effective.day,
  amountCents,
});

/** Whether a manual fee was waived: by order, by a refund, or for military service. */
export const isFeeWaived = (orders: OrdersInForce, fact: FeeCharged): boolean =>
  orders.waivedFees.includes(fact.fee) || isWaivedAsOf(orders, manualFee(fact), fact);

/** Whether a refund or military service waives a fee. */
export const isWaivedAsOf = (
  orders: OrdersInForce,
  charge: Charge,
  { isWaivedDuringScra }: { readonly isWaivedDuringScra?: true },
): boolean => isRefunded(orders, charge) || (isWaivedDuringScra === true && isDuringScra(orders, charge));

interface Charge {
  readonly kind: DynamicFeeKind;
  readonly chargeDay: number;
  readonly chargeSeconds: number;
}

/** Whether a refund has canceled the fees of this kind and time. */
function isRefunded({ feeWaivers }: OrdersInForce, { kind, chargeDay, chargeSeconds }: Charge): boolean {
  return feeWaivers.some(({ fees, after, through }) => {
    const isAfter = chargeDay > after.day || (chargeDay === after.day && chargeSeconds > after.seconds);
    return isAfter && chargeDay <= through && (fees === 'late') === (kind === 'lateFee');
  });
}

const isDuringScra = ({ scraDays }: OrdersInForce, { chargeDay }: Charge): boolean =>
  scraDays.some(({ from, until }) => from <= chargeDay && (until === null || chargeDay < until));

/** A fee falls due with an obligation, which carries it from now on. */
export function carryFee(fee: FeeState, { ordinal, dueDay }: Pick<ObligationState, 'ordinal' | 'dueDay'>): void {
  fee.dueStatus = 'due';
  fee.carriedBy = ordinal;
  fee.dueDay = dueDay;
}

/** All unpaid fees become due, overdue or charged off together. */
export function moveFees(fees: readonly FeeState[], dueStatus: FeeDueStatus): void {
  for (const fee of fees) if (fee.openCents > 0) fee.dueStatus = dueStatus;
}

/** Pays a part of a fee. Money that is a credit is also counted as such. */
export function payFee(fee: FeeState, amountCents: number, kind: MoneyKind): void {
  fee.openCents -= amountCents;
  if (isCredit(kind)) fee.creditedCents += amountCents;
}

/** It lowers balances without money of the borrower. */
export const isCredit = (kind: MoneyKind): boolean => kind === 'credit' || kind === 'refund';
