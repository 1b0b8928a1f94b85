import { BlockList, isIP, SocketAddress } from 'node:net';
import { appDomainsOf, type AuthType, type AuthValueType, type CompanyProfile, Refusal, type Tenant } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { agentOf } from '../call-context.js';
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

/** Whether an address lies in one of the blocks. Texts that are no address or block match nothing. */
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

/** Where a trusted proxy names nobody: it lies in no block. */
const UNKNOWN = 'unknown';

/**
 * The client's address: the connection's, or behind proxies that the operator trusts the last address of `X-Forwarded-For` (all of its
 * lines) that is not one of them. Where all are proxies, it is the first of them. `unknown` where a proxy names no address: whoever asked
 * then has none of the rights of the proxy.
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

/** What one subscriber has: an IPv4 address, or the first 64 bits of an IPv6 address (RFC 6177). */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = addressOf(address).split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length;
  return [...groups, ...Array<string>(zeros).fill('0'), ...rest].slice(0, 4).join(':');
}

/** The last value that proxies have given a forwarded field; undefined where they have given none. */
export const lastForwarded = (forwarded: string): string | undefined => listed(forwarded).at(-1);

/** The parts of a list in a header field; empty ones count for nothing (RFC 9110 5.6.1). */
const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const WITH_PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/;
const IN_IPV6_FORM = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/** An address in its one spelling, without the port that some proxies add. */
function addressOf(part: string): string {
  const bare = isIP(part) === 0 ? pickAddress(part) : part;
  if (isIP(bare) !== 6) return bare;
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  return IN_IPV6_FORM.exec(address)?.[1] ?? address;
}

function pickAddress(part: string): string {
  const [, inBrackets, plain] = WITH_PORT.exec(part) ?? [];
  const found = inBrackets ?? plain ?? '';
  return isIP(found) === 0 ? UNKNOWN : found;
}

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

/** From where a call comes. */
export const originOf = ({ caller, requestId }: Pick<Call, 'caller' | 'requestId'>): Origin => ({
  address: caller.address,
  requestId,
  actor: agentOf(caller),
});
