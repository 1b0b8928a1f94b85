import typia from 'typia';
import {
  type AnyId,
  type AppDomain,
  appDomainsOf,
  type AuthType,
  type AuthValueType,
  type CompanyState,
  type FreeJson,
  type Mode,
  Refusal,
  type ShortText,
  type Tenant,
} from '../../../actors/index.js';
import { must } from '../../../engine/index.js';
import type { Accounts } from '../../auth/accounts.js';
import type { Access } from '../../auth/credential.js';
import { defineRoute, type Route } from '../../routing/route.js';

type AppDomainType = AppDomain['type'];

interface BootstrapQuery {
  /** One of the app domains of a company; or companyId with appDomainType. */
  readonly domain?: ShortText;
  readonly companyId?: AnyId;
  readonly appDomainType?: AppDomainType;
  /** Default live. */
  readonly mode?: Mode;
}

interface BootstrapView {
  readonly appDomainType: AppDomainType;
  readonly userType: 'agent' | 'borrower';
  readonly ssoLoginUrl: string | null;
  readonly authType: AuthType;
  readonly authValueType: AuthValueType;
  readonly company: {
    readonly id: string;
    readonly name: string;
    readonly brandName: string | null;
    readonly slug: string | null;
    readonly timezone: string;
    readonly agentAuthType: AuthType;
    readonly agentAuthValueType: AuthValueType;
    readonly borrowerAuthType: AuthType;
    readonly borrowerAuthValueType: AuthValueType;
    readonly brandAssets: FreeJson;
    readonly communication: FreeJson;
  };
}

/** The settings that a front end needs before sign-in. */
export const bootstrapRoutes = (access: Access): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/bootstrap',
    operation: 'getBootstrap',
    summary: 'Get the settings of a front end before sign-in',
    tags: ['Auth'],
    permission: 'public',
    envelope: 'bare',
    query: { validate: typia.misc.createValidatePrune<BootstrapQuery>(), schemas: typia.json.schemas<[BootstrapQuery], '3.1'>() },
    reply: typia.json.schemas<[BootstrapView], '3.1'>(),
    handle: ({ query }) => {
      const { tenant, type } = frontEndOf(access.accounts, query) ?? refuseUnknown();
      return { data: bootstrapView(must(access.accounts.company(tenant), 'a company with a front end'), type) };
    },
  }),
];

const refuseUnknown = (): never => {
  throw new Refusal('notFound', 'No active company has this front end. Check `domain`, `companyId` and `mode`.');
};

/** Null for a domain that two companies use, until one of them removes it. */
function frontEndOf(
  accounts: Accounts,
  { domain, companyId, appDomainType, mode = 'live' }: BootstrapQuery,
): { readonly tenant: Tenant; readonly type: AppDomainType } | null {
  if (domain === undefined && (companyId === undefined || appDomainType === undefined))
    throw new Refusal('validationError', 'Send `domain`, or `companyId` with `appDomainType`.', {
      errors: [{ path: 'domain', expected: 'the domain of a front end', message: 'domain is missing' }],
    });
  const tenants = accounts.tenants().filter((tenant) => tenant.mode === mode && (companyId === undefined || tenant.company === companyId));
  const found = tenants.flatMap((tenant) => {
    if (domain === undefined) return appDomainType === undefined ? [] : [{ tenant, type: appDomainType }];
    const known = appDomainsOf(must(accounts.company(tenant), 'an active company')).find((each) => each.domain === domain.toLowerCase());
    return known && (appDomainType === undefined || known.type === appDomainType) ? [{ tenant, type: known.type }] : [];
  });
  const [only] = found;
  return found.length === 1 && only ? only : null;
}

function bootstrapView({ id, profile }: CompanyState, appDomainType: AppDomainType): BootstrapView {
  const {
    name,
    brandName,
    slug,
    timezone,
    agentAuthType,
    agentAuthValueType,
    borrowerAuthType,
    borrowerAuthValueType,
    brandAssets,
    communication,
  } = must(profile, 'a company has a profile');
  const isOfBorrowers = appDomainType === 'borrower' || appDomainType === 'help';
  return {
    appDomainType,
    userType: isOfBorrowers ? 'borrower' : 'agent',
    ssoLoginUrl: null,
    authType: isOfBorrowers ? borrowerAuthType : agentAuthType,
    authValueType: isOfBorrowers ? borrowerAuthValueType : agentAuthValueType,
    company: {
      id,
      name,
      brandName,
      slug,
      timezone,
      agentAuthType,
      agentAuthValueType,
      borrowerAuthType,
      borrowerAuthValueType,
      brandAssets,
      communication,
    },
  };
}
