import type { tags } from 'typia';
import { must } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandSpec } from '../../kernel/actor.js';
import {
  changed,
  type Declaration,
  recordOf,
  recordsOf,
  replyOf,
  type ResourceHost,
  type ResourceRecord,
} from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import { dateTimeText, type DateTimeText, orNull, type ShortText } from '../../wire.js';
import type { CompanyState } from '../state.js';

/** What a mail domain is used for; a domain for `all` is used if a purpose has none of its own. */
type SendingPurpose = 'transactional' | 'nonTransactional' | 'all';

/** Only verified domains are used to send. */
type SendingDomainStatus = 'pending' | 'verified' | 'failed' | 'disabled';

/** A domain from which the company sends e-mail. */
export interface SendingDomain {
  /** In lower case. */
  readonly domain: string;
  readonly fromLocalPart: string;
  readonly fromDisplayName: string | null;
  readonly replyTo: string | null;
  readonly purpose: SendingPurpose;
  readonly isDefault: boolean;
  readonly status: SendingDomainStatus;
  readonly dnsRecords: readonly DnsRecord[];
  readonly lastCheckedAt: number | null;
  readonly verifiedAt: number | null;
}

/** A DNS record that the domain must have. */
export interface DnsRecord {
  readonly type: 'TXT';
  readonly host: string;
  /** The text; if it ends with a semicolon, its beginning. */
  readonly value: string;
  readonly verified: boolean;
}

const SENDING_DOMAIN_TYPE = 'sendingDomain';

type Domains = ReadonlyMap<string, ResourceRecord<SendingDomain>>;

/** In the order of their creation. */
const sendingDomainsOf = (host: ResourceHost): Domains => recordsOf(host, SENDING_DOMAIN_TYPE);

/**
 * The domain to send e-mail from. Of the verified domains, those for the purpose come before those for all, and the default
 * before the others. Null: the operator's shared domain.
 */
export function sendingDomainFor(host: ResourceHost, isTransactional: boolean): (SendingDomain & { readonly id: string }) | null {
  const own: SendingPurpose = isTransactional ? 'transactional' : 'nonTransactional';
  const verified = [...sendingDomainsOf(host).values()]
    .map(({ id, stored }) => ({ ...stored, id }))
    .filter(({ status }) => status === 'verified');
  for (const purpose of [own, 'all'] as const) {
    const those = verified.filter((domain) => domain.purpose === purpose);
    const chosen = those.find(({ isDefault }) => isDefault) ?? those[0];
    if (chosen) return chosen;
  }
  return null;
}

/** Where answers go to what a mail domain has sent; null where it says nothing, or is gone. */
export const replyToOf = (host: ResourceHost, domainId: string): string | null =>
  sendingDomainsOf(host).get(domainId)?.stored.replyTo ?? null;

type DomainName = string &
  tags.Pattern<'^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$'> &
  tags.MaxLength<253>;
type LocalPart = string & tags.Pattern<"^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$"> & tags.MaxLength<64>;
type MailAddress = string & tags.Format<'email'> & tags.MaxLength<320>;
/** A name in an e-mail header: one line. */
type DisplayName = ShortText & tags.Pattern<'^[^\\r\\n]+$'>;

interface SendingDomainBody {
  readonly fromDisplayName?: DisplayName | null;
  readonly replyTo?: MailAddress | null;
  readonly purpose?: SendingPurpose;
  readonly isDefault?: boolean;
}

export interface SendingDomainCreateBody extends SendingDomainBody {
  readonly domain: DomainName;
  readonly fromLocalPart: LocalPart;
}

export interface SendingDomainUpdateBody extends SendingDomainBody {
  /** Another domain has to be verified again. */
  readonly domain?: DomainName;
  readonly fromLocalPart?: LocalPart;
  /** `pending` enables a disabled domain; it has to be verified again. */
  readonly status?: 'disabled' | 'pending';
}

export interface SendingDomainListQuery extends PageQuery {
  readonly status?: SendingDomainStatus;
}

