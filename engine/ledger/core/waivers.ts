import type { DynamicFeeKind } from './facts.js';
import type { StandingOrders } from './state.js';

interface Charge {
  readonly kind: DynamicFeeKind;
  readonly chargeDay: number;
  readonly chargeSeconds: number;
}

/** Whether a fee is waived by something else than its own waiver: a refund, or military service. */
export const isWaivedAsOf = (
  orders: StandingOrders,
  charge: Charge,
  { isWaivedDuringScra }: { readonly isWaivedDuringScra?: true },
): boolean => isRefunded(orders, charge) || (isWaivedDuringScra === true && isDuringScra(orders, charge));

/** Whether a refund has taken back the fees of this kind and time. */
function isRefunded({ feeWaivers }: StandingOrders, { kind, chargeDay, chargeSeconds }: Charge): boolean {
  return feeWaivers.some(({ fees, after, through }) => {
    const isAfter = chargeDay > after.day || (chargeDay === after.day && chargeSeconds > after.seconds);
    return isAfter && chargeDay <= through && (fees === 'late') === (kind === 'lateFee');
  });
}

const isDuringScra = ({ scraDays }: StandingOrders, { chargeDay }: Charge): boolean =>
  scraDays.some(({ from, until }) => from <= chargeDay && (until === null || chargeDay < until));
