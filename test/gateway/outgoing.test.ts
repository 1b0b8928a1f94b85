import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'tap';
import { AddressRules, HttpOutgoing } from '../../gateway/index.js';
import { receiverFor } from './receiver.js';

const LOOPBACK = new AddressRules(['127.0.0.0/8', '::1']);
const NONE = new AddressRules([]);

test('calls go only to public addresses over TLS, and to addresses that the operator lists', (t) => {
  const refused = [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '64:ff9b::a00:1',
    '2001:db8::1',
    '2001::1',
    '2002:a00:1::1',
    'nonsense',
  ];
  for (const address of refused) t.notOk(NONE.allows(address, true), address);
  for (const address of ['8.8.8.8', '172.32.0.1', '2600::1', '2a00:1450::1']) {
    t.ok(NONE.allows(address, true), address);
    t.notOk(NONE.allows(address, false), 'never without TLS');
  }
  t.ok(LOOPBACK.allows('127.0.0.1', false));
  t.end();
});

test('the address that a name resolves to when it is connected to decides', async (t) => {
  const receiver = await receiverFor(t);
  const { port } = new URL(receiver.url);
  const call = { headers: {}, body: '{}' };
  const guarded = new HttpOutgoing(NONE);
  t.teardown(() => guarded.close());
  t.strictSame(await guarded.post({ ...call, url: `https://localhost:${port}/` }), { type: 'failed', fault: 'addressNotAllowed' });
  t.strictSame(await guarded.post({ ...call, url: `http://localhost:${port}/` }), { type: 'failed', fault: 'addressNotAllowed' });
  t.strictSame(await guarded.post({ ...call, url: `https://127.0.0.1:${port}/` }), { type: 'failed', fault: 'addressNotAllowed' });
  t.strictSame(receiver.received, [], 'nothing was sent');
  const open = new HttpOutgoing(LOOPBACK);
  t.teardown(() => open.close());
  t.strictSame(await open.post({ ...call, url: `http://localhost:${port}/` }), { type: 'answered', status: 200 });
  t.strictSame(await open.post({ ...call, url: 'https://name.invalid/' }), { type: 'failed', fault: 'dnsFailed' });
});

test('a call ends within its time limit, whatever the receiver does', async (t) => {
  const [mute, receiver] = [await receiverFor(t), await receiverFor(t)];
  mute.answer = () => undefined;
  const hasty = new HttpOutgoing(LOOPBACK, 300);
  t.teardown(() => hasty.close());
  t.strictSame(await hasty.post({ url: mute.url, headers: {}, body: '{}' }), { type: 'failed', fault: 'timeout' }, 'never answers');
  const outgoing = new HttpOutgoing(LOOPBACK); // what answers may do so late
  t.teardown(() => outgoing.close());
  const post = () => outgoing.post({ url: receiver.url, headers: {}, body: '{}' });
  receiver.answer = (response) => response.writeHead(302, { Location: 'http://169.254.169.254/' }).end();
  t.strictSame(await post(), { type: 'answered', status: 302 }, 'a redirect is an answer like any other');
  receiver.answer = (response) => response.destroy();
  t.match(await post(), { type: 'failed', fault: 'connectionLost' }, 'a kept connection may have been stale: once more on a new one');
  receiver.answer = (response) => {
    response.writeHead(200);
    const piece = Buffer.alloc(64 * 1024);
    const write = (): void => void response.write(piece, (cause) => (cause ? undefined : write()));
    write();
  };
  t.strictSame(await post(), { type: 'answered', status: 200 }, 'an answer without end is cut after its beginning');
  receiver.answer = (response) => response.setHeader('X-Long', 'x'.repeat(20_000)).end();
  t.strictSame(await post(), { type: 'failed', fault: 'badAnswer' });
  t.equal(receiver.received.length, 5, 'each once, but for the stale one');
  const silent = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-nothing\r\n', () => socket.destroy()));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  t.strictSame(await outgoing.post({ url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`, headers: {}, body: '{}' }), {
    type: 'failed',
    fault: 'badAnswer',
  });
  t.strictSame(await outgoing.post({ url: `https://127.0.0.1:${new URL(receiver.url).port}/`, headers: {}, body: '{}' }), {
    type: 'failed',
    fault: 'tlsFailed',
  });
});
