import type { Fault } from '../../errors.js';
import type { InterestRateRequest, ScheduleRequest } from '../requests.js';

/** What the address fields need from outside: sealing under the borrower's key, and the contact that an id names. */
export interface AddressReader {
  seal(address: object): Uint8Array;
  sealCard(card: object): Uint8Array;
  /** Null when the borrower has no such contact. */
  contact(anyId: string): { readonly id: string; readonly address: { readonly state?: string | null }; readonly isValid: boolean } | null;
}

export function rateFaults(request: Pick<ScheduleRequest, 'interestRates' | 'promoRates' | 'rateCaps'>, path: string): readonly Fault[] {
  return [
    ...bandFaults(request.interestRates, `${path}.interestRates`),
    ...bandFaults(request.promoRates ?? [], `${path}.promoRates`),
    ...bandFaults(request.rateCaps ?? [], `${path}.rateCaps`),
    ...negativeRateFaults(request.interestRates, `${path}.interestRates`),
  ];
}

function bandFaults(bands: readonly { readonly days?: number | null }[], path: string): readonly Fault[] {
  return bands
    .slice(0, -1)
    .flatMap((band, index) =>
      band.days == null ? [fault(`${path}[${index}].days`, 'a number of days', 'only the last band may last until the end')] : [],
    );
}

function negativeRateFaults(rates: readonly InterestRateRequest[], path: string): readonly Fault[] {
  return rates.flatMap((band, index) =>
    band.rate < 0 && band.interestType !== 'spread'
      ? [fault(`${path}[${index}].rate`, 'zero or more', 'an absolute rate is not negative')]
      : [],
  );
}

export const fault = (path: string, expected: string, message: string): Fault => ({ path, expected, message });
