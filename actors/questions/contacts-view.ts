import type { Contact } from '../borrower/index.js';
import type { PersonItem } from './person-item.js';
import { view } from './view.js';

interface ContactItem {
  readonly person: PersonItem;
  readonly contact: Contact;
}

const ofAddress = (part: 'addressLine1' | 'addressLine2' | 'city' | 'state' | 'postalCode' | 'country', name: string, meaning: string) =>
  ({
    name,
    type: 'VARCHAR',
    meaning,
    isPersonal: true,
    of: ({ person, contact }: ContactItem): string | null => person.addressOf(contact)?.[part] ?? null,
  }) as const;

export const contacts = view<PersonItem, ContactItem>({
  name: 'v_contacts',
  meaning: 'E-mail addresses, telephones and addresses of borrowers, archived ones too, one row each.',
  kind: 'person',
  items: (person) => person.state.contacts.map((contact) => ({ person, contact })),
  columns: [
    { name: 'contact_id', type: 'VARCHAR', meaning: 'Id of the contact', of: ({ contact }) => contact.id },
    { name: 'external_id', type: 'VARCHAR', meaning: 'The external id', of: ({ contact }) => contact.externalId },
    { name: 'person_id', type: 'VARCHAR', meaning: 'Its borrower', of: ({ person }) => person.state.id },
    { name: 'contact_type', type: 'VARCHAR', meaning: '`email`, `phone` or `address`', of: ({ contact }) => contact.contactType },
    { name: 'label', type: 'VARCHAR', meaning: '`personal`, `work`, `home` and so on', of: ({ contact }) => contact.label },
    { name: 'affiliation', type: 'VARCHAR', meaning: 'Whose it is: `self`, or somebody else', of: ({ contact }) => contact.affiliation },
    { name: 'status', type: 'VARCHAR', meaning: 'Status of the contact, such as `primary`', of: ({ contact }) => contact.status },
    { name: 'is_valid', type: 'BOOLEAN', meaning: 'Whether it can be used', of: ({ contact }) => contact.valid },
    { name: 'is_verified', type: 'BOOLEAN', meaning: 'Whether the borrower has confirmed it', of: ({ contact }) => contact.verified },
    {
      name: 'receives_text_messages',
      type: 'BOOLEAN',
      meaning: 'Whether text messages to it are agreed to',
      of: ({ contact }) => contact.receiveTextMessages,
    },
    {
      name: 'is_authorized_third_party',
      type: 'BOOLEAN',
      meaning: 'Whether the borrower has authorized its owner',
      of: ({ contact }) => contact.authorizedThirdParty,
    },
    {
      name: 'is_disconnected',
      type: 'BOOLEAN',
      meaning: 'Whether the number is known to be disconnected, by whichever contact of the borrower',
      of: ({ person, contact }) => person.numberOf(contact).phoneDisconnectionDetails?.disconnectionStatus === 'disconnected',
    },
    {
      name: 'may_be_reassigned',
      type: 'BOOLEAN',
      meaning: 'Whether the number may belong to somebody else by now, by whichever contact of the borrower: it is chosen last',
      of: ({ person, contact }) => person.numberOf(contact).mayBeReassigned,
    },
    { name: 'created_at', type: 'TIMESTAMP', meaning: 'When it was added', of: ({ contact }) => contact.createdAt },
    { name: 'updated_at', type: 'TIMESTAMP', meaning: 'When it was last changed', of: ({ contact }) => contact.updatedAt },
    {
      name: 'value',
      type: 'VARCHAR',
      meaning: 'The e-mail address or number',
      isPersonal: true,
      of: ({ person, contact }) => person.valueOf(contact),
    },
    ofAddress('addressLine1', 'address_line_1', 'Of an address: its first line'),
    ofAddress('addressLine2', 'address_line_2', 'Its second line'),
    ofAddress('city', 'city', 'Its city'),
    ofAddress('state', 'state', 'Its state, as it was given'),
    ofAddress('postalCode', 'postal_code', 'Its postal code'),
    ofAddress('country', 'country', 'Its country'),
  ],
});
