import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { DataKeyMissing, KeyFileDamaged, MasterKeyError, openKeyStore, SealBroken } from '../../../persistence/index.js';

const MASTER_KEY = randomBytes(32);
const CONTEXT = 'PE-1111-1111/ssn';
const HEADER_BYTES = 512;
const SLOT_BYTES = 128;

const fileOf = (folder: string): string => join(folder, 'data-keys');

test('what is sealed for a person is opened again, by a later process as well', async (t) => {
  const folder = t.testdir();
  const keys = await openKeyStore({ folder, masterKey: MASTER_KEY });
  keys.create('PE-1111-1111');
  t.ok(keys.has('PE-1111-1111'));
  t.notOk(keys.has('PE-2222-2222'));
  const sealed = keys.seal('PE-1111-1111', 'Ödön 123-45-6789', CONTEXT);
  t.notOk(Buffer.from(sealed).includes('123-45'));
  t.equal(keys.open('PE-1111-1111', sealed, CONTEXT), 'Ödön 123-45-6789');
  await keys.flush();
  await keys.close();

  const again = await openKeyStore({ folder, masterKey: MASTER_KEY });
  t.same(again.report, { keys: 1, destroyed: 0, torn: 0 });
  t.equal(again.open('PE-1111-1111', sealed, CONTEXT), 'Ödön 123-45-6789');
  await again.close();
});

test('a key that was not flushed is not there later', async (t) => {
  const folder = t.testdir();
  const keys = await openKeyStore({ folder, masterKey: MASTER_KEY });
  keys.create('PE-1111-1111');
  await keys.close();
  const again = await openKeyStore({ folder, masterKey: MASTER_KEY });
  t.notOk(again.has('PE-1111-1111'));
  await again.close();
});

test('to make a key that is there changes nothing', async (t) => {
  const keys = await openKeyStore({ folder: t.testdir(), masterKey: MASTER_KEY });
  keys.create('PE-1111-1111');
  const sealed = keys.seal('PE-1111-1111', 'text', CONTEXT);
  keys.create('PE-1111-1111');
  t.equal(keys.open('PE-1111-1111', sealed, CONTEXT), 'text');
  await keys.close();
});

test('a destroyed key is gone from memory and from the disk, and the others stay', async (t) => {
  const folder = t.testdir();
  const keys = await openKeyStore({ folder, masterKey: MASTER_KEY });
  for (const owner of ['PE-1', 'PE-2', 'PE-3']) keys.create(owner);
  const sealed = new Map(['PE-1', 'PE-2', 'PE-3'].map((owner) => [owner, keys.seal(owner, owner, CONTEXT)]));
  const sealedBy = (owner: string): Uint8Array => sealed.get(owner) ?? new Uint8Array();
  await keys.flush();
  const wrapped = readFileSync(fileOf(folder)).subarray(HEADER_BYTES + SLOT_BYTES + 56, HEADER_BYTES + SLOT_BYTES + 56 + 60);

  await keys.destroy('PE-2');
  t.equal(keys.open('PE-2', sealedBy('PE-2'), CONTEXT), undefined);
  t.notOk(keys.has('PE-2'));
  t.notOk(readFileSync(fileOf(folder)).includes(wrapped));
  await keys.close();

  const again = await openKeyStore({ folder, masterKey: MASTER_KEY });
  t.same(again.report, { keys: 2, destroyed: 1, torn: 0 });
  t.equal(again.open('PE-1', sealedBy('PE-1'), CONTEXT), 'PE-1');
  t.equal(again.open('PE-2', sealedBy('PE-2'), CONTEXT), undefined);
  t.equal(again.open('PE-3', sealedBy('PE-3'), CONTEXT), 'PE-3');
  await again.close();
});

test('a key made after one was destroyed does not open what the former one has sealed', async (t) => {
  const folder = t.testdir();
  const keys = await openKeyStore({ folder, masterKey: MASTER_KEY });
  keys.create('PE-1');
  const former = keys.seal('PE-1', 'former', CONTEXT);
  await keys.destroy('PE-1');
  keys.create('PE-1');
  const later = keys.seal('PE-1', 'later', CONTEXT);
  t.equal(keys.open('PE-1', former, CONTEXT), undefined);
  await keys.flush();
  await keys.close();
  const again = await openKeyStore({ folder, masterKey: MASTER_KEY });
  t.equal(again.open('PE-1', former, CONTEXT), undefined);
  t.equal(again.open('PE-1', later, CONTEXT), 'later');
  await again.close();
});

test('an erasure can be applied again to a store that is older than the key', async (t) => {
  const keys = await openKeyStore({ folder: t.testdir(), masterKey: MASTER_KEY });
  t.throws(() => keys.open('PE-1', new Uint8Array(60), CONTEXT), DataKeyMissing);
  await keys.destroy('PE-1');
  t.equal(keys.open('PE-1', new Uint8Array(60), CONTEXT), undefined);
  await keys.close();
});

