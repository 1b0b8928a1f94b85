import { RATE_ZERO, ZERO } from '../../engine/index.js';
import { refuseProperty } from '../errors.js';
import { amount, centsOf, orNull, rateOf, rateValue } from '../wire.js';
import type {
  AccrualMethod,
  BalanceComponent,
  ScheduledInterestSettings,
  ScheduledPart,
  InterestSettings,
  LoanTypeSettings,
  MinPaymentSettings,
  WaterfallBucket,
} from './loan-type-settings.js';
import type { SettingsBody, SettingsView } from './loan-type-wire.js';

const WATERFALL: readonly WaterfallBucket[] = [
  'overdueFees',
  'overdueInterest',
  'overduePrincipal',
  'dueFees',
  'dueInterest',
  'duePrincipal',
  'nonDueFees',
  'nonDueInterest',
  'nonDuePrincipal',
];

/** The default settings of a loan type. */
export const LOAN_TYPE_DEFAULTS: LoanTypeSettings = {
  structure: { allowMultipleAdvances: false, revolving: true },
  interest: {
    balanceMethod: 'dailyBalance',
    interestAccrualMethod: 'daily365',
    accrualMethod: 'simple',
    accrueOn: ['principal'],
    accrueOnOverdue: true,
    firstDay: 'activationDate',
    minRate: null,
    maxRate: null,
    maxAprNominal: null,
    maxAprEffective: null,
    minimumInterestCharge: null,
    capitalization: 'none',
    rounding: 'halfUp',
    fraction: 'forgoneWhenDue',
  },
  schedule: {
    allowedFrequencies: ['weekly', 'everyTwoWeeks', 'twiceMonthly', 'monthly', 'singleTerm'],
    minDaysToFirstDueDate: 0,
    dueDateOption: 'fixedDueDate',
    statementToDueDays: 21,
    statementOffsetDays: 0,
    lastPaymentLogic: 'absorbRounding',
    lastInstalment: 'takesAll',
    nonBusinessDays: 'keep',
    levelPaymentRounding: 'up',
    allowNegativeAmortization: false,
  },
  minPayment: {
    percentageOfPrincipal: RATE_ZERO,
    minAmount: ZERO,
    includeInterest: true,
    includeFees: true,
    includeOverLimit: false,
    includeOverdue: true,
  },
  grace: { isGracePeriodApplicable: false, numPeriodsToRestoreGrace: 1 },
  byInstalment: null,
  paymentWaterfall: WATERFALL,
  creditWaterfall: WATERFALL,
  multiWaterfall: ['directedDraw', 'lineFees', 'overdueAmount', 'dueAmount', 'highestEffectiveRate', 'oldestDraw'],
  acceleratedWaterfall: ['fees', 'interest', 'principal'],
  chargedOffWaterfall: ['principal', 'interest', 'fees'],
  overpayment: 'reducePrincipal',
  paymentAllowedWhenChargedOff: true,
  // Each payment says whether it is a prepayment; false by default.
  payments: { enablePrepayments: false },
  accelerationDueWithin: null,
  chargeOffDueWithin: null,
  delinquency: { overdueToleranceAmount: ZERO },
  lateFee: { pyramidingProtection: 'blockOnFeeOnly' },
  fees: { originationFeeLogic: 'spread', drawFeeLogic: 'spread' },
  creditLimit: { openToBuyLogic: 'limitMinusBalanceMinusAuthorized', overLimitTolerancePercent: RATE_ZERO },
  draws: { autoActivateOnFirstPurchase: true, drawTypes: ['regularPurchase', 'cashAdvance', 'balanceTransfer'] },
  refunds: { billing: {} },
  modification: {
    fees: { 'duedate.defer': null, 'schedule.defer': null, 'change.duedates': null, 'change.terms': null },
  },
  limits: { maxDeferralsPerYear: null, maxDueDateChangesPerYear: null },
  holdDays: { ach: 5, card: 0, wire: 0 },
  settleDays: { ach: 3, card: 0 },
  autopay: { includeOverdue: true, retry: { maxAttempts: 0, daysBetween: 3 }, maxConsecutiveFailures: 3 },
  snapshotDaysAfterPayoff: 30,
  smallBalanceForgivenessAmount: ZERO,
  enforceRateLimits: false,
  freezeAllowedForLineOfCredit: false,
  creditReporting: { isCreditReportingAllowed: false, creditAgencyIds: [], metro2: {} },
  statements: {},
  notices: {},
  processors: {},
};

