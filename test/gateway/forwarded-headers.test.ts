import { connect } from 'node:net';
import { test, type Test } from 'tap';
import { clientAddress, networkOf } from '../../gateway/auth/addresses.js';
import { gatewayFor, keyRecord, scriptedEngine, TEST_KEY, type TestGateway, type TestGatewayOptions } from './harness.js';
import { THING_ROUTES } from './routes.js';

const PROXIES = ['127.0.0.1', '10.0.0.0/16'];

/** Returns a function that sends a request as the proxy 127.0.0.1 does, which adds its own line after the lines of the client. */
async function behindProxy(t: Test, options: TestGatewayOptions): Promise<(path: string, lines: readonly string[]) => Promise<string>> {
  const { gateway } = await gatewayFor(t, { routes: THING_ROUTES, trustedProxies: PROXIES, ...options });
  return (path, lines) => askRaw(gateway, path, lines);
}

/** Sends these header lines and returns the raw answer. A client of node:http would join repeated lines. */
function askRaw({ port }: TestGateway['gateway'], path: string, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    const head = [`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${TEST_KEY}`, ...lines, 'Connection: close'];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
  });
}

const statusOf = (reply: string): number => Number(reply.slice(9, 12));

test('all lines of X-Forwarded-For count, the last first: a line of the client opens no page of the operators', async (t) => {
  const from = await behindProxy(t, { operators: ['10.1.0.0/16', '127.0.0.1'] });
  for (const [lines, status, why] of [
    [['X-Forwarded-For: 10.1.2.3'], 200, 'an operator'],
    [['X-Forwarded-For: 203.0.113.9'], 404, 'a stranger'],
    [['X-Forwarded-For: 10.1.2.3', 'X-Forwarded-For: 203.0.113.9'], 404, 'a stranger with a line of their own'],
    [['X-Forwarded-For: 127.0.0.1', 'X-Forwarded-For: 203.0.113.9', 'X-Forwarded-For: 10.0.9.9'], 404, 'the same behind two proxies'],
    [['X-Forwarded-For:', 'X-Forwarded-For: 203.0.113.9'], 404, 'an empty line first'],
    [['X-Forwarded-For: 203.0.113.9', 'X-Forwarded-For:'], 404, 'an empty line last'],
    [['X-Forwarded-For: 203.0.113.9', 'X-Forwarded-For: 10.1.2.3'], 200, 'an operator whose line stands behind one of a stranger'],
    [['X-Forwarded-For: 203.0.113.9:4711'], 404, 'an address with its port'],
    [['X-Forwarded-For: unknown'], 404, 'a proxy that names nobody'],
    [['X-Forwarded-For: 10.0.200.1'], 404, 'a machine that is a proxy itself and no operator'],
  ] as const)
    t.equal(statusOf(await from('/metrics', lines)), status, why);
});

test('all lines of X-Forwarded-For count for the addresses of a key', async (t) => {
  const from = await behindProxy(t, { keys: [keyRecord(TEST_KEY, { whitelistedIPs: ['203.0.113.7', '127.0.0.1'] })] });
  for (const [lines, status] of [
    [['X-Forwarded-For: 203.0.113.7'], 200],
    [['X-Forwarded-For: 203.0.113.7', 'X-Forwarded-For: 203.0.113.9'], 403],
    [['X-Forwarded-For: 203.0.113.9, 203.0.113.7'], 200],
    [['X-Forwarded-For: 127.0.0.1', 'X-Forwarded-For: nonsense'], 403],
  ] as const)
    t.equal(statusOf(await from('/api/things/TH-AAAA-1111', lines)), status, lines.join(' | '));
});

test('all lines of X-Forwarded-Proto count, the last one first', async (t) => {
  const engine = scriptedEngine({ query: () => ({ items: [{ id: 'XX-AAAA-1111' }], total: 2, hasMore: true, hasPrevious: false }) });
  const from = await behindProxy(t, { engine });
  const scheme = async (lines: readonly string[]): Promise<string | undefined> =>
    /"(https?):\/\/localhost/.exec(await from('/api/things?limit=1', lines))?.[1];
  t.equal(await scheme(['X-Forwarded-Proto: https', 'X-Forwarded-Proto: http']), 'http');
  t.equal(await scheme(['X-Forwarded-Proto: http', 'X-Forwarded-Proto: https']), 'https');
});

test('the client is the last address that is no proxy, or the first of the chain where all are', (t) => {
  const of = (chain: string): string => clientAddress('127.0.0.1', chain, PROXIES);
  t.equal(of(''), '127.0.0.1');
  t.equal(of('203.0.113.7, 203.0.113.8, 10.0.0.1'), '203.0.113.8');
  t.equal(of('10.0.0.2, 10.0.0.1'), '10.0.0.2', 'a machine among the proxies');
  t.equal(of('203.0.113.7:80'), '203.0.113.7', 'with a port');
  t.equal(of('[2001:db8::7]:80'), '2001:db8::7', 'with a port');
  t.equal(of('[2001:db8::7]'), '2001:db8::7');
  t.equal(of('::ffff:203.0.113.7'), '203.0.113.7', 'an IPv4 address in IPv6 form');
  t.equal(of('203.0.113.7, ::ffff:10.0.0.1'), '203.0.113.7', 'a proxy in IPv6 form');
  t.equal(of('10.0.0.1, nonsense'), 'unknown', 'who stands behind what is no address is not known');
  t.equal(of('2001:0DB8:0:0::7'), '2001:db8::7', 'one spelling of each address');
  t.equal(clientAddress('203.0.113.9', '10.0.0.1', PROXIES), '203.0.113.9', 'nobody else is believed');
  t.end();
});

test('one subscriber is an IPv4 address or 64 bits of an IPv6 address, however it is written', (t) => {
  t.equal(networkOf('203.0.113.7'), '203.0.113.7');
  t.equal(networkOf('2001:db8:0:7::1'), '2001:db8:0:7');
  t.equal(networkOf('2001:0db8:0000:0007:aaaa:bbbb:cccc:dddd'), '2001:db8:0:7');
  t.equal(networkOf('2001:db8::'), '2001:db8:0:0');
  t.equal(networkOf('::1'), '0:0:0:0');
  t.equal(networkOf('unknown'), 'unknown');
  t.end();
});
