import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { test } from 'tap';
import { DataKeyMissing, KeyFileDamaged, openKeyStore } from '../../../persistence/index.js';
import { conforms, CONTEXT, MASTER_KEY } from './conformance.js';

const HEADER_BYTES = 512;
const SLOT_BYTES = 128;

const fileOf = (folder: string): string => join(folder, 'data-keys');

conforms('a key file', (t) => {
  const folder = t.testdir();
  return { open: (masterKey) => openKeyStore({ folder, masterKey }) };
});

test('a destroyed key is overwritten on the disk', async (t) => {
  const folder = t.testdir();
  const keys = await openKeyStore({ folder, masterKey: MASTER_KEY });
  for (const owner of ['PE-1', 'PE-2', 'PE-3']) keys.create(owner);
  await keys.flush();
  const wrapped = readFileSync(fileOf(folder)).subarray(HEADER_BYTES + SLOT_BYTES + 56, HEADER_BYTES + SLOT_BYTES + 56 + 60);
  await keys.destroy('PE-2');
  t.notOk(readFileSync(fileOf(folder)).includes(wrapped));
  await keys.close();
});

test('rotation leaves nothing on the disk that was wrapped with the former master key', async (t) => {
  const folder = t.testdir();
  const keys = await openKeyStore({ folder, masterKey: MASTER_KEY });
  keys.create('PE-1');
  await keys.flush();
  const before = readFileSync(fileOf(folder));
  await keys.rotate(randomBytes(32));
  await keys.close();
  t.notOk(readFileSync(fileOf(folder)).includes(before.subarray(HEADER_BYTES, HEADER_BYTES + SLOT_BYTES)));
});

test('a damaged key file is refused with its place', async (t) => {
  const folder = t.testdir();
  const keys = await openKeyStore({ folder, masterKey: MASTER_KEY });
  for (let number = 0; number < 8; number += 1) keys.create(`PE-${number}`);
  await keys.flush();
  await keys.close();
  const sound = readFileSync(fileOf(folder));
  const slot = HEADER_BYTES + 5 * SLOT_BYTES;
  const cases: readonly (readonly [name: string, offset: number, change: (bytes: Buffer) => Buffer])[] = [
    ['a byte of a key', slot, (bytes) => flipped(bytes, slot + 60)],
    ['an owner', slot, (bytes) => flipped(bytes, slot + 10)],
    ['the header', 0, (bytes) => flipped(bytes, 20)],
    ['the magic', 0, (bytes) => flipped(bytes, 0)],
    ['the version', 0, (bytes) => flipped(bytes, 8)],
    ['a short file', 0, (bytes) => bytes.subarray(0, 100)],
    ['an empty file', 0, () => Buffer.alloc(0)],
  ];
  for (const [name, offset, change] of cases) {
    writeFileSync(fileOf(folder), change(Buffer.from(sound)));
    const refused = await openKeyStore({ folder, masterKey: MASTER_KEY }).catch((cause: unknown) => cause);
    t.type(refused, KeyFileDamaged, name);
    t.equal((refused as KeyFileDamaged).offset, offset, name);
  }
});

test('a key file that lost its end is refused, and one of an earlier release knows that keys are missing', async (t) => {
  const folder = t.testdir();
  const keys = await openKeyStore({ folder, masterKey: MASTER_KEY });
  for (let number = 0; number < 8; number += 1) keys.create(`PE-${number}`);
  const sealed = keys.seal('PE-7', 'text', CONTEXT);
  await keys.flush();
  await keys.close();
  const cut = readFileSync(fileOf(folder)).subarray(0, HEADER_BYTES + 6 * SLOT_BYTES + 50);
  writeFileSync(fileOf(folder), cut);
  await t.rejects(openKeyStore({ folder, masterKey: MASTER_KEY }), { code: 'keyFileDamaged', message: /the file was cut/ });
  cut.fill(0, 92, HEADER_BYTES - 4); // an earlier release did not write down how long the file was
  cut.writeUInt32LE(crc32(cut.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4);
  writeFileSync(fileOf(folder), cut);
  const again = await openKeyStore({ folder, masterKey: MASTER_KEY });
  t.same(again.report, { keys: 6, destroyed: 0, torn: 1 });
  t.throws(() => again.open('PE-7', sealed, CONTEXT), DataKeyMissing);
  await again.close();
});

test('many keys share a flush, a slot each', async (t) => {
  const folder = t.testdir();
  const keys = await openKeyStore({ folder, masterKey: MASTER_KEY });
  for (let number = 0; number < 3_000; number += 1) keys.create(`PE-${number}`);
  await Promise.all([keys.flush(), keys.flush()]);
  const { size } = statSync(fileOf(folder));
  t.ok(size >= HEADER_BYTES + 3_000 * SLOT_BYTES && size < HEADER_BYTES + 20_000 * SLOT_BYTES, 'with free ones behind them');
  await keys.close();
});

function flipped(bytes: Buffer, offset: number): Buffer {
  bytes.writeUInt8(bytes.readUInt8(offset) ^ 0x10, offset);
  return bytes;
}
