import { accruedOfCents, type CarriedFee, ownJson, type ScheduleRow, type ScheduleRowView, ZERO } from '../../../engine/index.js';
import { companyOf, feeTypeOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { amount, dateText, type FreeJson, orNull, rateValue, timeOfDay, unrounded } from '../../wire.js';
import { addressContext, cardContext } from '../commands/references.js';
import { activationOf, isMerchant, recordOf } from '../context.js';
import { lateFeeId } from '../derived-ids.js';
import type { CardRequest } from '../line/requests.js';
import type {
  AdvancePlan,
  CardTerms,
  DynamicFeeTerms,
  GivenDynamicFee,
  InvestorShare,
  MerchantDiscount,
  MinPaymentTerms,
  Origination,
  OriginationPayment,
  PromoProgramPlan,
} from '../origination/terms.js';
import type { LoanRecord, LoanState } from '../state.js';
import type { ViewEnv } from './loan.js';
import type {
  AdvanceView,
  CardView,
  ExpectedPaymentView,
  OriginalOwnerView,
  MerchantDiscountView,
  MinPaymentView,
  OriginationFeesView,
  OriginationView,
  PromoProgramView,
  ScheduleRowReply,
} from './types.js';

/** `atOrigination` in replies. The address is null after the borrower was erased. */
export function originationView(
  { id: loanId, tenant }: Pick<LoanState, 'id' | 'tenant'>,
  record: LoanRecord,
  env: EvolveEnv,
): OriginationView {
  const { atOrigination: terms } = record;
  return {
    amountFinanced: terms.credit === undefined ? amount(terms.amountFinancedCents) : null,
    principalAmount: terms.credit === undefined ? amount(terms.principalCents) : null,
    duration: terms.duration,
    paymentFrequency: terms.paymentFrequency,
    specificDays: terms.specificDays,
    periodicPaymentAmount: orNull(amount, terms.periodicPaymentCents),
    expectedPayments: terms.expectedPayments?.map(givenPayment) ?? null,
    enforcedEndDate: orNull(dateText, terms.enforcedEndDate),
    bufferToPushOutSchedule: terms.bufferToPushOutSchedule,
    interestRates: terms.interestRates.map(({ interestType, days, rate }) => ({ interestType, days, rate: rateValue(rate) })),
    promoRates: terms.promoRates?.map(({ days, rate }) => ({ days, rate: rateValue(rate) })) ?? null,
    rateCaps: terms.rateCaps?.map(({ days, maxRate, rateCapReason }) => ({ days, maxRate: rateValue(maxRate), rateCapReason })) ?? null,
    aprNominal: orNull(rateValue, terms.aprNominal),
    aprEffective: orNull(rateValue, terms.aprEffective),
    totalInterestAmount: orNull(amount, terms.totalInterestCents),
    totalDiscountAmount: orNull(amount, terms.totalDiscountCents),
    totalInterestCapAmount: orNull(amount, terms.totalInterestCapCents),
    downPaymentAmount: amount(terms.downPaymentCents),
    creditLimitAmount: orNull(amount, terms.credit?.limitCents),
    minPaymentCalculation: orNull(minPaymentView, terms.credit?.minPayment),
    fees: feesView(terms),
    advanceSchedule: terms.advanceSchedule?.map(advanceView) ?? null,
    personAddress: addressAtOrigination(loanId, record, env),
    personAddressId: terms.personAddressId,
    validAddress: terms.isAddressValid ?? null,
    originationLicense: terms.originationLicense,
    originatingCreditorName: terms.originatingCreditorName,
    investors: terms.investors?.map(investorView) ?? null,
    mdr: orNull(merchantDiscountView, terms.merchantDiscount),
    merchantId: terms.merchantId,
    isValidMerchantId: isMerchant(env, tenant, terms.merchantId),
    itemsOrServicesFinanced: terms.itemsOrServicesFinanced,
    discountProgramIds: terms.discountProgramIds,
    skipCreditReporting: terms.skipCreditReporting,
    promoPrograms: terms.promoPrograms?.map(promoProgramView) ?? null,
    card: orNull((card: CardTerms) => cardView(card, env.open(record.personId, card.sealed, cardContext(loanId))), terms.credit?.card),
  };
}

export const minPaymentView = (terms: MinPaymentTerms): MinPaymentView => ({
  percentageOfPrincipal: orNull(rateValue, terms.percentageOfPrincipal),
  minAmount: orNull(amount, terms.minCents),
  isIncludeOverLimitAmount: terms.isOverLimitIncluded,
});

/** `sent` is the decrypted card as it was sent; undefined after the borrower was erased. */
const cardView = (card: CardTerms, sent: string | undefined): CardView => ({
  issuerId: card.issuerId,
  type: card.type,
  cardDetails: {
    status: card.status,
    usageType: card.usageType,
    fulfillmentStatus: card.fulfillmentStatus,
    cardNumberLastFour: sent === undefined ? null : (parsed<CardRequest>(sent).cardDetails?.cardNumberLastFour ?? null),
    network: card.network,
  },
});

/** Parses decrypted JSON. */
const parsed = <Sent>(text: string): Sent => ownJson<Sent>(text);

export function addressAtOrigination(
  loanId: string,
  { personId, atOrigination: { personAddress } }: LoanRecord,
  env: EvolveEnv,
): FreeJson | null {
  if (personAddress === null) return null;
  const plain = env.open(personId, personAddress, addressContext(loanId));
  return plain === undefined ? null : parsed<FreeJson>(plain);
}

const givenPayment = (row: OriginationPayment): ExpectedPaymentView => ({
  date: dateText(row.date),
  paymentType: row.paymentType,
  amount: amount(row.amountCents),
  principalAmount: orNull(amount, row.principalCents),
  interestAmount: orNull(amount, row.interestCents),
  interestBeforeDiscountAmount: orNull(amount, row.interestBeforeDiscountCents),
  unroundedPrincipalAmount: row.unroundedPrincipal,
  unroundedInterestAmount: row.unroundedInterest,
  unroundedInterestBeforeDiscountAmount: row.unroundedInterestBeforeDiscount,
  isForcedAmount: row.isForced,
  dynamicFeeDetails: row.dynamicFee === undefined ? null : givenFee(row.dynamicFee),
});

const givenFee = ({ chargeDay, chargeTimeOfDay, dynamicFeeTypeId }: GivenDynamicFee): ExpectedPaymentView['dynamicFeeDetails'] => ({
  chargeDate: orNull(dateText, chargeDay),
  chargeTimeOfDay,
  dynamicFeeTypeId,
});

/** A computed row in the same shape. */
export function computedPayment(row: ScheduleRow): ExpectedPaymentView {
  const unroundedInterest = unrounded(row.unroundedInterest);
  const isDiscounted = row.unroundedInterestBeforeDiscount !== row.unroundedInterest;
  return {
    date: dateText(row.date),
    paymentType: 'periodicPayment',
    amount: amount(row.amountCents),
    principalAmount: amount(row.principalCents),
    interestAmount: amount(row.interestCents),
    interestBeforeDiscountAmount: amount(row.interestBeforeDiscountCents),
    unroundedPrincipalAmount: unrounded(row.unroundedPrincipal),
    unroundedInterestAmount: unroundedInterest,
    unroundedInterestBeforeDiscountAmount: isDiscounted ? unrounded(row.unroundedInterestBeforeDiscount) : unroundedInterest,
    isForcedAmount: row.isForcedAmount,
    dynamicFeeDetails: null,
  };
}

export const dynamicFeeView = ({
  apiName,
  dynamicFeeTypeId,
  feeCents,
  feeCapCents,
}: DynamicFeeTerms): OriginationFeesView['dynamicFees'][number] => ({
  apiName,
  dynamicFeeTypeId,
  feeAmount: orNull(amount, feeCents),
  feeCapAmount: orNull(amount, feeCapCents),
});

const feesView = ({ fees }: Origination): OriginationFeesView => ({
  originationFeeAmount: amount(fees.originationFeeCents),
  dynamicFees: fees.dynamicFees.map(dynamicFeeView),
  serviceFeeAmount: orNull(amount, fees.serviceFeeCents),
  serviceFeeCapAmount: orNull(amount, fees.serviceFeeCapCents),
  totalOtherFeesAmount: orNull(amount, fees.totalOtherFeesCents),
});

function advanceView(advance: AdvancePlan): AdvanceView {
  const { details } = advance;
  return {
    advanceDate: dateText(advance.advanceDate),
    advanceTimeOfDay: orNull(timeOfDay, advance.advanceSeconds),
    amount: amount(advance.amountCents),
    externalId: advance.externalId,
    metadata: advance.metaData,
    status: advance.status,
    advanceDetails: details && {
      categoryId: details.categoryId,
      description: details.description,
      merchantId: details.merchantId,
      merchantName: details.merchantName,
      metadata: details.metaData,
      pointOfSaleType: details.pointOfSaleType,
    },
  };
}

const investorView = (investor: InvestorShare): OriginalOwnerView => ({
  investorId: investor.investorId,
  share: rateValue(investor.share),
  effectiveDate: orNull(dateText, investor.effectiveDate),
  metro2: { reportK2Segment: investor.isK2SegmentReported },
});

export const merchantDiscountView = (mdr: MerchantDiscount): MerchantDiscountView => ({
  mdrRate: orNull(rateValue, mdr.mdrRate),
  mdrAmount: orNull(amount, mdr.mdrCents),
  amortizationPeriod: mdr.amortizationPeriod,
  isAmortized: mdr.isAmortized,
});

const promoProgramView = (program: PromoProgramPlan): PromoProgramView => ({
  externalId: program.externalId,
  metaData: program.metaData,
  promoTypeId: program.promoTypeId,
  promoStartDate: orNull(dateText, program.promoStartDate),
  promoEndDate: orNull(dateText, program.promoEndDate),
  promoDurationDays: program.promoDurationDays,
  promoGracePeriodDays: program.promoGracePeriodDays,
  disqualifyOverdueDays: program.disqualifyOverdueDays,
  status: program.status,
});

/** The fee details of a row that is not a fee. */
export const NO_FEE: ScheduleRowReply['dynamicFeeDetails'] = {
  loanFeeId: null,
  dynamicFeeTypeId: null,
  apiName: null,
  displayName: null,
  transactionId: null,
};

/** The rows of fees that fall due with a row of the schedule. */
export const feeRows = (row: ScheduleRowView, periodId: string, state: LoanState, env: ViewEnv): readonly ScheduleRowReply[] =>
  row.carriedFees.map((fee) => ({
    date: dateText(row.date),
    periodId,
    paymentType: 'dynamicFee',
    status: fee.isPaid ? 'completed' : row.status === 'completed' ? 'booked' : row.status,
    amount: amount(fee.amountCents),
    originalAmount: amount(fee.amountCents),
    principalAmount: amount(ZERO),
    interestAmount: amount(ZERO),
    interestBeforeDiscountAmount: amount(ZERO),
    unroundedPrincipalAmount: NOTHING,
    unroundedInterestAmount: NOTHING,
    unroundedInterestBeforeDiscountAmount: NOTHING,
    isDeferred: false,
    isForcedAmount: false,
    dynamicFeeDetails: detailsOf(fee, state, env),
  }));

function detailsOf(carried: CarriedFee, state: LoanState, env: ViewEnv): ScheduleRowReply['dynamicFeeDetails'] {
  const { fee, obligation, feeTypeId } = carried;
  const byHand = activationOf(state)?.fees.find((known) => known.fee === fee);
  const feeType = feeTypeOf(companyOf(env, state.tenant), recordOf(state).loanTypeId, feeTypeId);
  return {
    loanFeeId: byHand?.id ?? (obligation === null ? null : lateFeeId(env, state, feeTypeId, obligation)),
    dynamicFeeTypeId: feeType?.id ?? null,
    apiName: feeType?.name.apiName ?? null,
    displayName: byHand?.customDisplayName ?? feeType?.name.displayName ?? null,
    transactionId: byHand?.transactionId ?? null,
  };
}

const NOTHING = unrounded(accruedOfCents(ZERO));
