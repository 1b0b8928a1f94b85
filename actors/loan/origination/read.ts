import { day, formatSpecificDays, parseDueDateRule, RATE_ONE, ZERO } from '../../../engine/index.js';
import type { Fault } from '../../errors.js';
import { centsOf, dayOfText, orNull, rateOf, secondsOf } from '../../wire.js';
import { foreignFaults, LINE_FIELDS, lineFaults, readCredit, readLineDays } from '../line/read-terms.js';
import type {
  AdvanceRequest,
  CreateLoanRequest,
  DynamicFeeRequest,
  InterestRateRequest,
  InvestorRequest,
  MerchantDiscountRequest,
  OriginationFeesRequest,
  OriginationPaymentRequest,
  OriginationRequest,
  PromoProgramRequest,
  PromoRateRequest,
  ScheduleRequest,
} from '../requests.js';
import type { LoanRecord, LoanTimestamps } from '../state.js';
import { type AddressReader, fault, rateFaults } from './at-activation.js';
import {
  type AdvancePlan,
  type DynamicFeeTerms,
  type GivenDynamicFee,
  type InterestRateBand,
  type InvestorShare,
  type MerchantDiscount,
  MOST_MONTHS,
  type Origination,
  type OriginationFees,
  type OriginationPayment,
  type PromoProgramPlan,
  type PromoRateBand,
  type RateCapBand,
} from './terms.js';

/** The stored terms of a checked body. `originationFaults` finds contradictions. */
export function readOrigination(request: OriginationRequest, addresses: AddressReader): Origination {
  const amountFinancedCents = orNull(centsOf, request.amountFinanced) ?? ZERO;
  const contact = request.personAddressId == null ? null : addresses.contact(request.personAddressId);
  // A copy of the address at origination: the contact's address may change.
  const address = request.personAddress ?? contact?.address ?? null;
  return {
    amountFinancedCents,
    principalCents: orNull(centsOf, request.principalAmount) ?? amountFinancedCents,
    ...readSchedule(request),
    aprNominal: orNull(rateOf, request.aprNominal),
    aprEffective: orNull(rateOf, request.aprEffective),
    totalInterestCents: orNull(centsOf, request.totalInterestAmount),
    totalDiscountCents: orNull(centsOf, request.totalDiscountAmount),
    downPaymentCents: orNull(centsOf, request.downPaymentAmount) ?? ZERO,
    fees: readFees(request.fees ?? {}),
    advanceSchedule: orNull((advances: readonly AdvanceRequest[]) => advances.map(readAdvance), request.advanceSchedule),
    personAddress: address === null ? null : addresses.seal(address),
    addressState: address?.state ?? null,
    personAddressId: contact?.id ?? null,
    ...(contact === null ? {} : { isAddressValid: contact.isValid }),
    originationLicense: request.originationLicense,
    originatingCreditorName: request.originatingCreditorName,
    investors: orNull((investors: readonly InvestorRequest[]) => investors.map(readInvestor), request.investors),
    merchantDiscount: readMerchantDiscount(request.mdr),
    merchantId: request.merchantId ?? null,
    itemsOrServicesFinanced: request.itemsOrServicesFinanced ?? null,
    discountProgramIds: request.discountProgramIds ?? null,
    skipCreditReporting: request.skipCreditReporting ?? false,
    promoPrograms: orNull((programs: readonly PromoProgramRequest[]) => programs.map(readPromoProgram), request.promoPrograms),
    ...readCredit(request, addresses),
  };
}

export type ScheduleFields = Pick<
  Origination,
  | 'duration'
  | 'paymentFrequency'
  | 'specificDays'
  | 'periodicPaymentCents'
  | 'expectedPayments'
  | 'enforcedEndDate'
  | 'bufferToPushOutSchedule'
  | 'interestRates'
  | 'promoRates'
  | 'rateCaps'
  | 'totalInterestCapCents'
>;