test('a sealed value that was changed or moved is not opened', async (t) => {
  const keys = await openKeyStore({ folder: t.testdir(), masterKey: MASTER_KEY });
  keys.create('PE-1');
  const sealed = keys.seal('PE-1', 'text', CONTEXT);
  t.throws(() => keys.open('PE-1', sealed, 'PE-1/another field'), SealBroken);
  const changed = Uint8Array.from(sealed);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  t.throws(() => keys.open('PE-1', changed, CONTEXT), SealBroken);
  await keys.close();
});

test('another master key is refused without a word about either', async (t) => {
  const folder = t.testdir();
  await (await openKeyStore({ folder, masterKey: MASTER_KEY })).close();
  const other = randomBytes(32);
  const refused = await openKeyStore({ folder, masterKey: other }).catch((cause: unknown) => cause);
  t.type(refused, MasterKeyError);
  t.notMatch(String(refused), other.toString('hex'));
  t.equal((refused as MasterKeyError).helps, 'operator');
});

test('rotation wraps all keys anew, those made meanwhile as well', async (t) => {
  const folder = t.testdir();
  const keys = await openKeyStore({ folder, masterKey: MASTER_KEY });
  for (let number = 1; number <= 1_000; number += 1) keys.create(`PE-${number}`);
  const first = keys.seal('PE-1', 'first', CONTEXT);
  await keys.flush();
  await keys.destroy('PE-2');
  const before = readFileSync(fileOf(folder));

  const other = randomBytes(32);
  const rotation = keys.rotate(other);
  const during = new Map<string, Uint8Array>();
  for (let number = 1; number <= 20; number += 1) {
    keys.create(`PE-during-${number}`);
    during.set(`PE-during-${number}`, keys.seal(`PE-during-${number}`, 'during', CONTEXT));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all([rotation, keys.destroy('PE-4')]);
  keys.create('PE-after');
  const after = keys.seal('PE-after', 'after', CONTEXT);
  await keys.flush();
  await keys.close();
  t.notOk(readFileSync(fileOf(folder)).includes(before.subarray(HEADER_BYTES, HEADER_BYTES + SLOT_BYTES)));

  await t.rejects(openKeyStore({ folder, masterKey: MASTER_KEY }), MasterKeyError);
  const again = await openKeyStore({ folder, masterKey: other });
  t.equal(again.open('PE-1', first, CONTEXT), 'first');
  t.equal(again.open('PE-2', first, CONTEXT), undefined);
  t.equal(again.open('PE-4', first, CONTEXT), undefined);
  t.equal(again.open('PE-after', after, CONTEXT), 'after');
  for (const [owner, sealed] of during) t.equal(again.open(owner, sealed, CONTEXT), 'during');
  await again.close();
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

test('a key file that lost its end knows that keys are missing', async (t) => {
  const folder = t.testdir();
  const keys = await openKeyStore({ folder, masterKey: MASTER_KEY });
  for (let number = 0; number < 8; number += 1) keys.create(`PE-${number}`);
  const sealed = keys.seal('PE-7', 'text', CONTEXT);
  await keys.flush();
  await keys.close();
  writeFileSync(fileOf(folder), readFileSync(fileOf(folder)).subarray(0, HEADER_BYTES + 6 * SLOT_BYTES + 50));
  const again = await openKeyStore({ folder, masterKey: MASTER_KEY });
  t.same(again.report, { keys: 6, destroyed: 0, torn: 1 });
  t.throws(() => again.open('PE-7', sealed, CONTEXT), DataKeyMissing);
  await again.close();
});

test('many keys share a flush and are all there later', async (t) => {
  const folder = t.testdir();
  const keys = await openKeyStore({ folder, masterKey: MASTER_KEY });
  const sealed: Uint8Array[] = [];
  for (let number = 0; number < 3_000; number += 1) {
    keys.create(`PE-${number}`);
    sealed.push(keys.seal(`PE-${number}`, String(number), CONTEXT));
  }
  await Promise.all([keys.flush(), keys.flush()]);
  t.equal(statSync(fileOf(folder)).size, HEADER_BYTES + 3_000 * SLOT_BYTES);
  await keys.close();
  const again = await openKeyStore({ folder, masterKey: MASTER_KEY });
  t.ok(sealed.every((value, number) => again.open(`PE-${number}`, value, CONTEXT) === String(number)));
  await again.close();
});

function flipped(bytes: Buffer, offset: number): Buffer {
  bytes.writeUInt8(bytes.readUInt8(offset) ^ 0x10, offset);
  return bytes;
}
