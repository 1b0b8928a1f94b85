import { test } from 'tap';
import { EvictablePart, type PartCodec } from '../../../../actors/kernel/snapshots/evictable-part.js';
import { collectGarbage } from '../../../garbage-collection.js';

interface Content {
  readonly text: string;
}

const CODEC: PartCodec<Content> = { read: (value) => ({ text: (value as Content).text }), stored: (content) => content };

/** The snapshots, and the names that were read from them. */
class Snapshots {
  readonly texts = new Map<string, string>();
  readonly reads: string[] = [];
  readonly read = (name: string): unknown => {
    this.reads.push(name);
    return { text: this.texts.get(name) };
  };

  /** Stores the part, as a snapshot does. */
  store(part: EvictablePart<Content>): void {
    this.texts.set(part.name, part.content.text);
    part.evict(this.read);
  }
}

void test('a part that no snapshot has stays in memory', async (t) => {
  const part = EvictablePart.made('a', { text: 'one' }, CODEC);
  await collectGarbage();
  t.strictSame(part.content, { text: 'one' });
});

void test('a stored part leaves memory, and is read again when it is needed', async (t) => {
  const snapshots = new Snapshots();
  const part = EvictablePart.made('a', { text: 'one' }, CODEC);
  snapshots.store(part);
  const content = new WeakRef(part.content);
  await collectGarbage();
  t.equal(content.deref(), undefined);
  t.strictSame([part.content, part.value], [{ text: 'one' }, { text: 'one' }]);
  t.strictSame(snapshots.reads, ['a'], 'read once until the next collection');
  await collectGarbage();
  t.equal(part.content.text, 'one');
  t.equal(snapshots.reads.length, 2);
});

void test('a part of the snapshots is read when it is first needed', async (t) => {
  const snapshots = new Snapshots();
  snapshots.texts.set('a', 'one');
  const part = EvictablePart.stored('a', snapshots.read, CODEC);
  t.strictSame(snapshots.reads, []);
  t.equal(part.content.text, 'one');
});

void test('a copy that has a replaced part sees its former content, whenever either is stored', async (t) => {
  for (const isStoredLate of [false, true]) {
    const snapshots = new Snapshots();
    const former = EvictablePart.made('a', { text: 'one' }, CODEC);
    snapshots.texts.set('a', 'one');
    if (!isStoredLate) former.evict(snapshots.read);
    await collectGarbage();
    former.pin();
    if (isStoredLate) former.evict(snapshots.read); // a snapshot that began before
    const next = EvictablePart.made('a', { text: 'two' }, CODEC);
    snapshots.store(next);
    await collectGarbage();
    t.strictSame([former.content.text, next.content.text], ['one', 'two']);
    t.not(former.version, next.version);
  }
});