export function readSchedule(request: ScheduleRequest): ScheduleFields {
  return {
    duration: request.duration ?? null,
    paymentFrequency: request.paymentFrequency,
    specificDays: readSpecificDays(request),
    periodicPaymentCents: orNull(centsOf, request.periodicPaymentAmount),
    expectedPayments: orNull((rows: readonly OriginationPaymentRequest[]) => rows.map(readPayment), request.expectedPayments),
    enforcedEndDate: orNull(dayOfText, request.enforcedEndDate),
    bufferToPushOutSchedule: request.bufferToPushOutSchedule ?? null,
    interestRates: request.interestRates.map(readInterestRate),
    promoRates: orNull((rates: readonly PromoRateRequest[]) => rates.map(readPromoRate), request.promoRates),
    rateCaps: orNull(
      (caps: NonNullable<ScheduleRequest['rateCaps']>): readonly RateCapBand[] =>
        caps.map((cap) => ({ days: cap.days ?? null, maxRate: rateOf(cap.maxRate), rateCapReason: cap.rateCapReason ?? null })),
      request.rateCaps,
    ),
    totalInterestCapCents: orNull(centsOf, request.totalInterestCapAmount),
  };
}

/** Faults of the body that its types do not catch. */
export function originationFaults(request: OriginationRequest, type: LoanRecord['type'], path: string): readonly Fault[] {
  const ofProduct =
    type === 'installment' ? [...installmentFaults(request, path), ...scheduleFaults(request, path)] : lineFaults(request, path);
  return [
    ...ofProduct,
    ...addressFaults(request, path),
    ...feeFaults(request, path),
    ...investorFaults(request, path),
    ...merchantDiscountFaults(request.mdr, `${path}.mdr`, type),
  ];
}

export function scheduleFaults(request: ScheduleRequest, path: string): readonly Fault[] {
  return [
    ...durationFaults(request, path),
    ...dayFaults(request, path),
    ...rateFaults(request, path),
    ...paymentFaults(request.expectedPayments ?? [], `${path}.expectedPayments`),
  ];
}

function installmentFaults(request: OriginationRequest, path: string): readonly Fault[] {
  const amount =
    request.amountFinanced == null ? [fault(`${path}.amountFinanced`, 'an amount', 'is required for an installment loan')] : [];
  return [...amount, ...foreignFaults(request, LINE_FIELDS, path, 'is only supported for a line of credit')];
}

/** Any day will do to check whether the days fit the frequency. */
const ANY_DAY = day(0);

function readSpecificDays(request: ScheduleRequest): readonly string[] | null {
  if (request.specificDays == null || request.specificDays.length === 0) return null;
  const rule = parseDueDateRule(request.paymentFrequency, request.specificDays, ANY_DAY);
  return rule === undefined ? readLineDays(request) : formatSpecificDays(rule);
}

function durationFaults(request: ScheduleRequest, path: string): readonly Fault[] {
  const isOpen = request.duration == null && request.periodicPaymentAmount == null && request.enforcedEndDate == null;
  if (!isOpen || request.paymentFrequency === 'singleTerm' || (request.expectedPayments?.length ?? 0) > 0) return [];
  return [fault(`${path}.duration`, 'a number of periods', 'a duration, a periodic payment or expected payments are required')];
}

function dayFaults(request: ScheduleRequest, path: string): readonly Fault[] {
  if (request.specificDays == null || parseDueDateRule(request.paymentFrequency, request.specificDays, ANY_DAY) !== undefined) return [];
  return [
    fault(
      `${path}.specificDays`,
      EXPECTED_DAYS[request.paymentFrequency],
      `the days do not match the frequency ${request.paymentFrequency}`,
    ),
  ];
}

const EXPECTED_DAYS: Readonly<Record<ScheduleRequest['paymentFrequency'], string>> = {
  weekly: 'one day of the week, 1 to 7 or its name',
  everyTwoWeeks: 'one day of the week, 1 to 7 or its name, and at most a start date',
  twiceMonthly: 'two different days of the month, 1 to 31',
  monthly: 'one day of the month, 1 to 31',
  singleTerm: 'one day of the month, 1 to 31',
};

function paymentFaults(rows: readonly OriginationPaymentRequest[], path: string): readonly Fault[] {
  return rows.flatMap((row, index) => {
    const before = rows[index - 1];
    return before !== undefined && row.date <= before.date
      ? [fault(`${path}[${index}].date`, `a date after ${before.date}`, 'expected payments must be in the order of their dates')]
      : [];
  });
}

function addressFaults(request: OriginationRequest, path: string): readonly Fault[] {
  if (request.personAddress != null || request.personAddressId != null) return [];
  return [fault(`${path}.personAddress`, 'an address or personAddressId', 'the address at origination is required')];
}

