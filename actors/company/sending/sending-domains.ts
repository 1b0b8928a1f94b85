import { changed, type Declaration, recordOf, replyOf, type ResourceRecord } from '../../kernel/resources/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandSpec } from '../../kernel/actor.js';
import { dateTimeText, orNull } from '../../wire.js';
import { must } from '../../../engine/index.js';
import type { CompanyState } from '../state.js';
import {
  type DnsRecord,
  SENDING_DOMAIN_TYPE,
  type SendingDomain,
  type SendingDomainCreateBody,
  type SendingDomainListQuery,
  sendingDomainsOf,
  type SendingDomainUpdateBody,
} from './sending-domain.js';

export const SENDING_DOMAIN: Declaration<SendingDomainCreateBody, SendingDomainUpdateBody, SendingDomain> = {
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
    const isAnew = domain !== before.domain || (status === 'pending' && before.status !== 'verified');
    const after: SendingDomain = { ...before, ...fields, domain, ...(isAnew ? unverified(id, domain) : {}) };
    return status === 'disabled' ? { ...after, status } : after;
  },
  assertRemovable({ isDefault, purpose }, { id, host }) {
    if (isDefault && othersOf(host as CompanyState, id, purpose).length > 0) {
      refuseProperty(
        'sendingDomainId',
        'a domain that is not the default',
        `The domain ${id} is the default: make another one the default first.`,
      );
    }
  },
  // One default a purpose.
  consequences: (_before, after, { id, host }) =>
    after?.isDefault === true
      ? othersOf(host as CompanyState, id, after.purpose)
          .filter(({ stored }) => stored.isDefault)
          .map((other) => changed(SENDING_DOMAIN_TYPE, other, { ...other.stored, isDefault: false }))
      : [],
  matches({ stored }, query) {
    const { status } = query as SendingDomainListQuery;
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

/** The domain is the company's, and says what becomes of mail that only pretends to come from it. */
const recordsFor = (id: string, domain: string): readonly DnsRecord[] => [
  { type: 'TXT', host: `_sending.${domain}`, value: `sending-domain=${id}`, verified: false },
  { type: 'TXT', host: `_dmarc.${domain}`, value: 'v=DMARC1;', verified: false },
];

/** What the name servers said, by host: the route has asked them. */
export interface VerifyDomainBody {
  readonly found: Readonly<Record<string, readonly string[]>>;
}

/** `POST …/verify`: looks again whether the records are there. */
export const verifySendingDomain: CommandSpec<CompanyState> = {
  kind: 'company',
  type: 'sendingDomain.verify',
  place: { on: 'target' },
  catchUpFirst: false,
  decide({ state, body, command, env }) {
    const record = recordOf(SENDING_DOMAIN, state, command.params) as ResourceRecord<SendingDomain>;
    const { id, stored } = record;
    if (stored.status === 'disabled') refuse('invalidState', `The domain ${id} is disabled: take it back first.`);
    const { found } = body as VerifyDomainBody;
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
      reply: (then) => ({ data: replyOf(SENDING_DOMAIN, then, must(sendingDomainsOf(then).get(id), 'the domain is there')) }),
    };
  },
};

/** A policy goes on behind its first word; all else is the whole text. */
const saysSo = (text: string, value: string): boolean =>
  value.endsWith(';') ? text.replace(/\s/g, '').startsWith(value) : text.trim() === value;
