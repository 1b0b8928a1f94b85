import type { tags } from 'typia';
import type { Rate } from '../../../engine/index.js';
import type { Address, AddressBody } from '../../address.js';
import { checkAll, refuse, refuseProperty } from '../../errors.js';
import {
  type Change,
  type Declaration,
  findRecord,
  recordsOf,
  type ResourceHost,
  type ResourceRecord,
} from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import { type AnyId, type DateTimeText, type ExternalId, orNull, type RateValue, rateOf, rateValue, type Whole } from '../../wire.js';
import {
  changedAddress,
  partyAddressView,
  type PartyAddressView,
  type PartyEmail,
  type PartyName,
  type PartyPhone,
} from './contact-details.js';

/** Where borrowers buy what loans and purchases finance. */
export interface Merchant {
  readonly externalId: string | null;
  readonly businessName: string;
  /** What borrowers see it called: a dealer, a venue. */
  readonly businessTypeDisplayName: string;
  readonly subEntityName: string | null;
  readonly parentMerchantId: string | null;
  readonly address: Address | null;
  readonly primaryContactName: string | null;
  readonly primaryContactEmail: string | null;
  readonly primaryContactPhone: string | null;
  readonly disputesContactName: string | null;
  readonly disputesContactEmail: string | null;
  readonly disputesContactPhone: string | null;
  /** What is held back of money that is paid to it; absent: nothing. */
  readonly reserve?: MerchantReserveTerms | null;
}

interface MerchantReserveTerms {
  /** Of what each loan finances. */
  readonly rate: Rate;
  /** Calendar days after the activation of a loan on which its part is released; null: by order alone. */
  readonly days: number | null;
  /** What the merchant owes by refunds on the day of a release is kept from it. */
  readonly netsRefunds: boolean;
}

interface MerchantBody {
  readonly externalId?: ExternalId | null;
  /** `Merchant` without it. */
  readonly businessTypeDisplayName?: PartyName | null;
  readonly subEntityName?: PartyName | null;
  /** The same in another spelling. */
  readonly subEntityname?: PartyName | null;
  readonly parentMerchantId?: AnyId | null;
  readonly address?: AddressBody | null;
  readonly primaryContactName?: PartyName | null;
  readonly primaryContactEmail?: PartyEmail | null;
  readonly primaryContactPhone?: PartyPhone | null;
  readonly disputesContactName?: PartyName | null;
  readonly disputesContactEmail?: PartyEmail | null;
  readonly disputesContactPhone?: PartyPhone | null;
  /** The part of each loan's principal that is held back when it is paid out to the merchant; null ends it for new loans. */
  readonly reserveRate?: (RateValue & tags.ExclusiveMinimum<0> & tags.Maximum<1>) | null;
  /** Calendar days after its activation on which the part of a loan is released; null: by order alone. */
  readonly reserveDays?: (Whole & tags.Minimum<1> & tags.Maximum<3650>) | null;
  /** Whether what the merchant owes by refunds of a loan is kept from its part at the release. Default true; null as if absent. */
  readonly reserveNetsRefunds?: boolean | null;
}

export interface MerchantCreateBody extends MerchantBody {
  readonly businessName: PartyName;
}

export interface MerchantUpdateBody extends MerchantBody {
  readonly businessName?: PartyName;
}

export interface MerchantListQuery extends PageQuery {
  readonly parentMerchantId?: AnyId;
  /** Any part of the name, in any case. */
  readonly businessName?: string & tags.MaxLength<256>;
}

