import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { test } from 'tap';
import { zipped } from '../../../gateway/runners/zip.js';

const MIB = 1024 * 1024;
const ENTRY = { name: 'Loans_20260320.csv', modifiedAt: Date.UTC(2026, 2, 20, 23, 45, 30) };

async function* piecesOf(content: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  for (const piece of content) yield await Promise.resolve(piece);
}

async function whole(packed: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of packed) pieces.push(piece);
  return Buffer.concat(pieces);
}

const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

test('a zip has one file with its name, its content and the time of UTC', async (t) => {
  const content = [randomBytes(3 * MIB), Buffer.alloc(2 * MIB, 'a,b\r\n'), Buffer.alloc(0), Buffer.from('end')];
  const packed = await whole(zipped(ENTRY, piecesOf(content)));
  const files = unzipSync(packed);
  t.strictSame(Object.keys(files), [ENTRY.name]);
  t.equal(digestOf(files[ENTRY.name] ?? Buffer.alloc(0)), digestOf(Buffer.concat(content)));
  t.ok(packed.length < 4 * MIB, 'it is compressed');
  const [time, date] = [packed.readUInt16LE(10), packed.readUInt16LE(12)];
  t.strictSame([time >> 11, (time >> 5) & 63, (time & 31) * 2], [23, 45, 30]);
  t.strictSame([(date >> 9) + 1980, (date >> 5) & 15, date & 31], [2026, 3, 20]);
});

test('a zip of nothing has one empty file', async (t) => {
  t.strictSame(
    Object.entries(unzipSync(await whole(zipped(ENTRY, piecesOf([]))))).map(([name, { length }]) => [name, length]),
    [[ENTRY.name, 0]],
  );
});

test('the same content gives the same bytes, in pieces of any size and in any zone', async (t) => {
  const text = Buffer.alloc(300_000, 'one,two,three\r\n');
  const expected = digestOf(await whole(zipped(ENTRY, piecesOf([text]))));
  t.equal(digestOf(await whole(zipped(ENTRY, piecesOf([text.subarray(0, 7), text.subarray(7, 70_000), text.subarray(70_000)])))), expected);
  const script = `
    import { createHash } from 'node:crypto';
    import { zipped } from ${JSON.stringify(new URL('../../../gateway/runners/zip.js', import.meta.url).href)};
    const hash = createHash('sha256');
    async function* content() { yield Buffer.alloc(300_000, 'one,two,three\\r\\n'); }
    for await (const piece of zipped(${JSON.stringify(ENTRY)}, content())) hash.update(piece);
    console.log(hash.digest('hex'), new Date(0).getHours());`;
  const run = promisify(execFile);
  for (const [TZ, hour] of [
    ['Asia/Tokyo', 9],
    ['America/New_York', 19],
  ] as const) {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { env: { TZ } });
    t.equal(stdout.trim(), `${expected} ${hour}`, TZ);
  }
});

test('content is read as the zip is read', async (t) => {
  let read = 0;
  async function* endless(): AsyncIterable<Uint8Array> {
    for (;;) {
      read += 1;
      yield await Promise.resolve(randomBytes(MIB));
    }
  }
  let bytes = 0;
  for await (const piece of zipped(ENTRY, endless())) {
    bytes += piece.length;
    if (bytes < 5 * MIB) continue;
    await pause(200);
    t.ok(read <= 5 + 12, `${read} MiB were read for ${bytes} bytes of the zip`);
    break;
  }
  const atEnd = read;
  await pause(100);
  t.equal(read, atEnd, 'nothing is read for a reader who has gone');
});

test('content that ends with a failure ends the zip with it', async (t) => {
  const cause = new Error('the store is away');
  async function* broken(): AsyncIterable<Uint8Array> {
    yield await Promise.resolve(randomBytes(2 * MIB));
    throw cause;
  }
  const failure: unknown = await whole(zipped(ENTRY, broken())).catch((reason: unknown) => reason);
  t.equal(failure, cause);
});
