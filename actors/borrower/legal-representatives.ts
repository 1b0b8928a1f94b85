import type { tags } from 'typia';
import { must } from '../../engine/index.js';
import { type Address, type AddressBody, checkAddress, fullAddress } from '../address.js';
import { checkAll, refuse } from '../errors.js';
import type { Fact } from '../kernel/fact.js';
import { matching, type OffsetQuery, pageOf } from '../list-order.js';
import { type AnyId, dateTimeText, type DateTimeText, type MetaData, orNull, type ShortText } from '../wire.js';
import { type AddressView, type ContactView, emailAddress, type Opener, openJson, phoneNumber, sealJson } from './contact-fields.js';
import type { NameBody } from './decide.js';
import { caseOf, type Context, decided, done, fact, mustMove, nameParts, onPerson } from './decide/common.js';
import { onPersonRead } from './questions.js';
import type { ContactType, NameParts, PersonState, Sealed } from './state.js';
import { addressView } from './views.js';

/** A person who represents a borrower legally, such as an attorney. */
export interface LegalRepresentative {
  readonly id: string;
  readonly status: RepresentativeStatus;
  /** `RepresentativeDetails` as JSON. */
  readonly details: Sealed;
  readonly caseIds: readonly string[];
  readonly metaData: MetaData | null;
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

/** While one is `active`, collectors must not contact the borrower; `nonResponsive` lifts that. */
type RepresentativeStatus = 'active' | 'nonResponsive' | 'inactive' | 'archived';

/** The personal data of a representative, in clear. */
export interface RepresentativeDetails {
  readonly name: NameParts | null;
  readonly address: Address | null;
  readonly phone: string | null;
  readonly otherPhone: string | null;
  readonly email: string | null;
  readonly otherEmail: string | null;
  readonly firmName: string | null;
}

const NO_DETAILS: RepresentativeDetails = {
  name: null,
  address: null,
  phone: null,
  otherPhone: null,
  email: null,
  otherEmail: null,
  firmName: null,
};

const findRepresentative = ({ legalRepresentatives }: PersonState, id: string): LegalRepresentative | undefined =>
  legalRepresentatives.find((known) => known.id === id);

/** The wire of legal representatives. */

type Mailbox = string & tags.MaxLength<254>;
type PhoneText = string & tags.MaxLength<40>;

export interface RepresentativeBody {
  readonly status?: RepresentativeStatus;
  readonly name?: Omit<NameBody, 'source' | 'effectiveAt'> | null;
  readonly address?: AddressBody | null;
  readonly phone?: PhoneText | null;
  readonly otherPhone?: PhoneText | null;
  readonly email?: Mailbox | null;
  readonly otherEmail?: Mailbox | null;
  readonly firmName?: ShortText | null;
  /** Cases of the borrower in which the representative acts. */
  readonly caseIds?: readonly AnyId[] & tags.MaxItems<50>;
  readonly metaData?: MetaData | null;
}

export interface RepresentativeWriteQuery {
  /** The address is checked unless this is false. */
  readonly validate?: boolean;
}

export interface RepresentativeListQuery extends OffsetQuery {
  readonly includeArchived?: boolean;
}

interface RepresentativeNameView {
  readonly object: 'name';
  readonly prefix: string | null;
  readonly firstName: string;
  readonly middleName: string | null;
  readonly lastName: string;
  readonly maidenLastName: string | null;
  readonly suffix: string | null;
  readonly preferredFirstName: string | null;
}

export interface RepresentativeView {
  readonly id: string;
  readonly object: 'legalRepresentative';
  readonly personId: string;
  readonly companyId: string;
  readonly status: RepresentativeStatus;
  readonly name: RepresentativeNameView | null;
  readonly address: AddressView | null;
  readonly phone: string | null;
  readonly otherPhone: string | null;
  readonly email: string | null;
  readonly otherEmail: string | null;
  readonly firmName: string | null;
  readonly caseIds: readonly string[];
  readonly metaData: MetaData | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export const representativeQueries = [
  onPersonRead('legalRepresentative.list', ({ state, query, env }) => {
    const { includeArchived = false, ...page } = (query ?? {}) as RepresentativeListQuery;
    const listed = matching(state.legalRepresentatives.toReversed(), ({ status }) => includeArchived || status !== 'archived');
    return pageOf(listed, page, (known) => representativeView(state, known, env));
  }),
  onPersonRead('legalRepresentative.get', ({ state, request, env }) => {
    const id = request.params['legalRepresentativeId'] ?? '';
    return representativeView(state, findRepresentative(state, id) ?? refuse('notFound', `There is no legal representative ${id}.`), env);
  }),
];

const detailsOf = (state: PersonState, { id, details }: LegalRepresentative, env: Opener): RepresentativeDetails | null =>
  openJson<RepresentativeDetails>(env, state.id, 'legalRepresentative', id, details);

function representativeView(state: PersonState, known: LegalRepresentative, env: Opener): RepresentativeView {
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
    metaData: known.metaData,
    createdAt: dateTimeText(known.createdAt),
    updatedAt: orNull(dateTimeText, known.updatedAt),
    deletedAt: null,
  };
}

/** E-mail addresses, numbers and addresses of representatives that are not archived, as contacts of the borrower (`includeLegal`). */
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

/** A view in the shape of a contact. Its id is made of the representative's id and the name of the field. */
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
    numberChecks: [],
    createdAt: dateTimeText(createdAt),
    updatedAt: orNull(dateTimeText, updatedAt),
    deletedAt: null,
  };
}

