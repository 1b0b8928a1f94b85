import { test } from 'tap';
import { openSnapshots } from '../../../persistence/index.js';

const bytesOf = (text: string): Uint8Array => Buffer.from(text);
const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString();

test('what was written is there, for a later process as well', async (t) => {
  const folder = t.testdir();
  const stores = openSnapshots({ folder });
  await stores.actors.write([
    ['a', bytesOf('1')],
    ['b', new Uint8Array(0)],
    ['c', bytesOf('3'.repeat(100_000))],
  ]);
  await stores.actors.write([
    ['a', null],
    ['d', bytesOf('4')],
  ]);
  t.equal(stores.actors.get('a'), undefined);
  t.equal(stores.events.get('d'), undefined, 'environments are apart');
  await stores.close();

  const again = openSnapshots({ folder });
  t.same(again.rebuilt, []);
  t.equal(again.actors.get('a'), undefined);
  t.equal(textOf(again.actors.get('b')), '');
  t.equal(again.actors.get('c')?.length, 100_000);
  t.equal(textOf(again.actors.get('d')), '4');
  await again.close();
});

test('keys are ordered byte by byte, in both directions', async (t) => {
  const stores = openSnapshots({ folder: t.testdir() });
  // By UTF-16 units the last two would stand the other way round.
  const keys = ['a', 'a\u0000', 'a/1', 'a/10', 'a/2', 'b', 'ä', '\uE000', '\u{1F600}'];
  await stores.events.write([...keys].reverse().map((key) => [key, bytesOf(key)]));
  const range = (start: string, end: string, more: { reverse?: boolean; limit?: number } = {}): string[] =>
    Array.from(stores.events.range({ start, end, ...more }), ([key, value]) => {
      t.equal(textOf(value), key);
      return key;
    });
  t.same(range('', '\u{10ffff}'), keys);
  t.same(range('', '\u{10ffff}', { reverse: true }), [...keys].reverse());
  t.same(range('a/', 'a0'), ['a/1', 'a/10', 'a/2']);
  t.same(range('a/1', 'a/2', { reverse: true }), ['a/10', 'a/1'], 'the start is included and the end is not');
  t.same(range('a/1', 'b', { limit: 2 }), ['a/1', 'a/10']);
  t.same(range('a/1', 'b', { limit: 2, reverse: true }), ['a/2', 'a/10']);
  t.same(range('a/1', 'b', { limit: 0 }), []);
  t.same(range('c', 'd'), []);
  await stores.close();
});

test('values stay as they were read while others are read and written', async (t) => {
  const stores = openSnapshots({ folder: t.testdir() });
  await stores.replies.write(Array.from({ length: 500 }, (_, n) => [`key ${n}`, bytesOf(`value ${n} `.repeat(n % 40))]));
  const read = [...stores.replies.range({ start: '', end: '~' })];
  const one = stores.replies.get('key 7');
  await stores.replies.write(Array.from({ length: 500 }, (_, n) => [`key ${n}`, bytesOf('changed')]));
  t.equal(textOf(stores.replies.get('key 8')), 'changed');
  t.equal(textOf(one), 'value 7 '.repeat(7));
  t.ok(read.every(([key, value]) => textOf(value) === `value ${key.slice(4)} `.repeat(Number(key.slice(4)) % 40)));
  await stores.close();
});

test('a walk goes on while others write', async (t) => {
  const stores = openSnapshots({ folder: t.testdir() });
  await stores.actors.write(Array.from({ length: 100 }, (_, n) => [`k${String(n).padStart(3, '0')}`, bytesOf('x')]));
  const seen: string[] = [];
  for (const [key] of stores.actors.range({ start: 'k', end: 'l' })) {
    seen.push(key);
    if (seen.length === 50)
      await stores.actors.write([
        ['k000', null],
        ['k051a', bytesOf('y')],
      ]);
  }
  t.equal(seen.length, 101);
  t.same(seen, [...seen].sort());
  await stores.close();
});

test('writes share transactions, and each is there when it resolves', async (t) => {
  const stores = openSnapshots({ folder: t.testdir() });
  const writes = Array.from({ length: 200 }, async (_, n) => {
    await stores.replies.write([
      [`a${n}`, bytesOf(String(n))],
      ['last', bytesOf(String(n))],
    ]);
    t.equal(textOf(stores.replies.get(`a${n}`)), String(n));
  });
  await Promise.all(writes);
  t.equal(textOf(stores.replies.get('last')), '199', 'in the order of asking');
  await stores.close();
});

test('a large write lets others run and stays one transaction in its order', async (t) => {
  const stores = openSnapshots({ folder: t.testdir() });
  let ticks = 0;
  const count = setInterval(() => (ticks += 1), 0);
  const large = stores.actors.write(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, bytesOf('large')]));
  const small = stores.actors.write([['k7', bytesOf('small')]]);
  await Promise.all([large, small]);
  clearInterval(count);
  t.ok(ticks > 0, `${ticks} ticks of a timer`);
  t.equal(textOf(stores.actors.get('k7')), 'small');
  t.equal(textOf(stores.actors.get('k19999')), 'large');
  await stores.close();
});

test('a write whose entries cannot be made leaves nothing behind', async (t) => {
  const stores = openSnapshots({ folder: t.testdir() });
  function* broken(): Iterable<readonly [string, Uint8Array]> {
    yield ['first', bytesOf('1')];
    throw new Error('broken');
  }
  t.throws(() => void stores.actors.write(broken()), /broken/);
  const tooLong = stores.actors.write([
    ['first', bytesOf('1')],
    ['k'.repeat(1_979), bytesOf('2')],
  ]);
  const beside = stores.actors.write([['third', bytesOf('3')]]);
  await t.rejects(tooLong, /a key has 1 to 1978 bytes/);
  await beside;
  t.equal(textOf(stores.actors.get('third')), '3', 'others are not touched by it');
  await stores.actors.write([
    ['second', bytesOf('2')],
    ['k'.repeat(1_978), bytesOf('2')],
  ]);
  t.equal(stores.actors.get('first'), undefined);
  t.equal(textOf(stores.actors.get('second')), '2');
  await stores.close();
});

test('a value is read in place, whatever its length, and checked as others are', async (t) => {
  const stores = openSnapshots({ folder: t.testdir() });
  const values = ['', 'short', 'x'.repeat(100), 'y'.repeat(3_000_000), 'z'.repeat(17 * 1024 * 1024)];
  await stores.actors.write(values.map((value, at) => [`key-${at}`, bytesOf(value)]));
  for (const [at, value] of [...values.entries(), ...[...values.entries()].reverse()]) {
    t.equal(
      stores.actors.look(`key-${at}`, (bytes) => textOf(bytes)),
      value,
    );
    t.equal(textOf(stores.actors.get(`key-${at}`)), value);
  }
  t.equal(
    stores.actors.look('none', () => t.fail('there is nothing to read')),
    undefined,
  );
  await stores.close();
});
