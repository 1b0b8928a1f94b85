import type { Address, AddressBody } from '../../address.js';
import { refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { changed, type Declaration, findRecord, recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import { dateText, type DateTimeText, type ExternalId } from '../../wire.js';
import {
  changedSftp,
  keptSecret,
  type Sealed,
  sealedSecrets,
  type SftpAddress,
  sftpAddressOf,
  type SftpBody,
  type SftpView,
  sftpView,
} from '../campaigns/sftp.js';
import { companyOf, zoneOf } from '../directory.js';
import type { CompanyState } from '../state.js';
import {
  changedAddress,
  partyAddressView,
  type PartyAddressView,
  type PartyEmail,
  type PartyName,
  type PartyPhone,
} from './contact-details.js';

/** An institution that owns loans, or shares of them. */
export interface Investor {
  readonly externalId: string | null;
  readonly legalName: string;
  readonly address: Address | null;
  readonly contactEmail: string | null;
  readonly contactName: string | null;
  readonly contactPhone: string | null;
  /** Owns new loans that name no investors. */
  readonly isDefault: boolean;
  /** How often its part of payments is settled; null: by hand. */
  readonly settlementFrequency: SettlementFrequency | null;
  /** Where the files of its settlements are put; null: nowhere. */
  readonly sftpSettings: SftpAddress | null;
  readonly secrets: Sealed | null;
  /** `archived`: gets no new loans. */
  readonly status: 'active' | 'archived';
}

type SettlementFrequency = 'daily' | 'weekly' | 'monthly';

interface InvestorBody {
  readonly externalId?: ExternalId | null;
  readonly address?: AddressBody | null;
  readonly contactEmail?: PartyEmail | null;
  readonly contactName?: PartyName | null;
  readonly contactPhone?: PartyPhone | null;
  /** Owns new loans that name no investors. Another default investor ceases to be it. */
  readonly default?: boolean;
  /** How often its part of payments is settled, on the first business day after; null: by hand. */
  readonly settlementFrequency?: SettlementFrequency | null;
  /** Where the files of its settlements are put. */
  readonly sftpSettings?: SftpBody | null;
}

export interface InvestorCreateBody extends InvestorBody {
  readonly legalName: PartyName;
}

export interface InvestorUpdateBody extends InvestorBody {
  readonly legalName?: PartyName;
}

export type InvestorListQuery = PageQuery;

export interface InvestorView extends Omit<Investor, 'address' | 'isDefault' | 'sftpSettings' | 'secrets'> {
  readonly id: string;
  readonly object: 'investor';
  readonly companyId: string;
  readonly address: PartyAddressView | null;
  readonly default: boolean;
  readonly sftpSettings: SftpView | null;
  readonly settlementInstruments: readonly { readonly id: string; readonly status: string }[];
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

const INVESTOR_TYPE = 'investor';
export const SETTLEMENT_INSTRUMENT_TYPE = 'settlementInstrument';

export const investorsOf = (host: ResourceHost): ReadonlyMap<string, ResourceRecord<Investor>> => recordsOf<Investor>(host, INVESTOR_TYPE);

export const INVESTOR: Declaration<InvestorCreateBody, InvestorUpdateBody, Investor> = {
  type: INVESTOR_TYPE,
  prefix: 'IR',
  param: 'investorId',
  unique: [{ name: 'externalId', of: ({ externalId }) => externalId }],
  create: (body, at) => ({
    externalId: body.externalId ?? null,
    legalName: body.legalName,
    address: changedAddress(null, body.address, at),
    contactEmail: body.contactEmail ?? null,
    contactName: body.contactName ?? null,
    contactPhone: body.contactPhone ?? null,
    isDefault: body.default ?? false,
    settlementFrequency: body.settlementFrequency ?? null,
    sftpSettings: body.sftpSettings == null ? null : sftpAddressOf(body.sftpSettings, null),
    secrets: sealedSecrets(at.env, at.id, { sftpPassword: keptSecret(body.sftpSettings?.password, null) }),
    status: 'active',
  }),
  change(before, { address, sftpSettings, default: isDefault = before.isDefault, ...plain }, at) {
    if (before.status === 'archived') refuse('invalidState', `The investor ${at.id} is archived.`);
    return {
      ...before,
      ...plain,
      ...changedSftp(before, sftpSettings, at),
      address: changedAddress(before.address, address, at),
      isDefault,
    };
  },
  retire: (before) => ({ ...before, isDefault: false, status: 'archived' }),
  assertRemovable(_before, { id, env }) {
    const owned = env.count(ownedBy(id, companyOf(env, env.tenant), env));
    if (owned === 0) return;
    refuse('invalidState', `The investor ${id} owns shares of ${owned === 1 ? 'a loan' : `${owned} loans`}. Change their owners first.`);
  },
  consequences: (_before, after, { id, host }) =>
    after?.isDefault === true
      ? [...investorsOf(host).values()]
          .filter((other) => other.id !== id && other.stored.isDefault)
          .map((other) => changed(INVESTOR_TYPE, other, { ...other.stored, isDefault: false }))
      : [],
  view: ({ isDefault, address, sftpSettings, secrets, ...stored }, { id }, host) => ({
    ...stored,
    address: partyAddressView(address),
    default: isDefault,
    sftpSettings: sftpView(sftpSettings, secrets),
    settlementInstruments: instrumentsOf(host, id),
  }),
};

/** The accounts of an investor, as `settlement-instruments.ts` declares them. */
const instrumentsOf = (host: ResourceHost, investorId: string): InvestorView['settlementInstruments'] =>
  [...recordsOf<{ readonly status: string }>(host, SETTLEMENT_INSTRUMENT_TYPE).values()]
    .filter(({ parentId }) => parentId === investorId)
    .map(({ id, stored: { status } }) => ({ id, status }));

/** Loans of which the investor owns a share today or will own one: a selection for mass work and counts. */
const ownedBy = (investorId: string, company: CompanyState, env: DecideEnv): Parameters<DecideEnv['count']>[0] => ({
  kind: 'loan',
  filter: { ownedBy: { investorId, today: dateText(env.today(zoneOf(company))) } },
});

/** An investor by service id or `ext-` id. */
export const investorOf = (host: ResourceHost, anyId: string): ResourceRecord<Investor> | undefined =>
  findRecord<Investor>(host, INVESTOR, anyId);

/** The investor that owns new loans which name none. */
export const defaultInvestorOf = (host: ResourceHost): ResourceRecord<Investor> | undefined =>
  [...investorsOf(host).values()].find(({ stored }) => stored.isDefault);
