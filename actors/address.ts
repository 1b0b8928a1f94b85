import type { tags } from 'typia';
import { type Fault, Refusal } from './errors.js';
import type { ShortText } from './wire.js';

/** A postal address in clear. */
export interface Address {
  readonly addressLine1: string | null;
  readonly addressLine2: string | null;
  readonly city: string | null;
  readonly countyOrRegion: string | null;
  readonly state: string | null;
  readonly postalCode: string | null;
  readonly country: string | null;
  readonly POBox: string | null;
}

export interface AddressBody {
  readonly addressLine1?: (string & tags.MaxLength<200>) | null;
  readonly addressLine2?: (string & tags.MaxLength<200>) | null;
  readonly city?: ShortText | null;
  readonly countyOrRegion?: ShortText | null;
  readonly state?: (string & tags.MaxLength<50>) | null;
  readonly postalCode?: (string & tags.MaxLength<20>) | null;
  readonly country?: (string & tags.MaxLength<50>) | null;
  readonly POBox?: ShortText | null;
}

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

/** An address with all its fields; absent ones are null. The country is the United States unless another one is given. */
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
 * Checks what can be checked without a postal service: that the required parts are present and, in the United States, that
 * the state exists (`NY` or `US-NY`) and the ZIP code has the right shape. The refusal has a suggestion for each fault.
 */
/** What is wrong with an address that is sent as a whole. */
export function addressFaults(address: Address, path: string): readonly Fault[] {
  const errors: Fault[] = [];
  const need = (part: keyof Address, expected: string, isRight: boolean): void => {
    if (!isRight) errors.push({ path: `${path}.${part}`, expected, message: 'does not match the address' });
  };
  need('addressLine1', 'a street address, or a POBox', Boolean(address.addressLine1 ?? address.POBox));
  need('city', 'a city', Boolean(address.city));
  if (isOfUnitedStates(address)) {
    need('state', 'a state of the United States such as NY', US_STATES.has((address.state ?? '').toUpperCase().replace(/^US-/, '')));
    need('postalCode', 'a ZIP code such as 10001 or 10001-1234', /^\d{5}(-?\d{4})?$/.test(address.postalCode ?? ''));
  }
  return errors;
}

export function checkAddress(address: Address, path: string): void {
  const errors = addressFaults(address, path);
  if (errors.length === 0) return;
  throw new Refusal('addressInvalid', 'The address could not be verified. Correct it, or send `validate=false` to store it as it is.', {
    errors,
  });
}
