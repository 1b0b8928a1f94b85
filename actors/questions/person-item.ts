import {
  addressOf,
  type Contact,
  contactValueOf,
  homeAddressOf,
  isValidHome,
  nameAndBirthOf,
  type PersonState,
  zoneOfAddress,
  zoneOfPerson,
} from '../borrower/index.js';
import { type KnownNumber, knownNumbers } from '../contact/index.js';
import type { QueryEnv } from '../kernel/actor.js';

type AddressOrNone = ReturnType<typeof addressOf>;

/** A borrower whose sealed data is opened once for all views. */
export class PersonItem {
  #home: AddressOrNone | undefined;
  #named: ReturnType<typeof nameAndBirthOf> | undefined;
  #numbers: ((contact: Contact) => KnownNumber) | undefined;
  /** The address that was opened last: its columns follow each other. */
  #opened: { readonly id: string; readonly address: AddressOrNone } | null = null;

  constructor(
    readonly state: PersonState,
    private readonly env: QueryEnv,
  ) {}

  get home(): AddressOrNone {
    return this.#home === undefined ? (this.#home = homeAddressOf(this.env, this.state)) : this.#home;
  }

  get timezone(): string | null {
    return this.home === null ? zoneOfPerson(this.env, this.state) : zoneOfAddress(this.home);
  }

  get named(): ReturnType<typeof nameAndBirthOf> {
    return (this.#named ??= nameAndBirthOf(this.env, this.state));
  }

  /** What is known of a contact's number, by whichever contact of the borrower it is known. */
  numberOf(contact: Contact): KnownNumber {
    this.#numbers ??= knownNumbers(this.env, this.state);
    return this.#numbers(contact);
  }

  valueOf(contact: Contact): string | null {
    return contactValueOf(this.env, this.state, contact);
  }

  addressOf(contact: Contact): AddressOrNone {
    if (contact.address === null) return null;
    if (isValidHome(contact)) return this.home;
    if (this.#opened?.id !== contact.id) this.#opened = { id: contact.id, address: addressOf(this.env, this.state, contact) };
    return this.#opened.address;
  }
}
