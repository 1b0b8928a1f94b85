import { appDomainsOf, type AuthType, type AuthValueType, type CompanyProfile, Refusal, type Tenant } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import type { Accounts, FoundUser } from './accounts.js';
import type { SignInBody, WhereQuery } from './sign-in-bodies.js';

/** A company that is signed in to, and how. */
export interface Door {
  readonly tenant: Tenant;
  readonly userType: 'agent' | 'borrower';
  readonly authType: AuthType;
  readonly authValueType: AuthValueType;
}

const NEEDS_PROVIDER: ReadonlySet<AuthType> = new Set(['openIdConnect', 'SAML']);

/** The companies that are meant, each with its own way to sign in: none for an unknown one, several where nobody says which. */
export function doorsOf(accounts: Accounts, { companyId, domain, mode = 'live', ...how }: WhereQuery): readonly Door[] {
  const tenants = accounts
    .tenants()
    .filter(
      (tenant) =>
        tenant.mode === mode &&
        (companyId === undefined || tenant.company === companyId) &&
        (domain === undefined || hasDomain(accounts, tenant, domain)),
    );
  return tenants.map((tenant) => doorOf(tenant, must(accounts.company(tenant)?.profile, 'a company that is there has a profile'), how));
}

const hasDomain = (accounts: Accounts, tenant: Tenant, domain: string): boolean =>
  appDomainsOf(must(accounts.company(tenant), 'a company that is there')).some((known) => known.domain === domain.toLowerCase());

function doorOf(
  tenant: Tenant,
  profile: CompanyProfile,
  { userType = 'agent', authType, authValueType }: Omit<WhereQuery, 'companyId' | 'domain' | 'mode'>,
): Door {
  const own =
    userType === 'agent'
      ? ([profile.agentAuthType, profile.agentAuthValueType] as const)
      : ([profile.borrowerAuthType, profile.borrowerAuthValueType] as const);
  return { tenant, userType, authType: authType ?? own[0], authValueType: authValueType ?? own[1] };
}

/** Codes say by themselves that they are codes. */
export function withShownType(door: Door, { password, code }: SignInBody): Door {
  const isByCode = door.authType === 'oneTimeCodeEmail' || door.authType === 'oneTimeCodeText';
  return code !== undefined && password === undefined && !isByCode ? { ...door, authType: 'oneTimeCodeEmail' } : door;
}

export function assertServed({ authType }: Door): void {
  if (NEEDS_PROVIDER.has(authType))
    throw new Refusal('businessValidation', `To sign in by ${authType} an identity provider would have to be connected, and none is.`);
}

/** Whom a name means: null for nobody. Where no company is named and several know the name, somebody has to say which. */
export async function userAt(
  accounts: Accounts,
  doors: readonly Door[],
  username: string,
): Promise<{ readonly door: Door; readonly user: FoundUser } | null> {
  const found = await Promise.all(doors.map(async (door) => ({ door, user: await accounts.named(door.tenant, { ...door, username }) })));
  const known = found.flatMap(({ door, user }) => (user ? [{ door, user }] : []));
  if (known.length > 1)
    throw new Refusal('badRequest', 'Several companies know this user name: send companyId or domain.', {
      errors: [{ path: 'companyId', expected: 'the id of a company', message: 'is needed for this user name' }],
    });
  return known[0] ?? null;
}
