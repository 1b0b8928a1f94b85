import type { LedgerState } from '../../../../engine/index.js';
import { PaymentList } from '../../../../engine/ledger/installment/payment-list.js';

/** A copy that shares nothing with the ledger. */
export function detached({ payments, ...rest }: LedgerState): LedgerState {
  return { ...structuredClone(rest), payments: PaymentList.of(structuredClone([...payments])) };
}

/** The same as plain data, for comparisons. */
export const plainly = ({ payments, ...rest }: LedgerState): unknown => structuredClone({ ...rest, payments: [...payments] });
