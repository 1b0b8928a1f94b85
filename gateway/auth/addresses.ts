import { BlockList, isIP, SocketAddress } from 'node:net';
import { appDomainsOf, type AuthType, type AuthValueType, type CompanyProfile, Refusal, type Tenant } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { agentOf } from '../command-request.js';
import type { Call } from '../routing/route.js';
import type { Accounts, FoundUser, Origin } from './accounts.js';
import type { SignInBody, WhereQuery } from './sign-in-bodies.js';

/** Whether a text is an IPv4 or IPv6 address or a block of them (`10.0.0.0/8`). */
export function isAddressOrBlock(text: string): boolean {
  return blockOf(text) !== undefined;
}

interface Block {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

function blockOf(text: string): Block | undefined {
  const [address = '', bitsText, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return undefined;
  const most = version === 4 ? 32 : 128;
  const bits = bitsText === undefined ? most : /^\d{1,3}$/.test(bitsText) ? Number(bitsText) : -1;
  return bits < 0 || bits > most ? undefined : { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

const compiled = new WeakMap<readonly string[], BlockList>();

/** Whether an address is in one of the blocks. Texts that are not addresses or blocks match nothing. */
export function isWithin(blocks: readonly string[], address: string): boolean {
  const version = isIP(address);
  return version !== 0 && listOf(blocks).check(address, version === 4 ? 'ipv4' : 'ipv6');
}

function listOf(blocks: readonly string[]): BlockList {
  const known = compiled.get(blocks);
  if (known) return known;
  const list = new BlockList();
  for (const text of blocks) {
    const block = blockOf(text);
    if (block) list.addSubnet(block.address, block.bits, block.family);
  }
  compiled.set(blocks, list);
  return list;
}

/** The address where a trusted proxy names none. It is in no block. */
const UNKNOWN = 'unknown';

/**
 * The client's address: the connection's, or behind proxies that the operator trusts the last address of `X-Forwarded-For` (all of its
 * lines) that is not one of them. Where all are proxies, it is the first of them. `unknown` where a proxy names no address: the client then
 * has none of the rights of the proxy.
 */
export function clientAddress(peerAddress: string, forwardedFor: string, trustedProxies: readonly string[]): string {
  if (forwardedFor === '' || !isWithin(trustedProxies, peerAddress)) return peerAddress;
  let address = peerAddress;
  for (const part of listed(forwardedFor).reverse()) {
    address = addressOf(part);
    if (!isWithin(trustedProxies, address)) break;
  }
  return address;
}

/** The network of one subscriber: an IPv4 address, or the first 64 bits of an IPv6 address (RFC 6177). */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = addressOf(address).split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length;
  return [...groups, ...Array<string>(zeros).fill('0'), ...rest].slice(0, 4).join(':');
}

/** The last value of a forwarded header field; undefined where it has none. */
export const lastForwarded = (forwarded: string): string | undefined => listed(forwarded).at(-1);

/** The parts of a list in a header field, without empty ones (RFC 9110 5.6.1). */
const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const WITH_PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/;
const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/** An address in canonical spelling, without the port that some proxies add. */
function addressOf(part: string): string {
  const bare = isIP(part) === 0 ? pickAddress(part) : part;
  if (isIP(bare) !== 6) return bare;
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  return IPV4_MAPPED.exec(address)?.[1] ?? address;
}

function pickAddress(part: string): string {
  const [, inBrackets, plain] = WITH_PORT.exec(part) ?? [];
  const found = inBrackets ?? plain ?? '';
  return isIP(found) === 0 ? UNKNOWN : found;
}

/** The company and mode of a sign-in, and how its users sign in. */
export interface SignInTarget {
  readonly tenant: Tenant;
  readonly userType: 'agent' | 'borrower';
  readonly authType: AuthType;
  readonly authValueType: AuthValueType;
}

const NEEDS_PROVIDER: ReadonlySet<AuthType> = new Set(['openIdConnect', 'SAML']);

/** The companies that the query names, each with its way to sign in: none for an unknown company, several where the query names none. */
export function signInTargetsOf(accounts: Accounts, { companyId, domain, mode = 'live', ...how }: WhereQuery): readonly SignInTarget[] {
  const tenants = accounts
    .tenants()
    .filter(
      (tenant) =>
        tenant.mode === mode &&
        (companyId === undefined || tenant.company === companyId) &&
        (domain === undefined || hasDomain(accounts, tenant, domain)),
    );
  return tenants.map((tenant) => signInTargetOf(tenant, must(accounts.company(tenant)?.profile, 'an active company has a profile'), how));
}

const hasDomain = (accounts: Accounts, tenant: Tenant, domain: string): boolean =>
  appDomainsOf(must(accounts.company(tenant), 'an active company')).some((known) => known.domain === domain.toLowerCase());

function signInTargetOf(
  tenant: Tenant,
  profile: CompanyProfile,
  { userType = 'agent', authType, authValueType }: Omit<WhereQuery, 'companyId' | 'domain' | 'mode'>,
): SignInTarget {
  const own =
    userType === 'agent'
      ? ([profile.agentAuthType, profile.agentAuthValueType] as const)
      : ([profile.borrowerAuthType, profile.borrowerAuthValueType] as const);
  return { tenant, userType, authType: authType ?? own[0], authValueType: authValueType ?? own[1] };
}

/** A body with a code and no password signs in by code, whatever the company's way is. */
export function withShownType(target: SignInTarget, { password, code }: SignInBody): SignInTarget {
  const isByCode = target.authType === 'oneTimeCodeEmail' || target.authType === 'oneTimeCodeText';
  return code !== undefined && password === undefined && !isByCode ? { ...target, authType: 'oneTimeCodeEmail' } : target;
}

export function assertServed({ authType }: SignInTarget): void {
  if (NEEDS_PROVIDER.has(authType))
    throw new Refusal('businessValidation', `Sign-in by ${authType} needs an identity provider, and none is connected.`);
}

/** The user with this name; null for none. Refused where several companies have such a user: the request must then name the company. */
export async function userAt(
  accounts: Accounts,
  targets: readonly SignInTarget[],
  username: string,
): Promise<{ readonly target: SignInTarget; readonly user: FoundUser } | null> {
  const find = async (target: SignInTarget) => ({ target, user: await accounts.named(target.tenant, { ...target, username }) });
  const found = await Promise.all(targets.map(find));
  const known = found.flatMap(({ target, user }) => (user ? [{ target, user }] : []));
  if (known.length > 1)
    throw new Refusal('badRequest', 'This user name exists in several companies. Send `companyId` or `domain`.', {
      errors: [{ path: 'companyId', expected: 'the id of a company', message: 'companyId is required for this user name' }],
    });
  return known[0] ?? null;
}

/** The address, request and user of a call. */
export const originOf = ({ caller, requestId }: Pick<Call, 'caller' | 'requestId'>): Origin => ({
  address: caller.address,
  requestId,
  actor: agentOf(caller),
});
