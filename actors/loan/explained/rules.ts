import type { LineEntryType } from '../../../engine/index.js';

/** What an entry of the ledger is and which rule of the contract makes it. */
export interface EntryRule {
  /** For people to read. */
  readonly text: string;
  /** Where the contract says it. */
  readonly rule: string;
}

/** One row for each type of entry, of installment loans and of lines of credit. */
export const ENTRY_RULES: Readonly<Record<LineEntryType, EntryRule>> = {
  disbursement: { text: 'The principal is paid out and interest starts', rule: 'servicing-behaviour 3.1' },
  originationFee: { text: 'The origination fee is booked by the product’s option', rule: 'servicing-behaviour 3.6' },
  interestAccrual: { text: 'Interest of finished days on their end-of-day balance', rule: 'servicing-behaviour 4.1' },
  retroactiveInterest: { text: 'Interest of the frozen days, as the unfreezing asked', rule: 'servicing-behaviour 2.2' },
  interestCapitalization: { text: 'Unpaid due interest becomes principal', rule: 'servicing-behaviour 4.9' },
  movedToDue: { text: 'The period’s amount falls due, its interest rounded to the cent', rule: 'servicing-behaviour 8.3' },
  movedToOverdue: { text: 'What is unpaid on the day after the due date is overdue', rule: 'servicing-behaviour 8.3' },
  lateFee: { text: 'A late fee for an obligation that is still unpaid', rule: 'servicing-behaviour 11.5' },
  fee: { text: 'A fee is charged', rule: 'servicing-behaviour 11.3' },
  payment: { text: 'Money goes into the buckets in the waterfall’s order', rule: 'servicing-behaviour 13.2' },
  credit: { text: 'A credit goes into the buckets in the credit waterfall’s order', rule: 'servicing-behaviour 13.3' },
  downPayment: { text: 'A down payment goes into the buckets in the waterfall’s order', rule: 'servicing-behaviour 13.2' },
  paidOverMet: { text: 'Money that was paid over meets what was charged later', rule: 'settled question 34' },
  smallBalanceForgiven: { text: 'What little a payment has left is given up by the lender', rule: 'servicing-behaviour 16.2' },
  chargeback: { text: 'What a payment had met is owed again, in the order of the loan type', rule: 'money 3' },
  advance: { text: 'Money is paid out after activation and principal rises', rule: 'servicing-behaviour 3.5' },
  refund: { text: 'What was financed is taken back: principal from its end, then interest and fees', rule: 'loans 6' },
  reimbursement: {
    text: 'What had gone back to the borrower was not paid over, as is now known, and is owed',
    rule: 'servicing-behaviour 12.3',
  },
  reamortization: { text: 'What is past due joins the rows to come in equal parts', rule: 'loans 1.5' },
  acceleration: { text: 'The whole balance becomes due at once', rule: 'servicing-behaviour 2' },
  chargeOff: { text: 'All balances move to the charged-off block, interest stops', rule: 'servicing-behaviour 17' },
  forgoneInterest: { text: 'A fraction of a cent is left when all else is paid, and forgone', rule: 'servicing-behaviour 4.6' },
  purchase: { text: 'A settled purchase raises the draw’s principal', rule: 'servicing-behaviour 10.7' },
  purchaseRefund: {
    text: 'Money that comes back lowers the draw’s principal that is not due, the rest is poured like a payment',
    rule: 'loans 9.1',
  },
  drawFee: { text: 'The draw’s fee is booked by the product’s option', rule: 'loans 8.3' },
  minimumInterest: { text: 'The difference to the least interest of a period', rule: 'servicing-behaviour 4.8' },
  graceLost: { text: 'Interest since the statement on what was not paid in full', rule: 'servicing-behaviour 10.4' },
  graceRestored: { text: 'The interest of a period whose grace has come back is taken off', rule: 'servicing-behaviour 10.4' },
  balancesDeferred: { text: 'What was overdue and due is not due again', rule: 'loan-terms 1.3' },
  migration: { text: 'The balances that another system has brought', rule: 'loans 10.4' },
  cancellation: { text: 'The loan is void as if it never existed', rule: 'servicing-behaviour 2.1' },
};
