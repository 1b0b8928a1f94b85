import { type AddressReader, rateFaults } from '../origination/at-activation.js';
import { parseDueDateRule, day } from '../../../engine/index.js';
import type { Fault } from '../../errors.js';
import { centsOf, orNull, rateOf } from '../../wire.js';
import type { CardTerms, MinPaymentTerms, Origination } from '../origination/terms.js';
import type { OriginationRequest, ScheduleRequest } from '../requests.js';
import type { CardRequest, MinPaymentRequest } from './requests.js';

/** Fields that only lines of credit have; the body of an installment loan must omit them. */
export const LINE_FIELDS = ['creditLimitAmount', 'minPaymentCalculation', 'card'] as const;
const INSTALLMENT_FIELDS = [
  'amountFinanced',
  'principalAmount',
  'duration',
  'periodicPaymentAmount',
  'expectedPayments',
  'enforcedEndDate',
  'advanceSchedule',
] as const;

type OptionalField = (typeof LINE_FIELDS)[number] | (typeof INSTALLMENT_FIELDS)[number];

export const foreignFaults = (
  request: OriginationRequest,
  fields: readonly OptionalField[],
  path: string,
  message: string,
): readonly Fault[] =>
  fields.filter((field) => request[field] != null).map((field) => ({ path: `${path}.${field}`, expected: 'null', message }));

/** Faults of a line's terms by themselves. `lineScheduleFaults` checks whether its days fit the product. */
export function lineFaults(request: OriginationRequest, path: string): readonly Fault[] {
  return [
    ...(request.creditLimitAmount == null
      ? [{ path: `${path}.creditLimitAmount`, expected: 'an amount', message: 'a limit is required for a line of credit' }]
      : []),
    ...foreignFaults(request, INSTALLMENT_FIELDS, path, 'is only supported for an installment loan'),
    ...dayFaults(request, path),
    ...rateFaults(request, path),
  ];
}

/** Any day will do to check whether the days fit the frequency. */
const ANY_DAY = day(0);

function dayFaults(request: OriginationRequest, path: string): readonly Fault[] {
  const { paymentFrequency, specificDays } = request;
  if (specificDays == null || readLineDays(request) !== null) return [];
  if (parseDueDateRule(paymentFrequency, specificDays, ANY_DAY) !== undefined) return [];
  const message = `the days do not match the frequency ${paymentFrequency}`;
  return [{ path: `${path}.specificDays`, expected: 'days of the frequency; monthly also a statement day and a due day', message }];
}

/** The statement day and the due day of a monthly line whose product fixes both. */
export function readLineDays({
  paymentFrequency,
  specificDays,
}: Pick<ScheduleRequest, 'paymentFrequency' | 'specificDays'>): readonly string[] | null {
  if (paymentFrequency !== 'monthly' || specificDays?.length !== 2) return null;
  const areDays = specificDays.every((sent) => parseDueDateRule('monthly', [sent], ANY_DAY) !== undefined);
  return areDays ? specificDays.map(String) : null;
}

/** The terms of a line of credit; nothing for an installment loan. */
export function readCredit(request: OriginationRequest, addresses: AddressReader): Pick<Origination, 'credit'> {
  if (request.creditLimitAmount == null) return {};
  return {
    credit: {
      limitCents: centsOf(request.creditLimitAmount),
      minPayment: orNull(readMinPayment, request.minPaymentCalculation),
      card: orNull((card: CardRequest) => readCard(card, addresses), request.card),
    },
  };
}

export const readMinPayment = (sent: MinPaymentRequest): MinPaymentTerms => ({
  percentageOfPrincipal: orNull(rateOf, sent.percentageOfPrincipal),
  minCents: orNull(centsOf, sent.minAmount),
  isOverLimitIncluded: sent.isIncludeOverLimitAmount ?? null,
});

function readCard(sent: CardRequest, addresses: AddressReader): CardTerms {
  const { cardDetails } = sent;
  return {
    issuerId: sent.issuerId ?? null,
    type: sent.type ?? null,
    status: cardDetails?.status ?? null,
    usageType: cardDetails?.usageType ?? null,
    fulfillmentStatus: cardDetails?.fulfillmentStatus ?? null,
    lastFour: null,
    network: cardDetails?.network ?? null,
    sealed: addresses.sealCard(sent),
  };
}
