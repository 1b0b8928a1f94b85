import { test } from 'tap';
import type { Journal, ShardBlock, StoredBlock } from '../../../actors/index.js';
import { Random } from '../../random.js';
import { SEED } from '../../seed.js';
import { blockOf, textsOf } from './blocks.js';

type Test = { teardown(run: () => void | Promise<void>): void };

/** A stored journal, which is opened again and again, as by one process after the other. */
export interface JournalSetup {
  open(): Promise<Journal>;
}

/** Requirements of every journal, on any storage. `setUp` makes a new one. */
export function conforms(name: string, setUp: (t: Test) => JournalSetup | Promise<JournalSetup>): void {
  test(`${name}: what was appended is read back, by a later process as well`, async (t) => {
    const { open } = await setUp(t);
    const journal = await open();
    await journal.append([blockOf(0, 1, ['a', 'b']), blockOf(7, 1, ['c'])]);
    await journal.append([blockOf(0, 3, ['d'])]);
    t.same(byShard(await readAll(journal)), { 0: ['a', 'b', 'd'], 7: ['c'] });
    await journal.close();
    const again = await open();
    t.same(byShard(await readAll(again)), { 0: ['a', 'b', 'd'], 7: ['c'] });
    t.same(
      [...again.heads()].sort().map(([shard, { lastSequence }]) => [shard, lastSequence]),
      [
        [0, 3],
        [7, 1],
      ],
    );
    await again.append([blockOf(7, 2, ['e'])]);
    t.same(byShard(await readAll(again)), { 0: ['a', 'b', 'd'], 7: ['c', 'e'] });
    await again.close();
  });

  test(`${name}: batches come back in the order of writing`, async (t) => {
    const journal = await (await setUp(t)).open();
    for (let at = 0; at < 12; at++) await journal.append([blockOf(at % 3, Math.floor(at / 3) + 1, [String(at)])]);
    t.same(
      textsOf(await readAll(journal)),
      Array.from({ length: 12 }, (_, at) => `${at % 3}:${at}`),
    );
    await journal.close();
  });

  test(`${name}: a block names the hash of the block of its shard before it`, async (t) => {
    const { open } = await setUp(t);
    const journal = await open();
    await journal.append([blockOf(0, 1, ['a'])]);
    await journal.append([blockOf(1, 1, ['x']), blockOf(0, 2, ['b'])]);
    const [first, second] = (await readAll(journal)).filter(({ shard }) => shard === 0);
    t.same(first?.previousHash, new Uint8Array(32));
    t.same(Buffer.from(second?.previousHash ?? []), Buffer.from(first?.hash ?? []));
    t.same(Buffer.from(journal.heads().get(0)?.hash ?? []), Buffer.from(second?.hash ?? []));
    await journal.close();
    const again = await open();
    t.same(Buffer.from(again.heads().get(0)?.hash ?? []), Buffer.from(second?.hash ?? []));
    await again.close();
  });

  test(`${name}: reading after a position gives only blocks that hold something newer`, async (t) => {
    const journal = await (await setUp(t)).open();
    await journal.append([blockOf(0, 1, ['a', 'b']), blockOf(1, 1, ['c'])]);
    await journal.append([blockOf(0, 3, ['d'])]);
    t.same(
      byShard(
        await readAll(journal, [
          [0, 1],
          [1, 1],
        ]),
      ),
      { 0: ['a', 'b', 'd'] },
    );
    t.same(byShard(await readAll(journal, [[0, 2]])), { 0: ['d'], 1: ['c'] });
    t.same(
      await readAll(journal, [
        [0, 3],
        [1, 1],
      ]),
      [],
    );
    await journal.close();
  });

  test(`${name}: blocks may be large`, async (t) => {
    const { open } = await setUp(t);
    const journal = await open();
    const large = 'L'.repeat(3_000_000);
    await journal.append([blockOf(0, 1, ['a', large]), blockOf(1, 1, ['b'])]);
    await journal.append([blockOf(0, 3, ['c'])]);
    await journal.close();
    const again = await open();
    t.same(byShard(await readAll(again)), { 0: ['a', large, 'c'], 1: ['b'] });
    t.same(
      byShard(
        await readAll(again, [
          [0, 1],
          [1, 1],
        ]),
      ),
      { 0: ['a', large, 'c'] },
    );
    t.same(
      byShard(
        await readAll(again, [
          [0, 2],
          [1, 1],
        ]),
      ),
      { 0: ['c'] },
    );
    await again.close();
  });

  test(`${name}: a second append while one is in flight, and a gap, are bugs`, async (t) => {
    const journal = await (await setUp(t)).open();
    const first = journal.append([blockOf(0, 1, ['a'])]);
    t.throws(() => journal.append([blockOf(0, 2, ['b'])]), /one append is in flight/);
    await first;
    t.throws(() => journal.append([blockOf(0, 5, ['b'])]), /shard 0 continues at 2, not at 5/);
    await journal.append([blockOf(0, 2, ['b'])]);
    t.same(byShard(await readAll(journal)), { 0: ['a', 'b'] });
    t.ok(journal.hasRoom());
    await journal.close();
  });

  test(`${name}: random histories come back from any position, over openings`, async (t) => {
    t.comment(`seed ${SEED}`);
    const random = new Random(SEED);
    const { open } = await setUp(t);
    let journal = await open();
    const expected = new Map<number, string[]>();
    for (let batch = 0; batch < 60; batch++) {
      if (random.below(10) === 0) {
        await journal.close();
        journal = await open();
      }
      const shards = [0, 1, 2, 3].filter(() => random.below(2) === 0);
      const blocks = shards.map((shard): ShardBlock => {
        const texts = Array.from({ length: 1 + random.below(4) }, (_, at) => `${batch}.${at}${'x'.repeat(random.below(40) ** 2)}`);
        const before = expected.get(shard) ?? [];
        expected.set(shard, [...before, ...texts]);
        return blockOf(shard, before.length + 1, texts);
      });
      if (blocks.length > 0) await journal.append(blocks);
    }
    for (let look = 0; look < 8; look++) {
      const after = [...expected].map(([shard, texts]): [number, number] => [shard, random.below(texts.length + 1)]);
      const read = await readAll(journal, after);
      for (const [shard, from] of after) {
        const found = read
          .filter((block) => block.shard === shard)
          .flatMap(({ firstSequence, records }) =>
            records.map((record, at) => [firstSequence + at, Buffer.from(record).toString()] as const),
          );
        const newer = found.filter(([sequence]) => sequence > from).map(([, text]) => text);
        t.same(newer, expected.get(shard)?.slice(from), `shard ${shard} after ${from}`);
      }
    }
    await journal.close();
  });
}

export async function readAll(journal: Journal, after: readonly (readonly [number, number])[] = []): Promise<readonly StoredBlock[]> {
  const blocks: StoredBlock[] = [];
  for await (const block of journal.read(new Map(after))) blocks.push(block);
  return blocks;
}

/** The records of each shard in their order. */
export function byShard(blocks: readonly StoredBlock[]): Readonly<Record<number, readonly string[]>> {
  const texts: Record<number, string[]> = {};
  for (const { shard, records } of blocks) (texts[shard] ??= []).push(...records.map((record) => Buffer.from(record).toString()));
  return texts;
}
