import { isIP } from 'node:net';

/** An IPv4 or IPv6 address, or a CIDR block of one: `203.0.113.7`, `2001:db8::/32`. */
export function isIpRange(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes('%')) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128));
}
