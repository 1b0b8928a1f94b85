import { connect } from '@nats-io/transport-node';
import { test } from 'tap';
import { LocalBus, NatsBus } from '../../../persistence/index.js';
import { lossyWire, natsServer } from '../../nats.js';
import { conforms } from './conformance.js';

conforms('a bus of one process', async (t) => {
  const bus = new LocalBus();
  t.teardown(() => bus.close());
  return { join: async () => bus };
});

conforms('a bus over NATS', async (t) => {
  const server = await natsServer(t, { maxPayload: 65_536 });
  return {
    async join() {
      const bus = new NatsBus(await server.connect(), 'tenor');
      t.teardown(() => bus.close());
      return bus;
    },
  };
});

test('without a server every request is refused at once, and answered again when it is back', async (t) => {
  const server = await natsServer(t);
  const wire = await lossyWire(t, server.port);
  const connection = await connect({ servers: wire.url, reconnectTimeWait: 50, maxReconnectAttempts: -1 });
  t.teardown(() => connection.close());
  const [near, far] = [new NatsBus(connection, 'tenor'), new NatsBus(await server.connect(), 'tenor')];
  t.teardown(() => far.close());
  await far.serve('unit.1', async (request) => Uint8Array.from(request));
  t.equal((await near.ask('unit.1', Uint8Array.of(1), 60_000))[0], 1);
  const disconnected = statusOf(connection, 'disconnect');
  wire.cut();
  await disconnected;
  await t.rejects(near.ask('unit.1', Uint8Array.of(2), 60_000), { name: 'Unanswered', why: 'away' });
  const reconnected = statusOf(connection, 'reconnect');
  wire.mend();
  await reconnected;
  t.equal((await near.ask('unit.1', Uint8Array.of(3), 60_000))[0], 3);
});

test('a request to a process that dies is refused long before it times out, and other requests still wait', async (t) => {
  const server = await natsServer(t);
  const [near, dying] = [new NatsBus(await server.connect(), 'tenor'), await server.connect()];
  const far = new NatsBus(await server.connect(), 'tenor');
  t.teardown(() => Promise.all([near.close(), far.close()]));
  let answer = (_bytes: Uint8Array): void => undefined;
  await far.serve(
    'unit.2',
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const owner = new NatsBus(dying, 'tenor');
  let taken = (): void => undefined;
  const isTaken = new Promise<void>((resolve) => (taken = resolve));
  await owner.serve('unit.1', () => {
    taken();
    return new Promise(() => undefined);
  });
  const [lost, slow] = [near.ask('unit.1', Uint8Array.of(1), 60_000), near.ask('unit.2', Uint8Array.of(2), 60_000)];
  await isTaken;
  await dying.close();
  await t.rejects(lost, { name: 'Unanswered', why: 'lost' });
  answer(Uint8Array.of(3));
  t.equal((await slow)[0], 3, 'one that takes its time');
});

async function statusOf(connection: Awaited<ReturnType<typeof connect>>, wanted: string): Promise<void> {
  for await (const { type } of connection.status()) if (type === wanted) return;
}
