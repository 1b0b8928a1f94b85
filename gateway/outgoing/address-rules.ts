import { isIP } from 'node:net';
import { isWithin } from '../auth/addresses.js';

/** IPv4 that is not of the public internet (IANA special-purpose registry), multicast and reserved space. */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Global unicast: all other IPv6 is loopback, link-local, private, mapped or multicast. */
const PUBLIC_IPV6 = ['2000::/3'];
/** Within it: protocol assignments with Teredo, documentation, and 6to4, which carries an IPv4 address. */
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Where calls of the service may go: the public internet, over TLS, and what the operator lists besides. */
export class AddressRules {
  constructor(private readonly listed: readonly string[]) {}

  /** Whether a connection to the address may be opened; a plain one to listed addresses alone. */
  allows(address: string, isEncrypted: boolean): boolean {
    return isWithin(this.listed, address) || (isEncrypted && isPublic(address));
  }

  /** What is wrong with a URL that a caller gives; a name is looked at when it is called. Null = nothing. */
  faultOf(text: string): string | null {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'must be an https address';
    if (url.username !== '' || url.password !== '') return 'must not carry a login';
    const host = hostOf(url);
    const isAddress = isIP(host) !== 0;
    if (url.protocol === 'http:' && !(isAddress && this.allows(host, false))) return 'must be an https address';
    if (isAddress && !this.allows(host, true)) return 'must not be a private address';
    return null;
  }
}

function isPublic(address: string): boolean {
  return isIP(address) === 4 ? !isWithin(NOT_PUBLIC, address) : isWithin(PUBLIC_IPV6, address) && !isWithin(NOT_PUBLIC_IPV6, address);
}

/** The host of a URL as sockets take it: IPv6 without brackets. */
export const hostOf = ({ hostname }: URL): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname);
