import type { Role } from './chart.js';
import type { Basis } from './entry.js';

type Recognition = 'levelYield' | 'straightLine' | 'atOnce';
type ChargedOffTo = 'reverseIncome' | 'loss' | 'allowance';
type Component = 'principal' | 'interest' | 'fees';

/** What a lender decides about its books. */
export interface GeneralLedgerSettings {
  /** The general ledger that are kept. */
  readonly bases: readonly Basis[];
  readonly chargeOffPrincipal: 'expense' | 'allowance';
  readonly chargeOffInterest: ChargedOffTo;
  /** Interest that was accrued in a year before the charge-off. */
  readonly chargeOffPriorYearInterest: ChargedOffTo;
  readonly chargeOffFees: ChargedOffTo;
  readonly recoveredPrincipal: 'recoveries' | 'allowance';
  readonly recoveredInterest: 'interestIncome' | 'recoveries';
  readonly recoveredFees: 'feeIncome' | 'recoveries';
  readonly chargeOffReversal: 'rebook' | 'keepChargedOff';
  /** Null: interest of late loans stays on the general ledger until they are charged off. */
  readonly nonaccrualAfterDays: number | null;
  readonly nonaccrualPayments: 'costRecovery' | 'cashBasis';
  readonly nonaccrualPriorYearInterest: 'loss' | 'allowance' | 'reverseIncome';
  readonly originationFeeRecognition: Recognition;
  readonly scheduleChangeYield: 'catchUp' | 'prospective';
  readonly atPayoff: 'recognizeRest';
  readonly deferredAtChargeOff: 'reduceLoss' | 'recognizeRest';
  readonly lateFeeRecognition: 'whenCharged' | 'whenPaid';
  readonly membershipFee: 'overPeriod' | 'atOnce';
  /** What a service credit of the lender is charged to, by component. */
  readonly serviceCredit: Readonly<Record<Component, Role>>;
  readonly waivers: 'contraIncome' | 'expense';
  readonly deferredInterestPromo: 'accrue' | 'deferUntilLost';
  readonly merchantDiscount: 'deferred' | 'atOnce';
  /**
   * `gross`: the books hold the whole loan, the shares of all owners. `ownShare`: they hold the lender's own share, and the others' are
   * memoranda. `eachOwner`: each line names the owner in whose books it stands.
   */
  readonly ownerBooks: 'gross' | 'ownShare' | 'eachOwner';
  /** The investor that is the lender itself, where it owns shares beside others; null: it owns none. */
  readonly lenderInvestorId: string | null;
  readonly saleTreatment: 'sale' | 'borrowing';
  readonly priorYearInterest: 'sameAccount' | 'chargeOffLoss';
  readonly capitalizationOnCashBasis: 'income' | 'none';
  readonly exportDetail: 'entries' | 'summary';
}

export const DEFAULT_GENERAL_LEDGER_SETTINGS: GeneralLedgerSettings = {
  bases: ['accrual', 'cash'],
  chargeOffPrincipal: 'expense',
  chargeOffInterest: 'reverseIncome',
  chargeOffPriorYearInterest: 'loss',
  chargeOffFees: 'reverseIncome',
  recoveredPrincipal: 'recoveries',
  recoveredInterest: 'interestIncome',
  recoveredFees: 'feeIncome',
  chargeOffReversal: 'rebook',
  nonaccrualAfterDays: null,
  nonaccrualPayments: 'costRecovery',
  nonaccrualPriorYearInterest: 'loss',
  originationFeeRecognition: 'levelYield',
  scheduleChangeYield: 'catchUp',
  atPayoff: 'recognizeRest',
  deferredAtChargeOff: 'reduceLoss',
  lateFeeRecognition: 'whenCharged',
  membershipFee: 'overPeriod',
  serviceCredit: { principal: 'serviceCreditExpense', interest: 'interestIncomeReversal', fees: 'feeIncomeReversal' },
  waivers: 'contraIncome',
  deferredInterestPromo: 'accrue',
  merchantDiscount: 'deferred',
  ownerBooks: 'gross',
  lenderInvestorId: null,
  saleTreatment: 'sale',
  priorYearInterest: 'sameAccount',
  capitalizationOnCashBasis: 'income',
  exportDetail: 'entries',
};
