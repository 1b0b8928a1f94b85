import type { tags } from 'typia';
import { type Declaration, recordsOf, type ResourceHost, type ResourceRecord } from '../kernel/resources/index.js';

/** A domain of one of the company's front ends. */
export interface AppDomain {
  readonly domain: string;
  readonly type: 'borrower' | 'agent' | 'help' | 'admin';
}

export interface AppDomainBody {
  readonly domain: string & tags.Pattern<'^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$'> & tags.MaxLength<253>;
  readonly type: 'borrower' | 'agent' | 'help' | 'admin';
}

export const APP_DOMAIN: Declaration<AppDomainBody, AppDomainBody, AppDomain> = {
  type: 'appDomain',
  prefix: 'AD',
  param: 'appDomainId',
  unique: [{ name: 'domain', of: ({ domain }) => domain }],
  create: ({ domain, type }) => ({ domain, type }),
  change: (_before, { domain, type }) => ({ domain, type }),
  view: (stored) => stored,
};

export const appDomainsOf = (host: ResourceHost): readonly (AppDomain & { readonly id: string })[] =>
  ([...recordsOf(host, APP_DOMAIN.type).values()] as readonly ResourceRecord<AppDomain>[]).map(({ id, stored }) => ({ id, ...stored }));
