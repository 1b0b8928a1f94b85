import { test } from 'tap';
import { KeyFlushFailed, MasterKeyError, openKeyStore } from '../../../persistence/index.js';
import { Random } from '../../random.js';
import { SEED } from '../../seed.js';
import { FaultyDisk } from '../faulty-disk.js';
import { CONTEXT, FOLDER, History, LIVES, masterKey, SLOTS_AHEAD } from './key-history.js';

const HISTORIES = 150;

test('no end of the process and no power cut loses a key that was flushed or brings back one that was destroyed', async (t) => {
  t.comment(`seed ${SEED}`);
  for (let number = 0; number < HISTORIES; number += 1) {
    const seed = (SEED + number) & 0x7fff_ffff;
    const fault = await new History(seed).run();
    if (fault !== undefined) return t.fail(`seed ${seed}: ${fault}`);
  }
  return t.pass(`${HISTORIES} histories of ${LIVES} lives`);
});

test('after a failed flush the next one writes the keys again', async (t) => {
  for (const operation of ['write', 'datasync'] as const) {
    const disk = new FaultyDisk(new Random(1));
    const keys = await openKeyStore({ folder: FOLDER, masterKey: masterKey(1), files: disk.start(), slotsAhead: SLOTS_AHEAD });
    keys.create('PE-1');
    const sealed = keys.seal('PE-1', 'text', CONTEXT);
    disk.faults.push({ operation, code: 'EIO', times: 1 });
    await t.rejects(keys.flush(), KeyFlushFailed);
    await keys.flush();
    disk.cutPower();
    const again = await openKeyStore({ folder: FOLDER, masterKey: masterKey(1), files: disk.start(), slotsAhead: SLOTS_AHEAD });
    t.equal(again.open('PE-1', sealed, CONTEXT), 'text', operation);
  }
});

test('a key that cannot be destroyed for now is destroyed by a later flush', async (t) => {
  const disk = new FaultyDisk(new Random(1));
  const keys = await openKeyStore({ folder: FOLDER, masterKey: masterKey(1), files: disk.start(), slotsAhead: SLOTS_AHEAD });
  keys.create('PE-1');
  const sealed = keys.seal('PE-1', 'text', CONTEXT);
  await keys.flush();
  disk.faults.push({ operation: 'datasync', code: 'EIO', times: 1 });
  await t.rejects(keys.destroy('PE-1'), KeyFlushFailed);
  t.equal(keys.open('PE-1', sealed, CONTEXT), undefined);
  await keys.flush();
  disk.cutPower();
  const again = await openKeyStore({ folder: FOLDER, masterKey: masterKey(1), files: disk.start(), slotsAhead: SLOTS_AHEAD });
  t.equal(again.open('PE-1', sealed, CONTEXT), undefined);
});

test('a rotation that fails leaves the former master key in force, and one on a full disk as well', async (t) => {
  for (const operation of ['write', 'datasync', 'rename'] as const) {
    const disk = new FaultyDisk(new Random(1));
    const keys = await openKeyStore({ folder: FOLDER, masterKey: masterKey(1), files: disk.start(), slotsAhead: SLOTS_AHEAD });
    keys.create('PE-1');
    const sealed = keys.seal('PE-1', 'text', CONTEXT);
    await keys.flush();
    disk.faults.push({ operation, code: 'ENOSPC', path: '.next', times: 1 });
    await t.rejects(keys.rotate(masterKey(2)), { code: 'ENOSPC' });
    keys.create('PE-2');
    await keys.flush();
    disk.cutPower();
    const again = await openKeyStore({ folder: FOLDER, masterKey: masterKey(1), files: disk.start(), slotsAhead: SLOTS_AHEAD });
    t.equal(again.open('PE-1', sealed, CONTEXT), 'text', operation);
    t.ok(again.has('PE-2'), operation);
    await again.rotate(masterKey(2));
    await again.close();
    await t.rejects(
      openKeyStore({ folder: FOLDER, masterKey: masterKey(1), files: disk.start(), slotsAhead: SLOTS_AHEAD }),
      MasterKeyError,
    );
  }
});

test('on a full disk there is no room for keys before the last slot is used, and there is again once the disk has room', async (t) => {
  const disk = new FaultyDisk(new Random(1));
  const keys = await openKeyStore({ folder: FOLDER, masterKey: masterKey(1), files: disk.start(), slotsAhead: SLOTS_AHEAD });
  const full = { operation: 'allocate', code: 'ENOSPC' } as const;
  disk.faults.push(full);
  let made = 0;
  for (; keys.hasRoom(); made += 1) {
    keys.create(`PE-${made}`);
    await keys.flush();
  }
  t.ok(made > 0 && made < SLOTS_AHEAD);
  keys.create('PE-under-way'); // decided before the room was seen to be gone
  await keys.flush();
  t.equal(keys.hasRoom(), false);
  disk.faults.length = 0;
  while (!keys.hasRoom()) await new Promise((resolve) => setTimeout(resolve, 20));
  for (let number = 0; number < SLOTS_AHEAD; number += 1) keys.create(`PE-later-${number}`);
  await keys.flush();
  disk.cutPower();
  const again = await openKeyStore({ folder: FOLDER, masterKey: masterKey(1), files: disk.start(), slotsAhead: SLOTS_AHEAD });
  t.equal(again.durableOwners, made + 1 + SLOTS_AHEAD);
});
