import { test } from 'tap';
import { withKeyedDigest } from '../../../../actors/kernel/shard/body-digest.js';
import { earlierReply, Replies } from '../../../../actors/kernel/shard/replies.js';
import type { LoggedReply } from '../../../../actors/kernel/shard/reply-index.js';
import { LIMITS } from '../../../../actors/kernel/limits.js';
import type { KeyStore, KeyValue } from '../../../../actors/kernel/ports.js';
import { packReply, type StoredReply } from '../../../../actors/kernel/journal/records.js';
import { openSnapshots } from '../../../../persistence/index.js';
import { tempFolder } from '../../../temp-folder.js';
import { command } from './tally.js';

const NOON = Date.parse('2026-03-02T12:00:00Z');
const TEXT = 'x'.repeat(1000);
const NO_KEYS = {} as KeyStore;

void test('a reply is found in memory, on the disk and by a later process, for 24 hours', async (t) => {
  const { replies: store, close } = openStores(t);
  const first = new Replies(store);
  for (let n = 0; n < 300; n++) first.durable(replyTo(`command-${n}`, NOON + n));
  t.equal(first.find('command-7', NOON)?.dataText, TEXT);
  await storeAll(first, store, NOON);
  t.equal(first.unwritten, 0);
  for (const replies of [first, new Replies(store)]) {
    t.strictSame(replies.find('command-299', NOON), contentOf('command-299', NOON + 299));
    t.equal(replies.find('command-0', NOON + LIMITS.storedReplyMs - 1)?.commandId, 'command-0');
    t.equal(replies.find('command-0', NOON + LIMITS.storedReplyMs), undefined);
    t.equal(replies.find('command-300', NOON), undefined);
  }
  await close();
});

void test('what has expired leaves the disk, but not the answer to a command that came again', async (t) => {
  const { replies: store, close } = openStores(t);
  const replies = new Replies(store);
  for (let n = 0; n < 300; n++) replies.durable(replyTo(`command-${n}`, NOON));
  await storeAll(replies, store, NOON);
  const later = NOON + LIMITS.storedReplyMs;
  replies.durable(replyTo('command-5', later));
  await storeAll(replies, store, later);
  t.equal(replies.find('command-5', later)?.at, later);
  t.strictSame(
    [...store.range({ start: 'r/', end: 'r/~' })].map(([key]) => key),
    ['r/command-5'],
  );
  t.equal([...store.range({ start: 'c/', end: 'c/~' })].length, 1);
  await close();
});

void test('the oldest replies make room within the size; their commands are refused, not carried out again', async (t) => {
  const { replies: store, close } = openStores(t);
  const sizeLimit = 400_000;
  const replies = new Replies(store, null, sizeLimit);
  for (let n = 0; n < 3000; n++) {
    replies.durable(replyTo(`command-${n}`, NOON + n));
    if (n % 100 === 99) await storeAll(replies, store, NOON + n);
  }
  let bytes = 0;
  for (const [, value] of store.range({ start: 'c/', end: 'c/~' })) bytes += value.length;
  t.ok(bytes <= sizeLimit && bytes > sizeLimit / 2, `${bytes} bytes`);
  t.equal(replies.find('command-2999', NOON)?.commandId, 'command-2999');
  t.equal(replies.find('command-0', NOON), undefined);
  t.equal(replies.wasAccepted('command-0', NOON), true);
  t.throws(() => earlierReply({ replies, keys: NO_KEYS }, command('tally.count', null, {}, 'command-0'), NOON), {
    errorType: 'idempotencyConflict',
  } as unknown as Error);
  const again = new Replies(store, null, sizeLimit);
  for (let n = 0; n < 300; n++) again.durable(replyTo(`later-${n}`, NOON));
  await storeAll(again, store, NOON);
  bytes = 0;
  for (const [, value] of store.range({ start: 'c/', end: 'c/~' })) bytes += value.length;
  t.ok(bytes <= sizeLimit, `${bytes} bytes after a restart`);
  await close();
});

void test('of so many commands memory knows that they were accepted, and forgets the oldest', async (t) => {
  const { replies: store, close } = openStores(t);
  const replies = new Replies(store);
  for (let n = 0; n <= LIMITS.recentCommands; n++) replies.durable(replyTo(`command-${n}`, NOON));
  t.equal(replies.wasAccepted('command-0', NOON), false);
  t.equal(replies.wasAccepted('command-1', NOON), true);
  t.equal(replies.find('command-0', NOON)?.commandId, 'command-0', 'what is not stored yet is kept all the same');
  await close();
});

void test('a command is running while it waits, and from its recorded reply until that is kept or the flush has failed', async (t) => {
  const { replies: store, close } = openStores(t);
  const replies = new Replies(store);
  let pass: () => void = () => undefined;
  const waiting = replies.runningWhile('waits', () => new Promise((resolve) => (pass = resolve)));
  for (const commandId of ['kept', 'lost']) replies.recorded(commandId);
  t.strictSame(
    ['waits', 'kept', 'lost', 'other'].map((commandId) => replies.isRunning(commandId)),
    [true, true, true, false],
  );
  pass();
  await waiting;
  replies.durable(replyTo('kept', NOON));
  t.strictSame(
    ['waits', 'kept', 'lost'].map((commandId) => replies.isRunning(commandId)),
    [false, false, true],
  );
  replies.endAll();
  t.equal(replies.isRunning('lost'), false);
  await close();
});

void test('a retry is answered by the reply that an earlier release has stored with the plain digest of the body', async (t) => {
  const { replies: store, close } = openStores(t);
  const request = command('tally.count', 'TY-TEST-TEST', { amount: 4 }, 'count-1');
  const { commandId } = request;
  const replies = new Replies(store);
  replies.durable({
    commandId,
    at: NOON,
    packed: packReply({ ...contentOf(commandId, NOON), digest: request.idempotency?.digest ?? '' }),
  });
  const keyed = (sent: typeof request) => earlierReply({ replies, keys: NO_KEYS }, withKeyedDigest(sent, Buffer.alloc(32, 7)), NOON);
  t.match(keyed(request), { replayed: true });
  t.throws(() => keyed(command('tally.count', 'TY-TEST-TEST', { amount: 5 }, 'count-1')), {
    errorType: 'idempotencyConflict',
  } as unknown as Error);
  await close();
});

function openStores(t: { teardown(run: () => void): void }): { readonly replies: KeyValue; close(): Promise<void> } {
  const stores = openSnapshots({ folder: tempFolder(t) });
  return { replies: stores.replies, close: () => stores.close() };
}

async function storeAll(replies: Replies, store: KeyValue, nowMs: number): Promise<void> {
  for (let left = replies.unwritten; left > 0; ) {
    const count = Math.min(left, LIMITS.replySlice);
    await store.write(replies.entries(nowMs, count));
    replies.stored(count);
    left -= count;
  }
}

function contentOf(commandId: string, at: number): StoredReply {
  return { commandId, digest: 'digest', status: 200, message: null, operationId: null, dataText: TEXT, sealedFor: null, at };
}

function replyTo(commandId: string, at: number): LoggedReply {
  return { commandId, at, packed: packReply(contentOf(commandId, at)) };
}
