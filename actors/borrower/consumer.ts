import { type Day, parseDay } from '../../engine/index.js';
import { contactValueOf, homeAddressOf, openJson, openText, type Opener } from './contact-fields.js';
import type { IdentityType, NameParts, PersonState } from './state.js';
import { currentName } from './views.js';

/** What identifies a consumer at a credit agency, in clear. What is not known, or belongs to a borrower who was erased, is null. */
export interface Consumer {
  readonly surname: string | null;
  readonly firstName: string | null;
  readonly middleName: string | null;
  readonly suffix: string | null;
  /** Nine digits. */
  readonly ssn: string | null;
  readonly birthDate: Day | null;
  /** Ten digits of a number of the United States. */
  readonly phone: string | null;
  readonly address1: string | null;
  readonly address2: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
  readonly isBusiness: boolean;
}

export function consumerOf(env: Opener & { readonly now: number }, person: PersonState): Consumer {
  const name = currentName(person, env.now);
  const parts = name ? openJson<NameParts>(env, person.id, 'name', name.id, name.parts) : null;
  const home = homeAddressOf(env, person);
  const born = openText(env, person.id, 'dateOfBirth', person.id, person.dateOfBirth);
  return {
    surname: parts?.lastName ?? null,
    firstName: parts?.firstName ?? null,
    middleName: parts?.middleName ?? null,
    suffix: parts?.suffix ?? null,
    ssn: ssnOf(env, person),
    birthDate: parseDay(born ?? '') ?? null,
    phone: phoneOf(env, person),
    address1: home?.addressLine1 ?? home?.POBox ?? null,
    address2: home?.addressLine2 ?? null,
    city: home?.city ?? null,
    state: home?.state ?? null,
    zip: home?.postalCode?.replaceAll('-', '') ?? null,
    isBusiness: person.borrowerType === 'business',
  };
}

/** Types of identities that number a person or business for taxes or social security, the first before the others. */
const TAX_NUMBERS: readonly IdentityType[] = ['SSN', 'ITIN', 'taxID', 'FEIN'];

/** A number that is known to be wrong goes nowhere. */
const isInUse = ({ isArchived, valid }: PersonState['identities'][number]): boolean => !isArchived && valid;

/** The number of a borrower for taxes or of social security, as it was given; null: none is known. */
export function taxNumberOf(env: Opener, { id, identities }: PersonState): string | null {
  for (const type of TAX_NUMBERS) {
    const known = identities.find((identity) => identity.identityType === type && isInUse(identity));
    if (known !== undefined) return openText(env, id, 'identity.value', known.id, known.value);
  }
  return null;
}

/** An individual taxpayer's number is not one: it is never reported. */
function ssnOf(env: Opener, { id, identities }: PersonState): string | null {
  const known = identities.find((identity) => identity.identityType === 'SSN' && isInUse(identity));
  const digits = known && openText(env, id, 'identity.value', known.id, known.value)?.replaceAll(/\D/g, '');
  return digits !== undefined && /^\d{9}$/.test(digits) ? digits : null;
}

function phoneOf(env: Opener, person: PersonState): string | null {
  const phone = person.contacts.find(
    ({ contactType, affiliation, status }) => contactType === 'phone' && affiliation === 'self' && status === 'primary',
  );
  return phone === undefined ? null : (/^\+1(\d{10})$/.exec(contactValueOf(env, person, phone) ?? '')?.[1] ?? null);
}
