import type { FeeCategory } from '../../company/index.js';

/** One event a fee: the name of its kind where there is one (loan-terms 6.5). */
const FEE_EVENTS: Partial<Record<FeeCategory, string>> = {
  lateFee: 'loan.latefee.booked',
  modificationFee: 'loan.modificationfee.booked',
  nsfFee: 'loan.nsffee.booked',
  serviceFee: 'loan.servicefee.booked',
  membershipFee: 'loan.membershipfee.booked',
  foreignTransactionFee: 'loan.foreigntransactionfee.booked',
};

export const feeEventType = (category: FeeCategory): string => FEE_EVENTS[category] ?? 'loan.fee.booked';
