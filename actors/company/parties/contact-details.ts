import { fieldOf } from '../../../engine/index.js';
import type { tags } from 'typia';
import { type Address, type AddressBody, checkAddress, fullAddress } from '../../address.js';
import type { Change } from '../../kernel/resources/index.js';

/** Names and telephones of parties other than borrowers. */
export type PartyName = string & tags.MinLength<1> & tags.MaxLength<256>;
export type PartyEmail = string & tags.Format<'email'> & tags.MaxLength<320>;
export type PartyPhone = string & tags.MinLength<1> & tags.MaxLength<15>;

/** An address in a reply. */
export type PartyAddressView = Address & { readonly object: 'address' };

export interface PartyWriteQuery {
  /** Addresses are checked unless this is false. */
  readonly validate?: boolean;
}

/** The address after a create or a change: absent parts stay, null removes the address. It is checked, if the query does not forbid it. */
export function changedAddress(
  before: Address | null,
  sent: AddressBody | null | undefined,
  { command }: Change,
  path = 'address',
): Address | null {
  if (sent == null) return sent === undefined ? before : null;
  const address = fullAddress({ ...before, ...sent });
  if (fieldOf(command.query, 'validate') !== false) checkAddress(address, path);
  return address;
}

export const partyAddressView = (address: Address | null): PartyAddressView | null => address && { object: 'address', ...address };
