export type AccountType = 'asset' | 'liability' | 'equity' | 'income' | 'expense' | 'memorandum';

export type Side = 'debit' | 'credit';

/** An account by its meaning: the number and name are only a proposal, which a lender maps to accounts of its own. */
interface ChartRow {
  readonly number: string;
  readonly role: string;
  readonly name: string;
  readonly type: AccountType;
  /** The side on which the balance normally stands. A contra account stands on the other side than its type. */
  readonly side: Side;
  readonly isContra: boolean;
}

const row = <const Name extends string>(number: string, role: Name, name: string, type: AccountType, side: Side) => ({
  number,
  role,
  name,
  type,
  side,
  isContra: side !== sideOfType(type),
});

const sideOfType = (type: AccountType): Side => (type === 'asset' || type === 'expense' || type === 'memorandum' ? 'debit' : 'credit');

const asset = <const Name extends string>(number: string, role: Name, name: string) => row(number, role, name, 'asset', 'debit');
const lessAsset = <const Name extends string>(number: string, role: Name, name: string) => row(number, role, name, 'asset', 'credit');
const liability = <const Name extends string>(number: string, role: Name, name: string) => row(number, role, name, 'liability', 'credit');
const income = <const Name extends string>(number: string, role: Name, name: string) => row(number, role, name, 'income', 'credit');
const lessIncome = <const Name extends string>(number: string, role: Name, name: string) => row(number, role, name, 'income', 'debit');
const expense = <const Name extends string>(number: string, role: Name, name: string) => row(number, role, name, 'expense', 'debit');
const memo = <const Name extends string>(number: string, role: Name, name: string) => row(number, role, name, 'memorandum', 'debit');

const ROWS = [
  asset('1010', 'bank', 'Cash at bank'),
  asset('1110', 'clearingIncoming', 'Payments in processing'),
  asset('1150', 'transferClearing', 'Loans moved between owners'),
  asset('1200', 'principalReceivable', 'Principal of loans'),
  asset('1210', 'interestReceivable', 'Accrued interest'),
  asset('1220', 'feesReceivable', 'Fees receivable'),
  asset('1250', 'deferredCosts', 'Deferred costs of origination'),
  lessAsset('1260', 'deferredFees', 'Origination fees not yet earned'),
  lessAsset('1265', 'merchantDiscountDeferred', 'Merchant discount not yet earned'),
  lessAsset('1270', 'deferredPromoInterest', 'Interest of deferred-interest programs not yet earned'),
  lessAsset('1280', 'costRecoveryContra', 'Interest payments applied to nonaccrual loans'),
  lessAsset('1290', 'allowance', 'Allowance for credit losses'),
  asset('1310', 'investorReceivable', 'Due from the sale of loans'),
  asset('1320', 'merchantReceivable', 'Due from merchants'),
  asset('1325', 'servicerReceivable', 'Due from the servicer'),
  asset('1330', 'agencyReceivable', 'Due from collection agencies'),
  asset('1340', 'disputedPurchases', 'Purchases in dispute'),
  asset('1345', 'networkReceivable', 'Due from card networks'),
  asset('1350', 'disputedPayments', 'Payments that banks took back before a decision'),
  liability('2010', 'borrowerCredit', 'Owed to borrowers'),
  liability('2020', 'unappliedCash', 'Receipts without a loan'),
  liability('2030', 'escheatPayable', 'Unclaimed property'),
  liability('2110', 'clearingOutgoing', 'Disbursements and refunds in processing'),
  liability('2200', 'investorPayable', 'Collections owed to investors'),
  liability('2300', 'merchantPayable', 'Owed to merchants'),
  liability('2310', 'merchantReserve', 'Reserve withheld from merchants'),
  liability('2320', 'networkPayable', 'Owed to card networks'),
  liability('2330', 'fundingPayable', 'Owed to funding banks'),
  liability('2400', 'deferredMembershipFees', 'Membership fees not yet earned'),
  row('3900', 'migrationOpening', 'Opening balances of migrated loans', 'equity', 'credit'),
  income('4010', 'interestIncome', 'Interest income'),
  lessIncome('4011', 'interestIncomeReversal', 'Interest reversed, waived or credited'),
  lessIncome('4015', 'interestRounding', 'Interest forgone by rounding'),
  income('4020', 'feeAmortizationIncome', 'Origination fees earned'),
  income('4030', 'feeIncome', 'Fee income'),
  lessIncome('4031', 'feeIncomeReversal', 'Fees reversed, waived or credited'),
  income('4040', 'merchantDiscountIncome', 'Merchant discount earned'),
  income('4050', 'servicingIncome', 'Servicing fees from investors'),
  income('4060', 'recoveries', 'Recoveries of charged-off loans'),
  income('4070', 'gainOnSale', 'Gain or loss on the sale of loans'),
  expense('5010', 'chargeOffLoss', 'Credit losses'),
  expense('5011', 'chargeOffLossFraud', 'Fraud losses'),
  expense('5020', 'serviceCreditExpense', 'Service credits on principal'),
  expense('5030', 'processingExpense', 'Fees of processors and networks'),
  expense('5040', 'agencyCommissionExpense', 'Commission of collection agencies'),
  expense('5050', 'smallBalanceExpense', 'Small balances forgiven'),
  expense('5060', 'operatingLoss', 'Servicing errors that the lender bears'),
  memo('9010', 'memoServicedPrincipal', "Investors' principal"),
  memo('9011', 'memoServicedInterest', "Investors' interest"),
  memo('9012', 'memoServicedFees', "Investors' fees"),
  memo('9020', 'memoNonaccrualInterest', 'Contract interest not recognized'),
  memo('9030', 'memoChargedOff', 'Charged-off amounts still claimed'),
  memo('9040', 'memoUnusedCommitment', 'Available credit of lines'),
  row('9900', 'memoContra', 'Counter account of memoranda', 'memorandum', 'credit'),
] as const;

export type Role = (typeof ROWS)[number]['role'];

export interface ChartAccount extends ChartRow {
  readonly role: Role;
}

/** The accounts that a company has from its first day: one for each role. */
export const DEFAULT_CHART: readonly ChartAccount[] = ROWS;
