import { type Fault, Refusal } from '../errors.js';
import type { AddressBody } from './contact-wire.js';
import type { Address } from './state.js';

/** The states, the federal district, the territories and the military posts of the United States (USPS Publication 28). */
const US_STATES: ReadonlySet<string> = new Set(
  [
    'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO',
    'MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY',
    'DC AS GU MP PR VI UM FM MH PW AA AE AP',
  ].flatMap((row) => row.split(' ')),
);

const US: ReadonlySet<string> = new Set(['US', 'USA', 'UNITED STATES']);

export const isOfUnitedStates = ({ country }: Address): boolean => US.has((country ?? '').toUpperCase());

/** An address with everything said that it may say. The country is the United States unless another one is named. */
export function fullAddress(body: AddressBody): Address {
  return {
    addressLine1: body.addressLine1 ?? null,
    addressLine2: body.addressLine2 ?? null,
    city: body.city ?? null,
    countyOrRegion: body.countyOrRegion ?? null,
    state: body.state ?? null,
    postalCode: body.postalCode ?? null,
    country: body.country ?? 'US',
    POBox: body.POBox ?? null,
  };
}

/**
 * What can be known of an address without a postal service: that its parts are there and, in the United States,
 * that the state exists (`NY` or `US-NY`) and the ZIP code is one. Refuses with a suggestion a fault.
 */
export function checkAddress(address: Address, path: string): void {
  const errors: Fault[] = [];
  const need = (part: keyof Address, expected: string, isRight: boolean): void => {
    if (!isRight) errors.push({ path: `${path}.${part}`, expected, message: 'does not fit the address' });
  };
  need('addressLine1', 'a street address, or a POBox', Boolean(address.addressLine1 ?? address.POBox));
  need('city', 'a city', Boolean(address.city));
  if (isOfUnitedStates(address)) {
    need('state', 'a state of the United States such as NY', US_STATES.has((address.state ?? '').toUpperCase().replace(/^US-/, '')));
    need('postalCode', 'a ZIP code such as 10001 or 10001-1234', /^\d{5}(-?\d{4})?$/.test(address.postalCode ?? ''));
  }
  if (errors.length === 0) return;
  throw new Refusal('addressInvalid', 'The address could not be verified; `validate=false` stores it as it is.', { errors });
}
