import { BlockList, isIP } from 'node:net';

/** An IPv4 or IPv6 address, or a CIDR block of one: `203.0.113.7`, `2001:db8::/32`. */
export function isIpRange(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes('%')) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128));
}

/** Whether all addresses of one range lie in another one of the same family. */
export function isRangeWithin(range: string, wider: string): boolean {
  const [inner, outer] = [blockOf(range), blockOf(wider)];
  if (inner.family !== outer.family || inner.bits < outer.bits) return false;
  const list = new BlockList();
  list.addSubnet(outer.address, outer.bits, outer.family);
  return list.check(inner.address, inner.family);
}

function blockOf(range: string): { readonly address: string; readonly bits: number; readonly family: 'ipv4' | 'ipv6' } {
  const [address = '', length] = range.split('/');
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  return { address, family, bits: length === undefined ? (family === 'ipv4' ? 32 : 128) : Number(length) };
}
