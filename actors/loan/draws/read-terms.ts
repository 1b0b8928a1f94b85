import { rateFaults } from '../origination/at-activation.js';
import { type AutoAmortization, RATE_ZERO, ZERO } from '../../../engine/index.js';
import type { Fault } from '../../errors.js';
import { centsOf, orNull, rateOf } from '../../wire.js';
import { readMinPayment } from '../line/read-terms.js';
import { merchantDiscountFaults, readDynamicFees, readInterestRate, readMerchantDiscount, readPromoRate } from '../origination/read.js';
import type { InterestRateRequest, PromoRateRequest } from '../requests.js';
import type { DrawOrigination } from './draw.js';
import type { AutoAmortizationRequest, DrawOriginationRequest } from './types.js';

/** The stored terms of a checked body. */
export function readDrawTerms(request: DrawOriginationRequest): DrawOrigination {
  const { fees, gracePeriod } = request;
  return {
    interestRates: orNull((bands: readonly InterestRateRequest[]) => bands.map(readInterestRate), request.interestRates),
    promoRates: orNull((bands: readonly PromoRateRequest[]) => bands.map(readPromoRate), request.promoRates),
    aprNominal: orNull(rateOf, request.aprNominal),
    aprEffective: orNull(rateOf, request.aprEffective),
    creditLimitCents: orNull(centsOf, request.creditLimitAmount),
    creditLimitPercentage: orNull(rateOf, request.creditLimitPercentage),
    drawFeeCents: orNull(centsOf, fees?.drawFeeAmount) ?? ZERO,
    drawFeePercentageOfPrincipal: orNull(rateOf, fees?.drawFeePercentageOfPrincipal) ?? RATE_ZERO,
    dynamicFees: readDynamicFees(fees?.dynamicFees ?? []),
    serviceFeeCents: orNull(centsOf, fees?.serviceFeeAmount),
    serviceFeeCapCents: orNull(centsOf, fees?.serviceFeeCapAmount),
    minPayment: orNull(readMinPayment, request.minPaymentCalculation),
    autoAmortization: readAutoAmortization(request.autoAmortization),
    grace:
      gracePeriod == null
        ? null
        : { isApplicable: gracePeriod.isGracePeriodApplicable ?? null, periodsToRestore: gracePeriod.numPeriodsToRestoreGrace ?? null },
    merchantDiscount: readMerchantDiscount(request.mdr),
  };
}

function readAutoAmortization(sent: AutoAmortizationRequest | null | undefined): AutoAmortization | null {
  if (sent == null || sent.amortizationLogic === 'none') return null;
  const { amortizationLogic: logic, duration, periodicPaymentAmount } = sent;
  if (duration != null) return { logic, payment: { type: 'periods', count: duration } };
  return { logic, payment: { type: 'amount', amountCents: orNull(centsOf, periodicPaymentAmount) ?? ZERO } };
}

/** Faults of the body that its types do not catch. */
export function drawTermsFaults(request: DrawOriginationRequest): readonly Fault[] {
  const { interestRates, promoRates, fees } = request;
  const path = 'atOrigination';
  return [
    ...rateFaults({ interestRates: interestRates ?? [], promoRates: promoRates ?? null }, path),
    ...both(
      request.creditLimitAmount,
      request.creditLimitPercentage,
      `${path}.creditLimitPercentage`,
      'send an amount or a percentage, not both',
    ),
    ...both(
      fees?.drawFeeAmount,
      fees?.drawFeePercentageOfPrincipal,
      `${path}.fees.drawFeePercentageOfPrincipal`,
      'send an amount or a percentage, not both',
    ),
    ...amortizationFaults(request.autoAmortization),
    ...merchantDiscountFaults(request.mdr, `${path}.mdr`, 'lineOfCredit'),
  ];
}

/** Refuses an amount and a share together. Zero counts as absent. */
function both(amount: number | null | undefined, share: number | null | undefined, path: string, message: string): readonly Fault[] {
  return amount == null || amount === 0 || share == null || share === 0 ? [] : [{ path, expected: 'null', message }];
}

function amortizationFaults(sent: AutoAmortizationRequest | null | undefined): readonly Fault[] {
  if (sent == null || sent.amortizationLogic === 'none') return [];
  const given = [sent.duration, sent.periodicPaymentAmount].filter((value) => value != null);
  if (given.length === 1) return [];
  return [
    {
      path: 'atOrigination.autoAmortization',
      expected: 'a duration or a periodicPaymentAmount',
      message: 'send exactly one of duration and periodicPaymentAmount',
    },
  ];
}