function feeFaults(request: OriginationRequest, path: string): readonly Fault[] {
  return (request.fees?.dynamicFees ?? []).flatMap((fee, index) =>
    fee.apiName == null && fee.dynamicFeeTypeId == null
      ? [fault(`${path}.fees.dynamicFees[${index}].apiName`, 'apiName or dynamicFeeTypeId', 'apiName or dynamicFeeTypeId is required')]
      : [],
  );
}

function investorFaults(request: OriginationRequest, path: string): readonly Fault[] {
  const sums = new Map<string, number>();
  const dateFaults = (request.investors ?? []).flatMap(({ effectiveDate, dateEffective }, index) =>
    effectiveDate == null || dateEffective == null || dayOfText(effectiveDate) === dayOfText(dateEffective)
      ? []
      : [fault(`${path}.investors[${index}].dateEffective`, `${effectiveDate}, or nothing`, 'is another day than effectiveDate')],
  );
  for (const investor of request.investors ?? []) {
    const date = investor.effectiveDate ?? investor.dateEffective ?? '';
    sums.set(date, (sums.get(date) ?? 0) + rateOf(investor.share));
  }
  const sumFaults = [...sums].flatMap(([date, sum]) =>
    sum === RATE_ONE
      ? []
      : [
          fault(
            `${path}.investors`,
            'shares that sum to 1',
            `the shares effective ${date === '' ? 'at activation' : date} do not sum to 1`,
          ),
        ],
  );
  return [...dateFaults, ...sumFaults];
}

export const readPromoRate = (band: PromoRateRequest): PromoRateBand => ({ days: band.days ?? null, rate: rateOf(band.rate) });

export const readInterestRate = (band: InterestRateRequest): InterestRateBand => ({
  interestType: band.interestType ?? 'absolute',
  days: band.days ?? null,
  rate: rateOf(band.rate),
});

const readPayment = (row: OriginationPaymentRequest): OriginationPayment => ({
  date: dayOfText(row.date),
  paymentType: row.paymentType ?? 'periodicPayment',
  amountCents: centsOf(row.amount),
  principalCents: orNull(centsOf, row.principalAmount),
  interestCents: orNull(centsOf, row.interestAmount),
  interestBeforeDiscountCents: orNull(centsOf, row.interestBeforeDiscountAmount),
  unroundedPrincipal: row.unroundedPrincipalAmount ?? null,
  unroundedInterest: row.unroundedInterestAmount ?? null,
  unroundedInterestBeforeDiscount: row.unroundedInterestBeforeDiscountAmount ?? null,
  isForced: row.isForcedAmount ?? false,
  ...(row.dynamicFeeDetails == null ? {} : { dynamicFee: readGivenFee(row.dynamicFeeDetails) }),
});

const readGivenFee = (fee: NonNullable<OriginationPaymentRequest['dynamicFeeDetails']>): GivenDynamicFee => ({
  chargeDay: orNull(dayOfText, fee.chargeDate),
  chargeTimeOfDay: fee.chargeTimeOfDay ?? null,
  dynamicFeeTypeId: fee.dynamicFeeTypeId ?? null,
});

export const readDynamicFees = (fees: readonly DynamicFeeRequest[]): readonly DynamicFeeTerms[] =>
  fees.map((fee) => ({
    apiName: fee.apiName ?? null,
    dynamicFeeTypeId: fee.dynamicFeeTypeId ?? null,
    feeCents: orNull(centsOf, fee.feeAmount),
    feeCapCents: orNull(centsOf, fee.feeCapAmount),
  }));

const readFees = (fees: OriginationFeesRequest): OriginationFees => ({
  originationFeeCents: orNull(centsOf, fees.originationFeeAmount) ?? ZERO,
  dynamicFees: readDynamicFees(fees.dynamicFees ?? []),
  serviceFeeCents: orNull(centsOf, fees.serviceFeeAmount),
  serviceFeeCapCents: orNull(centsOf, fees.serviceFeeCapAmount),
  totalOtherFeesCents: orNull(centsOf, fees.totalOtherFeesAmount),
});

