import { BlockList, isIP } from 'node:net';

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

/**
 * The client's address: the connection's, or behind proxies that the operator trusts the last address of
 * `X-Forwarded-For` that is not one of them.
 */
export function clientAddress(peerAddress: string, forwardedFor: string, trustedProxies: readonly string[]): string {
  if (forwardedFor === '' || !isWithin(trustedProxies, peerAddress)) return peerAddress;
  const chain = forwardedFor.split(',').map((part) => part.trim());
  for (const address of chain.reverse()) {
    if (isIP(address) === 0) break;
    if (!isWithin(trustedProxies, address)) return address;
  }
  return peerAddress;
}