const PARTS: readonly ScheduledPart[] = ['penalties', 'fees', 'interest', 'principal'];

/** The default settings of the section `byInstalment`, for a body that has it. */
const SCHEDULED_INTEREST_DEFAULTS: ScheduledInterestSettings = {
  interestMethod: 'daily',
  recalculation: 'none',
  recalculationRest: 'daily',
  compoundUnpaidInterest: false,
  principalMethod: 'level',
  levelSolvedOver: 'schedule',
  amountsIn: 'cents',
  interestRoundedPer: 'period',
  pastDueOrder: PARTS,
  dueOrder: PARTS,
  inAdvanceOrder: PARTS,
  excess: 'next',
  creditExcess: 'next',
  chargebackOrder: null,
  payoffInterest: 'toDate',
  newRateCountsFrom: 'day',
  downPaymentShare: RATE_ZERO,
  downPaymentFrom: 'borrower',
};

/** The settings with the sections of a body applied: absent fields are unchanged. */
export function mergeSettings(before: LoanTypeSettings, body: SettingsBody): LoanTypeSettings {
  const { creditLimit, modification, autopay, delinquency } = body;
  const settings: LoanTypeSettings = {
    structure: { ...before.structure, ...body.structure },
    interest: mergeInterest(before.interest, body),
    schedule: { ...before.schedule, ...body.schedule },
    minPayment: mergeMinPayment(before.minPayment, body.minPayment ?? {}),
    grace: { ...before.grace, ...body.grace },
    byInstalment: mergeScheduledInterest(before.byInstalment, body),
    paymentWaterfall: body.paymentWaterfall ?? before.paymentWaterfall,
    creditWaterfall: body.creditWaterfall ?? followedWaterfall(before, body),
    multiWaterfall: body.multiWaterfall ?? before.multiWaterfall,
    acceleratedWaterfall: body.acceleratedWaterfall ?? before.acceleratedWaterfall,
    chargedOffWaterfall: body.chargedOffWaterfall ?? before.chargedOffWaterfall,
    overpayment: body.overpayment ?? before.overpayment,
    paymentAllowedWhenChargedOff: body.paymentAllowedWhenChargedOff ?? before.paymentAllowedWhenChargedOff,
    payments: { ...before.payments, ...body.payments },
    accelerationDueWithin: kept(body.accelerationDueWithin, before.accelerationDueWithin),
    chargeOffDueWithin: kept(body.chargeOffDueWithin, before.chargeOffDueWithin),
    delinquency:
      delinquency?.overdueToleranceAmount === undefined
        ? before.delinquency
        : { overdueToleranceAmount: centsOf(delinquency.overdueToleranceAmount) },
    lateFee: { ...before.lateFee, ...body.lateFee },
    fees: { ...before.fees, ...body.fees },
    creditLimit: {
      openToBuyLogic: creditLimit?.openToBuyLogic ?? before.creditLimit.openToBuyLogic,
      overLimitTolerancePercent:
        creditLimit?.overLimitTolerancePercent === undefined
          ? before.creditLimit.overLimitTolerancePercent
          : rateOf(creditLimit.overLimitTolerancePercent),
    },
    draws: { ...before.draws, ...body.draws },
    refunds: { billing: { ...before.refunds.billing, ...body.refunds?.billing } },
    modification: { fees: { ...before.modification.fees, ...modification?.fees } },
    limits: { ...before.limits, ...body.limits },
    holdDays: mergeHoldDays(before, body),
    settleDays: { ...before.settleDays, ...body.settleDays },
    autopay: { ...before.autopay, ...autopay, retry: { ...before.autopay.retry, ...autopay?.retry } },
    snapshotDaysAfterPayoff: body.snapshotDaysAfterPayoff ?? before.snapshotDaysAfterPayoff,
    smallBalanceForgivenessAmount:
      body.smallBalanceForgivenessAmount === undefined ? before.smallBalanceForgivenessAmount : centsOf(body.smallBalanceForgivenessAmount),
    enforceRateLimits: body.enforceRateLimits ?? before.enforceRateLimits,
    freezeAllowedForLineOfCredit: body.freezeAllowedForLineOfCredit ?? before.freezeAllowedForLineOfCredit,
    creditReporting: {
      isCreditReportingAllowed: body.isCreditReportingAllowed ?? before.creditReporting.isCreditReportingAllowed,
      creditAgencyIds: body.creditAgencyIds ?? before.creditReporting.creditAgencyIds,
      metro2: { ...before.creditReporting.metro2, ...metro2Of(body) },
    },
    statements: { ...before.statements, ...body.statements },
    notices: { ...before.notices, ...body.notices },
    processors: body.processors ?? before.processors,
  };
  return settings;
}

