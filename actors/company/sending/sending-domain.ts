import type { tags } from 'typia';
import { type ResourceHost, type ResourceRecord, recordsOf } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../page.js';
import type { DateTimeText, ShortText } from '../../wire.js';

/** What a mail domain is used for; `all` stands in where a purpose has none of its own. */
type SendingPurpose = 'transactional' | 'nonTransactional' | 'all';

/** Only verified ones send. */
type SendingDomainStatus = 'pending' | 'verified' | 'failed' | 'disabled';

/** A domain that the company's e-mail comes from. */
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

/** What the domain's name servers have to say. */
export interface DnsRecord {
  readonly type: 'TXT';
  readonly host: string;
  /** The text, or how it begins. */
  readonly value: string;
  readonly verified: boolean;
}

export const SENDING_DOMAIN_TYPE = 'sendingDomain';

type Domains = ReadonlyMap<string, ResourceRecord<SendingDomain>>;

/** In the order of their making. */
export const sendingDomainsOf = (host: ResourceHost): Domains => recordsOf(host, SENDING_DOMAIN_TYPE) as Domains;

/**
 * Which domain e-mail comes from: of the verified ones those of the purpose before those for all, the default before the others. Null:
 * the operator's shared one.
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

type DomainName = string &
  tags.Pattern<'^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$'> &
  tags.MaxLength<253>;
type LocalPart = string & tags.Pattern<"^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$"> & tags.MaxLength<64>;
type MailAddress = string & tags.Format<'email'> & tags.MaxLength<320>;
/** A name in a head of e-mail: one line. */
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
  /** Another domain has to be verified anew. */
  readonly domain?: DomainName;
  readonly fromLocalPart?: LocalPart;
  /** `pending` takes a disabled one back: it has to be verified anew. */
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
