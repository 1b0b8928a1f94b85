import type { tags } from 'typia';
import type { Address, AddressBody } from '../../address.js';
import { refuse } from '../../errors.js';
import { type Declaration, findRecord, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import type { Rate } from '../../../engine/index.js';
import { type DateTimeText, type ExternalId, orNull, rateOf, rateValue, type RateValue } from '../../wire.js';
import {
  changedAddress,
  partyAddressView,
  type PartyAddressView,
  type PartyEmail,
  type PartyName,
  type PartyPhone,
} from './contact-details.js';

/** A company that collects charged-off loans for the lender, or buys them. */
export interface CollectionAgency {
  readonly externalId: string | null;
  readonly legalName: string;
  readonly contactPhone: string;
  readonly contactEmail: string | null;
  readonly mailingAddress: Address | null;
  /** Its part of what it collects, on loans that it does not buy; agreed for each loan when it is assigned. */
  readonly commissionRate: Rate | null;
  /** `archived`: keeps its loans and gets no new ones. */
  readonly status: 'active' | 'archived';
}

interface CollectionAgencyBody {
  readonly externalId?: ExternalId | null;
  readonly contactEmail?: PartyEmail | null;
  readonly mailingAddress?: AddressBody | null;
  /** 0.25 is a quarter of what it collects. */
  readonly commissionRate?: CommissionRate | null;
  readonly status?: 'active' | 'archived';
}

type CommissionRate = RateValue & tags.Maximum<1>;

export interface CollectionAgencyCreateBody extends CollectionAgencyBody {
  readonly legalName: PartyName;
  readonly contactPhone: PartyPhone;
}

export interface CollectionAgencyUpdateBody extends CollectionAgencyBody {
  readonly legalName?: PartyName;
  readonly contactPhone?: PartyPhone;
}

export interface CollectionAgencyListQuery extends PageQuery {
  readonly status?: 'active' | 'archived';
  readonly includeArchived?: boolean;
}

export interface CollectionAgencyView extends Omit<CollectionAgency, 'mailingAddress' | 'commissionRate'> {
  readonly id: string;
  readonly object: 'collectionAgency';
  readonly companyId: string;
  readonly mailingAddress: PartyAddressView | null;
  readonly commissionRate: RateValue | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export const COLLECTION_AGENCY: Declaration<CollectionAgencyCreateBody, CollectionAgencyUpdateBody, CollectionAgency> = {
  type: 'collectionAgency',
  prefix: 'CL',
  param: 'agencyId',
  unique: [{ name: 'externalId', of: ({ externalId }) => externalId }],
  create: (body, at) => ({
    externalId: body.externalId ?? null,
    legalName: body.legalName,
    contactPhone: body.contactPhone,
    contactEmail: body.contactEmail ?? null,
    mailingAddress: changedAddress(null, body.mailingAddress, at, 'mailingAddress'),
    commissionRate: orNull(rateOf, body.commissionRate),
    status: body.status ?? 'active',
  }),
  change: (before, { mailingAddress, commissionRate, ...plain }, at) => ({
    ...before,
    ...plain,
    mailingAddress: changedAddress(before.mailingAddress, mailingAddress, at, 'mailingAddress'),
    commissionRate: commissionRate === undefined ? before.commissionRate : orNull(rateOf, commissionRate),
  }),
  assertRemovable(_before, { id, env }) {
    if (env.count({ kind: 'loan', filter: { everAssignedTo: id } }) > 0)
      refuse('invalidState', `Loans were assigned to the collection agency ${id}. Archive it instead.`);
  },
  matches({ stored }, { status, includeArchived = false }: CollectionAgencyListQuery) {
    return status === undefined ? includeArchived || stored.status === 'active' : stored.status === status;
  },
  view: ({ mailingAddress, commissionRate, ...stored }) => ({
    ...stored,
    mailingAddress: partyAddressView(mailingAddress),
    commissionRate: orNull(rateValue, commissionRate),
  }),
};

/** A collection agency by service id or `ext-` id, whatever its status. */
export const collectionAgencyOf = (host: ResourceHost, anyId: string): ResourceRecord<CollectionAgency> | undefined =>
  findRecord<CollectionAgency>(host, COLLECTION_AGENCY, anyId);