const kept = <Value>(sent: Value | undefined, before: Value): Value => (sent === undefined ? before : sent);

/** Precomputed interest is always scheduled interest, with the default settings unless the body has others. */
function mergeScheduledInterest(
  before: ScheduledInterestSettings | null,
  { byInstalment: patch, interest }: SettingsBody,
): ScheduledInterestSettings | null {
  if (patch === null) return null;
  if (patch === undefined) return before ?? (interest?.balanceMethod === 'precomputed' ? SCHEDULED_INTEREST_DEFAULTS : null);
  const { downPaymentShare, ...plain } = patch;
  const known = before ?? SCHEDULED_INTEREST_DEFAULTS;
  return { ...known, ...plain, downPaymentShare: downPaymentShare === undefined ? known.downPaymentShare : rateOf(downPaymentShare) };
}

/** Credits follow the order of payments until a body sets an order of their own. */
function followedWaterfall({ paymentWaterfall, creditWaterfall }: LoanTypeSettings, body: SettingsBody): readonly WaterfallBucket[] {
  const follows = creditWaterfall.join() === paymentWaterfall.join();
  return follows ? (body.paymentWaterfall ?? creditWaterfall) : creditWaterfall;
}

/** Which balances bear interest by each method. */
const ACCRUE_ON: { readonly [Method in AccrualMethod]: readonly BalanceComponent[] } = {
  simple: ['principal'],
  compound: ['principal', 'interest'],
  compoundWithFees: ['principal', 'interest', 'fees'],
};

function mergeInterest(before: InterestSettings, body: SettingsBody): InterestSettings {
  const { minRate, maxRate, maxAprNominal, maxAprEffective, minimumInterestCharge, accrueOn, ...plain } = body.interest ?? {};
  const method = accrualMethodOf(body) ?? before.accrualMethod;
  return {
    ...before,
    ...plain,
    accrualMethod: method,
    accrueOn: ACCRUE_ON[method],
    minRate: minRate === undefined ? before.minRate : orNull(rateOf, minRate),
    maxRate: maxRate === undefined ? before.maxRate : orNull(rateOf, maxRate),
    maxAprNominal: maxAprNominal === undefined ? before.maxAprNominal : orNull(rateOf, maxAprNominal),
    maxAprEffective: maxAprEffective === undefined ? before.maxAprEffective : orNull(rateOf, maxAprEffective),
    minimumInterestCharge: minimumInterestCharge === undefined ? before.minimumInterestCharge : orNull(centsOf, minimumInterestCharge),
  };
}

/** The accrual method, which a body can set in three ways; they must agree. */
function accrualMethodOf(body: SettingsBody): AccrualMethod | undefined {
  const accrueOn = body.interest?.accrueOn;
  const byBalances = accrueOn && methodOf(accrueOn);
  const choices = [body.accrualMethod, body.interest?.accrualMethod, byBalances].filter((choice) => choice !== undefined);
  if (new Set(choices).size > 1) {
    refuseProperty(
      'interest.accrueOn',
      'the balances of accrualMethod',
      '`accrualMethod` and `interest.accrueOn` contradict each other. Send one of them.',
    );
  }
  return choices[0];
}

