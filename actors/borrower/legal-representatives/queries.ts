import { refuse } from '../../errors.js';
import { pageOf } from '../../page.js';
import { dateTimeText, type MetaData, orNull } from '../../wire.js';
import type { ContactView } from '../contact-wire.js';
import { openJson, type Opener } from '../fields.js';
import { onPersonRead } from '../reads.js';
import type { ContactType, PersonState } from '../state.js';
import { addressView } from '../views.js';
import { findRepresentative, type LegalRepresentative, NO_DETAILS, type RepresentativeDetails } from './representative.js';
import type { RepresentativeListQuery, RepresentativeView } from './wire.js';

export const representativeQueries = [
  onPersonRead('legalRepresentative.list', ({ state, query, env }) => {
    const { includeArchived = false, ...page } = (query ?? {}) as RepresentativeListQuery;
    const listed = state.legalRepresentatives.filter(({ status }) => includeArchived || status !== 'archived');
    return pageOf([...listed].reverse(), page, (known) => representativeView(state, known, env));
  }),
  onPersonRead('legalRepresentative.get', ({ state, request, env }) => {
    const id = request.params['legalRepresentativeId'] ?? '';
    return representativeView(state, findRepresentative(state, id) ?? refuse('notFound', `There is no legal representative ${id}.`), env);
  }),
];

const detailsOf = (state: PersonState, { id, details }: LegalRepresentative, env: Opener): RepresentativeDetails | null =>
  openJson<RepresentativeDetails>(env, state.id, 'legalRepresentative', id, details);

export function representativeView(state: PersonState, known: LegalRepresentative, env: Opener): RepresentativeView {
  const details = detailsOf(state, known, env) ?? NO_DETAILS;
  return {
    id: known.id,
    object: 'legalRepresentative',
    personId: state.id,
    companyId: state.tenant.company,
    status: known.status,
    ...details,
    name: details.name && { object: 'name', ...details.name },
    address: addressView(details.address),
    caseIds: known.caseIds,
    metaData: known.metaData as MetaData | null,
    createdAt: dateTimeText(known.createdAt),
    updatedAt: orNull(dateTimeText, known.updatedAt),
    deletedAt: null,
  };
}

/** Of those who are not archived, each way to reach them as if it were a contact of the borrower (`includeLegal`). */
export function contactsOfRepresentatives(state: PersonState, env: Opener): readonly ContactView[] {
  return state.legalRepresentatives
    .filter(({ status }) => status !== 'archived')
    .flatMap((known) => {
      const details = detailsOf(state, known, env);
      if (!details) return [];
      const ways: readonly (readonly [name: string, type: ContactType, value: string | null])[] = [
        ['phone', 'phone', details.phone],
        ['otherPhone', 'phone', details.otherPhone],
        ['email', 'email', details.email],
        ['otherEmail', 'email', details.otherEmail],
      ];
      const found = ways.flatMap(([name, type, value]) =>
        value === null ? [] : [contactLike(state, known, details, { name, type, value })],
      );
      return details.address === null
        ? found
        : [...found, contactLike(state, known, details, { name: 'address', type: 'address', value: null })];
    });
}

interface Way {
  readonly name: string;
  readonly type: ContactType;
  readonly value: string | null;
}

/** It is no contact: its id is that of the representative and the name of the field. */
function contactLike(
  state: PersonState,
  { id, createdAt, updatedAt }: LegalRepresentative,
  { name, address }: RepresentativeDetails,
  way: Way,
): ContactView {
  return {
    id: `${id}-${way.name}`,
    object: 'contact',
    personId: state.id,
    companyId: state.tenant.company,
    externalId: null,
    contactType: way.type,
    label: 'work',
    affiliation: 'legalRepresentative',
    status: 'additional',
    value: way.value,
    address: way.type === 'address' ? addressView(address) : null,
    name: name && `${name.firstName} ${name.lastName}`,
    valid: true,
    verified: false,
    receiveTextMessages: false,
    receiveTextMessagesLastConsentAt: null,
    authorizedThirdParty: true,
    powerOfAttorney: false,
    phoneDisconnectionDetails: null,
    createdAt: dateTimeText(createdAt),
    updatedAt: orNull(dateTimeText, updatedAt),
    deletedAt: null,
  };
}