/** Maximum per borrower, archived ones included. */
const MOST = 100;

export const createRepresentative = onPerson('legalRepresentative.create', (context: Context<RepresentativeBody>) => {
  const { state, env } = context;
  mustMove(state, 'update');
  if (state.legalRepresentatives.length >= MOST)
    refuse('ruleViolation', `The borrower ${state.id} already has ${MOST} legal representatives, the most allowed.`);
  return recorded(context, { id: env.newId('LR'), status: 'active', details: NO_DETAILS, caseIds: [], metaData: null });
});

export const updateRepresentative = onPerson('legalRepresentative.update', (context: Context<RepresentativeBody>) => {
  const { state, env } = context;
  mustMove(state, 'update');
  const { createdAt: _created, updatedAt: _updated, details, ...known } = representativeOf(context);
  const opened = openJson<RepresentativeDetails>(env, state.id, 'legalRepresentative', known.id, details);
  return recorded(context, { ...known, details: must(opened, 'the details of a reachable borrower can be read') });
});

/** Archives a representative: it is kept, and lists leave it out. */
export const archiveRepresentative = onPerson('legalRepresentative.delete', (context) => {
  mustMove(context.state, 'update');
  const { createdAt: _created, updatedAt: _updated, ...known } = representativeOf(context);
  const archived = { ...known, status: 'archived' } as const;
  return done(known.status === 'archived' ? [] : [fact('LegalRepresentativeRecorded', { representative: archived })]);
});

function representativeOf({ state, command }: Context): LegalRepresentative {
  const id = command.params['legalRepresentativeId'] ?? '';
  return findRepresentative(state, id) ?? refuse('notFound', `There is no legal representative ${id}.`);
}

interface Draft extends Omit<LegalRepresentative, 'details' | 'createdAt' | 'updatedAt'> {
  readonly details: RepresentativeDetails;
}

function casesOf(context: Context, caseIds: readonly string[], known: readonly string[]): readonly string[] {
  const named: (string | null)[] = [];
  checkAll(caseIds.map((caseId, index) => () => named.push(caseOf(context, caseId, { path: `caseIds[${index}]`, known }))));
  return [...new Set(named.map((id) => must(id, 'a case that was named')))];
}

/** Applies the body to the former fields and seals the personal ones. */
function recorded(context: Context<RepresentativeBody>, before: Draft): ReturnType<typeof decided> {
  const { state, env } = context;
  const body = context.body;
  const { id } = before;
  let { details, caseIds } = before;
  checkAll([
    () => (details = laidOver(context, details, body)),
    () => (caseIds = body.caseIds ? casesOf(context, body.caseIds, caseIds) : caseIds),
  ]);
  const representative = {
    id,
    status: body.status ?? before.status,
    details: sealJson(env, state.id, 'legalRepresentative', id, details),
    caseIds,
    metaData: body.metaData === undefined ? before.metaData : body.metaData,
  };
  return decided(context, [fact('LegalRepresentativeRecorded', { representative })], (after) => {
    const known = must(findRepresentative(after, id), 'the legal representative is there');
    return representativeView(after, known, env);
  });
}

/** Absent fields are unchanged, null clears. */
function laidOver({ command }: Context, before: RepresentativeDetails, body: RepresentativeBody): RepresentativeDetails {
  const { validate = true } = (command.query ?? {}) as RepresentativeWriteQuery;
  const { name, address, firmName } = body;
  const merged = address === undefined ? before.address : address && fullAddress({ ...before.address, ...address });
  let { phone, otherPhone, email, otherEmail } = before;
  const text = (field: 'phone' | 'otherPhone' | 'email' | 'otherEmail', read: typeof phoneNumber): string | null => {
    const said = body[field];
    return said === undefined ? before[field] : said === null ? null : read(said, field);
  };
  checkAll([
    () => validate && address && merged && checkAddress(merged, 'address'),
    () => (phone = text('phone', phoneNumber)),
    () => (otherPhone = text('otherPhone', phoneNumber)),
    () => (email = text('email', emailAddress)),
    () => (otherEmail = text('otherEmail', emailAddress)),
  ]);
  return {
    name: name === undefined ? before.name : name && nameParts(name),
    address: merged,
    phone,
    otherPhone,
    email,
    otherEmail,
    firmName: firmName === undefined ? before.firmName : firmName,
  };
}

export interface LegalRepresentativeFacts {
  /** Created or changed: the complete new record. */
  readonly LegalRepresentativeRecorded: { readonly representative: Omit<LegalRepresentative, 'createdAt' | 'updatedAt'> };
}

export function applyRepresentative(
  state: PersonState,
  { representative }: LegalRepresentativeFacts['LegalRepresentativeRecorded'],
  written: Fact,
): void {
  const known = state.legalRepresentatives;
  const before = known.find(({ id }) => id === representative.id);
  state.legalRepresentatives = before
    ? known.map((each) => (each === before ? { ...representative, createdAt: before.createdAt, updatedAt: written.businessAt } : each))
    : [...known, { ...representative, createdAt: written.businessAt, updatedAt: null }];
}