function methodOf(accrueOn: readonly BalanceComponent[]): AccrualMethod {
  const balances = [...new Set(accrueOn)].sort().join();
  for (const method of ['simple', 'compound', 'compoundWithFees'] as const) {
    if ([...ACCRUE_ON[method]].sort().join() === balances) return method;
  }
  return refuseProperty(
    'interest.accrueOn',
    '[principal], [principal, interest] or [principal, interest, fees]',
    'No accrual method charges interest on these balances.',
  );
}

function mergeMinPayment(before: MinPaymentSettings, patch: NonNullable<SettingsBody['minPayment']>): MinPaymentSettings {
  const { percentageOfPrincipal, minAmount, ...plain } = patch;
  return {
    ...before,
    ...plain,
    percentageOfPrincipal: percentageOfPrincipal === undefined ? before.percentageOfPrincipal : rateOf(percentageOfPrincipal),
    minAmount: minAmount === undefined ? before.minAmount : centsOf(minAmount),
  };
}

function mergeHoldDays(before: LoanTypeSettings, body: SettingsBody): LoanTypeSettings['holdDays'] {
  const alias = body.creditLimit?.paymentHoldDays;
  return { ...before.holdDays, ...(alias === undefined ? {} : { ach: alias }), ...body.holdDays };
}

function metro2Of(body: SettingsBody): Record<string, string> {
  return Object.fromEntries(Object.entries(body).filter(([key, value]) => key.startsWith('metro2') && typeof value === 'string'));
}

/** Settings as a reply shows them. */
export function settingsView(settings: LoanTypeSettings): SettingsView {
  const { interest, minPayment, creditLimit, creditReporting, byInstalment, refunds, statements, notices, ...others } = settings;
  return {
    ...others,
    accrualMethod: interest.accrualMethod,
    interest: {
      ...interest,
      minRate: orNull(rateValue, interest.minRate),
      maxRate: orNull(rateValue, interest.maxRate),
      maxAprNominal: orNull(rateValue, interest.maxAprNominal),
      maxAprEffective: orNull(rateValue, interest.maxAprEffective),
      minimumInterestCharge: orNull(amount, interest.minimumInterestCharge),
    },
    byInstalment: orNull(
      (by) => ({ ...by, interestRoundedPer: by.interestRoundedPer ?? 'period', downPaymentShare: rateValue(by.downPaymentShare) }),
      byInstalment,
    ),
    minPayment: {
      ...minPayment,
      percentageOfPrincipal: rateValue(minPayment.percentageOfPrincipal),
      minAmount: amount(minPayment.minAmount),
    },
    creditLimit: { ...creditLimit, overLimitTolerancePercent: rateValue(creditLimit.overLimitTolerancePercent) },
    delinquency: { overdueToleranceAmount: amount(settings.delinquency.overdueToleranceAmount) },
    refunds: {
      billing: {
        loanOwner: billedAccount(refunds.billing.loanOwner),
        loanServicer: billedAccount(refunds.billing.loanServicer),
        merchant: billedAccount(refunds.billing.merchant),
      },
    },
    statements: { includeEmptyPeriods: statements.includeEmptyPeriods ?? false },
    notices: { mutedSubjects: notices.mutedSubjects ?? [] },
    smallBalanceForgivenessAmount: amount(settings.smallBalanceForgivenessAmount),
    isCreditReportingAllowed: creditReporting.isCreditReportingAllowed,
    creditAgencyIds: creditReporting.creditAgencyIds,
    ...creditReporting.metro2,
  };
}

/** The account that a setting of `refunds.billing` names. Anything but a text was stored by an earlier release, and names none. */
export const billedAccount = (stored: unknown): string | null => (typeof stored === 'string' && stored !== '' ? stored : null);
