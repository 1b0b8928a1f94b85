import { jetstreamManager } from '@nats-io/jetstream';
import { test, type Test } from 'tap';
import { DeliveryStore } from '../../../gateway/index.js';
import { openSnapshots, OutboxStream, StreamOutbox } from '../../../persistence/index.js';
import { natsServer, type NatsServer, PATIENT_MS } from '../../nats.js';
import { tempFolder } from '../../temp-folder.js';

/** Of a server that goes away, in milliseconds: nothing is gained by waiting longer. */
const AWAY_MS = 2_000;

/** An outbox of one of several processes, each with a disk of its own. */
async function outboxFor(
  t: Test,
  nats: NatsServer,
  folder: string,
  isHeld = (): boolean => true,
  timeoutMs = PATIENT_MS,
): Promise<StreamOutbox> {
  const connection = await nats.connect();
  const local = openSnapshots({ folder });
  const outbox = new StreamOutbox({
    openStream: () => OutboxStream.open({ connection, name: 'tenor-deliveries', subjects: 'tenor.deliveries', timeoutMs }),
    local,
    owner: folder,
    isHeld,
    isShared: DeliveryStore.isShared,
    entriesOf: DeliveryStore.entriesOf,
    report: (message) => t.comment(message),
  });
  t.teardown(async () => {
    await outbox.close();
    await local.close();
  });
  outbox.start();
  return outbox;
}

async function opened(outbox: StreamOutbox): Promise<StreamOutbox> {
  while (!outbox.isOpen) await new Promise((resolve) => setTimeout(resolve, 5));
  return outbox;
}

/** All that it has, but how far it has come. */
const contents = (outbox: StreamOutbox): readonly (readonly [string, string])[] =>
  [...outbox.range({ start: 'a', end: 'z~' })].map(([key, value]) => [key, Buffer.from(value).toString()]);

const WEBHOOK = 'WH-AAAA-1111';

/** The entries of a message as deliveries write it, with those that are computed from it. */
function written(counter: number, changes: object, before: object | null): Parameters<StreamOutbox['write']>[0] {
  const message = (more: object) => ({
    counter,
    eventId: `EV-AAAA-${counter}`,
    eventType: 'person.created',
    orderKey: 'PR-1',
    position: counter,
    origin: 'log' as const,
    createdAt: 1,
    status: 'pending' as const,
    failures: 0,
    attempts: [],
    nextAttemptAt: null,
    deliveredAt: null,
    ...more,
  });
  const store = new DeliveryStore(() => {
    throw new Error('nothing is read');
  });
  return store.entries(WEBHOOK, message(changes), before && message(before));
}

test('the next owner of an outbox has all its entries and those computed from them; the former owner writes no more', async (t) => {
  const nats = await natsServer(t);
  const folders = [tempFolder(t), tempFolder(t)] as const;
  const first = await opened(await outboxFor(t, nats, folders[0]));
  await first.write([...written(1, {}, null), ...written(2, {}, null), [`w/${WEBHOOK}`, Buffer.from('{"position":2}')]]);
  await first.write(written(1, { status: 'delivered' }, {}));
  await first.write(written(2, { failures: 3, nextAttemptAt: 77 }, {}));
  await Promise.all(Array.from({ length: 50 }, (_, at) => first.write(written(10 + at, {}, null))));
  await first.write([
    ['n/CP-AAAA-1111/live', Buffer.from('5')],
    [`m/${WEBHOOK}/000000b`, null],
  ]);
  await first.write([
    [`e/EV-AAAA-11/000000b`, null],
    [`o/${WEBHOOK}/000000b`, null],
  ]);
  const before = contents(first);
  const second = await opened(await outboxFor(t, nats, folders[1]));
  t.strictSame(contents(second), before, 'the other has it on its own disk, whatever follows included');
  t.notOk(before.some(([key]) => key === `o/${WEBHOOK}/0000001`));
  t.ok(before.some(([key]) => key.startsWith(`p/${WEBHOOK}/`)));
  await t.rejects(first.write(written(99, {}, null)), { code: 'keyValueConflict' });
  t.throws(() => first.get('m'), { code: 'keyValueUnavailable' }, 'it answers nothing while it does not know what there is');
});

test('a disk that was away receives what was written and removed meanwhile; one of another stream is filled again', async (t) => {
  const nats = await natsServer(t);
  const folders = [tempFolder(t), tempFolder(t)] as const;
  let holder = 0;
  const outboxes = await Promise.all(folders.map((folder, at) => outboxFor(t, nats, folder, () => holder === at)));
  const [first, second] = outboxes as [StreamOutbox, StreamOutbox];
  await opened(first);
  await first.write([...written(1, {}, null), ...written(2, {}, null)]);
  holder = 1;
  await opened(second);
  await second.write([
    ...written(1, { status: 'delivered' }, {}),
    ...written(3, {}, null),
    [`m/${WEBHOOK}/0000002`, null],
    [`e/EV-AAAA-2/0000002`, null],
    [`o/${WEBHOOK}/0000002`, null],
  ]);
  holder = 0;
  await first.write([['w/x', Buffer.from('late')]]).catch(() => undefined); // finds out
  await opened(first);
  t.strictSame(contents(first), contents(second));
  await (await jetstreamManager(await nats.connect())).streams.delete('tenor-deliveries');
  await first.write([['w/x', Buffer.from('lost')]]).catch(() => undefined); // finds out
  t.strictSame(contents(await opened(first)), []);
});

test('while the server is away nothing is written, and writes succeed again when it is back', async (t) => {
  const nats = await natsServer(t);
  const outbox = await opened(await outboxFor(t, nats, tempFolder(t), () => true, AWAY_MS));
  const insist = async (key: string, text: string): Promise<void> => {
    for (let isWritten = false; !isWritten; ) {
      await opened(outbox);
      isWritten = await outbox.write([[key, Buffer.from(text)]]).then(
        () => true,
        () => false,
      );
    }
  };
  await insist('w/a', '1');
  await Promise.all([nats.restart(), outbox.write([['w/b', Buffer.from('2')]]).catch(() => undefined)]);
  await insist('w/c', '3');
  const other = await opened(await outboxFor(t, nats, tempFolder(t)));
  t.strictSame(contents(other), contents(outbox));
  t.match(
    contents(other).map(([key]) => key),
    ['w/a'],
  );
  t.ok(contents(other).some(([key]) => key === 'w/c'));
});
