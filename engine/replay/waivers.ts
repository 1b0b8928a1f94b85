import type { DynamicFeeKind } from './facts.js';
import type { StandingOrders } from './state.js';

interface Charge {
  readonly kind: DynamicFeeKind;
  readonly chargeDay: number;
  readonly chargeSeconds: number;
}

/** Whether a refund has taken back the fees of this kind and time. */
export function isRefunded({ feeWaivers }: StandingOrders, { kind, chargeDay, chargeSeconds }: Charge): boolean {
  return feeWaivers.some(({ fees, after, through }) => {
    const isAfter = chargeDay > after.day || (chargeDay === after.day && chargeSeconds > after.seconds);
    return isAfter && chargeDay <= through && (fees === 'late') === (kind === 'lateFee');
  });
}