export interface MerchantView extends Omit<Merchant, 'address' | 'subEntityName' | 'reserve'> {
  readonly id: string;
  readonly object: 'merchant';
  readonly companyId: string;
  readonly address: PartyAddressView | null;
  readonly subEntityname: string | null;
  readonly reserveRate: RateValue | null;
  readonly reserveDays: number | null;
  /** Null without a reserve. */
  readonly reserveNetsRefunds: boolean | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

const MERCHANT_TYPE = 'merchant';
const SHOWN_TYPE = 'Merchant';

const merchantsOf = (host: ResourceHost): ReadonlyMap<string, ResourceRecord<Merchant>> => recordsOf<Merchant>(host, MERCHANT_TYPE);

const EMPTY: Merchant = {
  externalId: null,
  businessName: '',
  businessTypeDisplayName: SHOWN_TYPE,
  subEntityName: null,
  parentMerchantId: null,
  address: null,
  primaryContactName: null,
  primaryContactEmail: null,
  primaryContactPhone: null,
  disputesContactName: null,
  disputesContactEmail: null,
  disputesContactPhone: null,
};

export const MERCHANT: Declaration<MerchantCreateBody, MerchantUpdateBody, Merchant> = {
  type: MERCHANT_TYPE,
  prefix: 'MR',
  param: 'merchantId',
  unique: [{ name: 'externalId', of: ({ externalId }) => externalId }],
  create: (body, at) => changedMerchant(EMPTY, body, at),
  change(before, body, at) {
    if (body.externalId !== undefined && body.externalId !== before.externalId) requireNotNamed(before, at);
    return changedMerchant(before, body, at);
  },
  assertRemovable({ externalId }, { id, host, env }) {
    if ([...merchantsOf(host).values()].some(({ stored }) => stored.parentMerchantId === id))
      refuse('invalidState', `Other merchants belong to the merchant ${id}.`);
    if (env.count({ kind: 'loan', filter: { ofMerchant: externalId === null ? [id] : [id, `ext-${externalId}`] } }) > 0)
      refuse('invalidState', `Loans name the merchant ${id}.`);
  },
  matches({ stored }, { parentMerchantId, businessName }: MerchantListQuery, host) {
    if (parentMerchantId !== undefined && stored.parentMerchantId !== (merchantOf(host, parentMerchantId)?.id ?? parentMerchantId))
      return false;
    return businessName === undefined || stored.businessName.toLowerCase().includes(businessName.toLowerCase());
  },
  view: ({ address, subEntityName, reserve = null, ...stored }) => ({
    ...stored,
    reserveRate: orNull(rateValue, reserve?.rate),
    reserveDays: reserve?.days ?? null,
    reserveNetsRefunds: reserve?.netsRefunds ?? null,
    address: partyAddressView(address),
    subEntityname: subEntityName,
  }),
};

/** Loans of earlier releases, and loans that are older than their merchant, name it by its external id. */
function requireNotNamed({ externalId }: Merchant, { env, id }: Change): void {
  if (externalId === null || env.count({ kind: 'loan', filter: { ofMerchant: [`ext-${externalId}`] } }) === 0) return;
  refuse('invalidState', `Loans name the merchant ${id} as ext-${externalId}: its external id cannot change.`, {
    errors: [{ path: 'externalId', expected: externalId, message: 'loans name the merchant by it' }],
  });
}

function changedMerchant(before: Merchant, body: MerchantUpdateBody, at: Change): Merchant {
  const { address, parentMerchantId, subEntityname, subEntityName = subEntityname, businessTypeDisplayName, ...others } = body;
  const { reserveRate, reserveDays, reserveNetsRefunds, ...plain } = others;
  const named = {
    reserve: () => changedReserve(before.reserve ?? null, { reserveRate, reserveDays, reserveNetsRefunds }),
    address: () => changedAddress(before.address, address, at),
    parent: () => (parentMerchantId === undefined ? before.parentMerchantId : parentMerchantId && parentNamed(parentMerchantId, at)),
  };
  checkAll(Object.values(named));
  return {
    ...before,
    ...plain,
    reserve: named.reserve(),
    businessTypeDisplayName:
      businessTypeDisplayName === undefined ? before.businessTypeDisplayName : (businessTypeDisplayName ?? SHOWN_TYPE),
    subEntityName: subEntityName === undefined ? before.subEntityName : subEntityName,
    address: named.address(),
    parentMerchantId: named.parent(),
  };
}

type ReserveBody = { readonly [Name in 'reserveRate' | 'reserveDays' | 'reserveNetsRefunds']: MerchantBody[Name] | undefined };

/** Days and netting belong to a rate, and go with it. */
function changedReserve(
  before: MerchantReserveTerms | null,
  { reserveRate, reserveDays, reserveNetsRefunds }: ReserveBody,
): MerchantReserveTerms | null {
  const rate = reserveRate === undefined ? (before?.rate ?? null) : orNull(rateOf, reserveRate);
  if (rate !== null)
    return {
      rate,
      days: reserveDays === undefined ? (before?.days ?? null) : reserveDays,
      netsRefunds: reserveNetsRefunds ?? before?.netsRefunds ?? true,
    };
  checkAll(
    Object.entries({ reserveDays, reserveNetsRefunds }).map(
      ([name, value]) =>
        () =>
          value != null && refuseProperty(name, 'null, without reserveRate', `\`${name}\` needs a \`reserveRate\`: nothing is held back.`),
    ),
  );
  return null;
}

/** Refuses a parent that belongs to this merchant, directly or through others. */
function parentNamed(anyId: string, { id, host }: Change): string {
  const parent = merchantOf(host, anyId);
  if (parent === undefined) return refuseProperty('parentMerchantId', 'a merchant', `There is no merchant ${anyId}.`);
  for (let above: string | null = parent.id; above !== null; above = merchantsOf(host).get(above)?.stored.parentMerchantId ?? null)
    if (above === id)
      refuseProperty('parentMerchantId', 'a merchant that does not belong to this one', 'The merchants would form a circle.');
  return parent.id;
}

/** A merchant by service id or `ext-` id. */
export const merchantOf = (host: ResourceHost, anyId: string): ResourceRecord<Merchant> | undefined =>
  findRecord<Merchant>(host, MERCHANT, anyId);