const readAdvance = (advance: AdvanceRequest): AdvancePlan => ({
  advanceDate: dayOfText(advance.advanceDate),
  advanceSeconds: orNull(secondsOf, advance.advanceTimeOfDay),
  amountCents: centsOf(advance.amount),
  externalId: advance.externalId ?? null,
  status: advance.status ?? 'scheduled',
  metaData: advance.metadata ?? null,
  details: orNull(
    (details: NonNullable<AdvanceRequest['advanceDetails']>) => ({
      categoryId: details.categoryId ?? null,
      description: details.description ?? null,
      merchantId: details.merchantId ?? null,
      merchantName: details.merchantName ?? null,
      metaData: details.metadata ?? null,
      pointOfSaleType: details.pointOfSaleType ?? null,
    }),
    advance.advanceDetails,
  ),
});

const readInvestor = (investor: InvestorRequest): InvestorShare => ({
  investorId: investor.investorId,
  share: rateOf(investor.share),
  effectiveDate: orNull(dayOfText, investor.effectiveDate ?? investor.dateEffective),
  isK2SegmentReported: investor.metro2?.reportK2Segment ?? false,
});

type SentDiscount = OriginationRequest['mdr'];

const isList = <Item extends object>(sent: Item | readonly Item[]): sent is readonly Item[] => Array.isArray(sent);

/** Older clients send a list of one. */
const discountIn = (sent: SentDiscount): MerchantDiscountRequest | null => (sent != null && isList(sent) ? sent[0] : sent) ?? null;

export function readMerchantDiscount(sent: SentDiscount): MerchantDiscount | null {
  const mdr = discountIn(sent);
  if (mdr === null) return null;
  return {
    mdrRate: orNull(rateOf, mdr.mdrRate),
    mdrCents: orNull(centsOf, mdr.mdrAmount),
    amortizationPeriod: mdr.amortizationPeriod ?? null,
    // A period alone says that the discount is amortized.
    isAmortized: mdr.isAmortized ?? (mdr.amortizationPeriod == null ? null : true),
  };
}

/** Terms of a discount that would have no effect, or that cannot be computed. Only an installment loan has a last due date at once. */
export function merchantDiscountFaults(sent: SentDiscount, path: string, type: 'installment' | 'lineOfCredit'): readonly Fault[] {
  const mdr = discountIn(sent);
  if (mdr === null) return [];
  const { mdrRate, mdrAmount, amortizationPeriod, isAmortized } = mdr;
  const faults: Fault[] = [];
  const add = (field: string, expected: string, message: string): number => faults.push(fault(`${path}.${field}`, expected, message));
  if (mdrRate != null && rateOf(mdrRate) > RATE_ONE) add('mdrRate', 'at most 1', 'is more than what is financed');
  if (mdrRate == null && mdrAmount == null && (amortizationPeriod != null || isAmortized === true))
    add('mdrRate', 'a rate, or an mdrAmount', 'is missing: there is nothing to amortize');
  if (isAmortized === true && amortizationPeriod == null && type === 'lineOfCredit')
    add('amortizationPeriod', 'a number of months', 'is missing: a line has no last due date');
  if (isAmortized !== false && amortizationPeriod != null && (amortizationPeriod < 1 || amortizationPeriod > MOST_MONTHS))
    add('amortizationPeriod', `1 to ${MOST_MONTHS} months`, 'is no period');
  return faults;
}

const readPromoProgram = (program: PromoProgramRequest): PromoProgramPlan => ({
  externalId: program.externalId ?? null,
  metaData: program.metaData ?? null,
  promoTypeId: program.promoTypeId ?? null,
  promoStartDate: orNull(dayOfText, program.promoStartDate),
  promoEndDate: orNull(dayOfText, program.promoEndDate),
  promoDurationDays: program.promoDurationDays ?? null,
  promoGracePeriodDays: program.promoGracePeriodDays ?? null,
  disqualifyOverdueDays: program.disqualifyOverdueDays ?? null,
  status: program.status ?? 'pending',
});

export const firstTimestamps = (now: number, status: CreateLoanRequest['status']): LoanTimestamps => ({
  createdAt: now,
  startedAt: null,
  originatedAt: status === 'originated' ? now : null,
  activatedAt: null,
  frozenAt: null,
  lastAmortizedAt: null,
  acceleratedAt: null,
  chargedOffAt: null,
  paidOffAt: null,
  closedAt: null,
  canceledAt: null,
});