export interface SendingDomainView extends Omit<SendingDomain, 'lastCheckedAt' | 'verifiedAt'> {
  readonly id: string;
  readonly object: 'sendingDomain';
  readonly companyId: string;
  readonly lastCheckedAt: DateTimeText | null;
  readonly verifiedAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export const SENDING_DOMAIN: Declaration<SendingDomainCreateBody, SendingDomainUpdateBody, SendingDomain, CompanyState> = {
  type: SENDING_DOMAIN_TYPE,
  prefix: 'MA',
  param: 'sendingDomainId',
  unique: [{ name: 'domain', of: ({ domain }) => domain }],
  create: ({ domain, fromLocalPart, fromDisplayName = null, replyTo = null, purpose = 'all', isDefault = false }, { id }) => ({
    domain: domain.toLowerCase(),
    fromLocalPart,
    fromDisplayName,
    replyTo,
    purpose,
    isDefault,
    ...unverified(id, domain),
  }),
  change: (before, { domain: name = before.domain, status, ...fields }, { id }) => {
    const domain = name.toLowerCase();
    const mustVerify = domain !== before.domain || (status === 'pending' && before.status !== 'verified');
    const after: SendingDomain = { ...before, ...fields, domain, ...(mustVerify ? unverified(id, domain) : {}) };
    return status === 'disabled' ? { ...after, status } : after;
  },
  assertRemovable({ isDefault, purpose }, { id, host }) {
    if (isDefault && othersOf(host, id, purpose).length > 0) {
      refuseProperty(
        'sendingDomainId',
        'a domain that is not the default',
        `The domain ${id} is the default. Make another domain the default first.`,
      );
    }
  },
  // One default for each purpose.
  consequences: (_before, after, { id, host }) =>
    after?.isDefault === true
      ? othersOf(host, id, after.purpose)
          .filter(({ stored }) => stored.isDefault)
          .map((other) => changed(SENDING_DOMAIN_TYPE, other, { ...other.stored, isDefault: false }))
      : [],
  matches({ stored }, query: SendingDomainListQuery) {
    const { status } = query;
    return status === undefined || stored.status === status;
  },
  view: ({ lastCheckedAt, verifiedAt, ...plain }) => ({
    ...plain,
    lastCheckedAt: orNull(dateTimeText, lastCheckedAt),
    verifiedAt: orNull(dateTimeText, verifiedAt),
  }),
};

const othersOf = (host: CompanyState, ownId: string, purpose: string): readonly ResourceRecord<SendingDomain>[] =>
  [...sendingDomainsOf(host).values()].filter(({ id, stored }) => id !== ownId && stored.purpose === purpose);

const unverified = (id: string, domain: string): Pick<SendingDomain, 'status' | 'dnsRecords' | 'lastCheckedAt' | 'verifiedAt'> => ({
  status: 'pending',
  dnsRecords: recordsFor(id, domain.toLowerCase()),
  lastCheckedAt: null,
  verifiedAt: null,
});

/** The required DNS records: they prove that the company owns the domain, and say what happens to forged mail. */
const recordsFor = (id: string, domain: string): readonly DnsRecord[] => [
  { type: 'TXT', host: `_sending.${domain}`, value: `sending-domain=${id}`, verified: false },
  { type: 'TXT', host: `_dmarc.${domain}`, value: 'v=DMARC1;', verified: false },
];

/** The texts of the DNS records by host, as the route has read them. */
export interface VerifyDomainBody {
  readonly found: Readonly<Record<string, readonly string[]>>;
}

/** `POST …/verify`: checks again whether the records are present. */
export const verifySendingDomain: CommandSpec<CompanyState, VerifyDomainBody> = {
  kind: 'company',
  type: 'sendingDomain.verify',
  place: { on: 'target' },
  catchesUp: false,
  decide({ state, body, command, env }) {
    const record = recordOf(SENDING_DOMAIN, state, command.params);
    const { id, stored } = record;
    if (stored.status === 'disabled') refuse('invalidState', `The domain ${id} is disabled. Enable it first.`);
    const { found } = body;
    const dnsRecords = stored.dnsRecords.map((each) => ({
      ...each,
      verified: (found[each.host] ?? []).some((text) => saysSo(text, each.value)),
    }));
    const isVerified = dnsRecords.every(({ verified }) => verified);
    const after: SendingDomain = {
      ...stored,
      dnsRecords,
      lastCheckedAt: env.now,
      status: isVerified ? 'verified' : 'failed',
      verifiedAt: isVerified ? (stored.verifiedAt ?? env.now) : null,
    };
    return {
      facts: [changed(SENDING_DOMAIN_TYPE, record, after)],
      reply: (then) => ({ data: replyOf(SENDING_DOMAIN, then, must(sendingDomainsOf(then).get(id), 'the domain is there'), env.now) }),
    };
  },
};

/** A value that ends with a semicolon is a prefix (a DMARC policy); any other must be the whole text. */
const saysSo = (text: string, value: string): boolean =>
  value.endsWith(';') ? text.replace(/\s/g, '').startsWith(value) : text.trim() === value;
