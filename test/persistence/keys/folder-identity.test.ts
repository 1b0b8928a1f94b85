import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Test, test } from 'tap';
import { openFolderIdentity, openJournal } from '../../../persistence/index.js';
import { tempFolder } from '../../temp-folder.js';
import { MASTER_KEY } from './conformance.js';

/** A data folder with some persons, and something in the journal. */
async function usedFolder(t: Test): Promise<string> {
  const dataFolder = join(tempFolder(t), 'data');
  mkdirSync(dataFolder);
  const { keys } = await open(dataFolder);
  for (const owner of ['PE-1', 'PE-2', 'PE-3']) keys.create(owner);
  await keys.flush();
  await keys.close();
  const journal = await openJournal({ folder: join(dataFolder, 'journal') });
  await journal.append([{ shard: 1, firstSequence: 1, records: [Buffer.from('a fact')] }]);
  await journal.close();
  return dataFolder;
}

const open = (dataFolder: string) => openFolderIdentity({ dataFolder, masterKey: MASTER_KEY, hasSnapshots: false });

function changeHeader(dataFolder: string, change: (header: Buffer) => void): void {
  const file = join(dataFolder, 'keys/data-keys');
  const bytes = readFileSync(file);
  change(bytes);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 508)), 508);
  writeFileSync(file, bytes);
}

const unmarkKeys = (at: string): void => changeHeader(at, (header) => header.fill(0, 92, 508));
const unmarkIdKey = (at: string): void => writeFileSync(join(at, 'id.key'), `${readFileSync(join(at, 'id.key'), 'utf8').slice(0, 64)}\n`);

test('keys that are lost, cut or of another folder are refused with what to restore, and nothing is made in their place', async (t) => {
  const data = await usedFolder(t);
  const other = await usedFolder(t);
  const cases: readonly (readonly [name: string, code: string, says: RegExp, harm: (at: string) => void])[] = [
    ['no data keys', 'dataPartMissing', /data-keys is missing/, (at) => rmSync(join(at, 'keys/data-keys'))],
    ['no folder of keys', 'dataPartMissing', /data-keys is missing/, (at) => rmSync(join(at, 'keys'), { recursive: true })],
    ['data keys without their end', 'keyFileDamaged', /was cut/, (at) => truncateSync(join(at, 'keys/data-keys'), 512 + 2 * 128)],
    [
      'data keys without the end of what lies ready',
      'keyFileDamaged',
      /was cut/,
      (at) => truncateSync(join(at, 'keys/data-keys'), 100_000),
    ],
    ['empty data keys', 'keyFileDamaged', /ends inside its header/, (at) => truncateSync(join(at, 'keys/data-keys'), 0)],
    [
      'data keys of another folder',
      'foreignKeys',
      /names another journal/,
      (at) => cpSync(join(other, 'keys'), join(at, 'keys'), { recursive: true }),
    ],
    ['data keys that an earlier release has copied', 'foreignKeys', /names no journal/, unmarkKeys],
    ['no key of ids', 'idKeyMissing', /id\.key is missing/, (at) => rmSync(join(at, 'id.key'))],
    ['a key of ids without its end', 'idKeyDamaged', /id\.key is damaged/, (at) => truncateSync(join(at, 'id.key'), 100)],
    ['a changed key of ids', 'idKeyDamaged', /id\.key is damaged/, (at) => changeText(join(at, 'id.key'))],
    ['the key of ids of another folder', 'foreignKeys', /names another journal/, (at) => cpSync(join(other, 'id.key'), join(at, 'id.key'))],
    ['no journal', 'dataPartMissing', /journal is missing/, (at) => rmSync(join(at, 'journal'), { recursive: true })],
    [
      'an empty journal folder',
      'dataPartMissing',
      /journal.*is missing/,
      (at) => {
        rmSync(join(at, 'journal'), { recursive: true });
        mkdirSync(join(at, 'journal'));
      },
    ],
    [
      'the journal of another folder',
      'foreignKeys',
      /names another journal/,
      (at) => {
        rmSync(join(at, 'journal'), { recursive: true });
        cpSync(join(other, 'journal'), join(at, 'journal'), { recursive: true });
      },
    ],
  ];
  for (const [name, code, says, harm] of cases) {
    const harmed = join(tempFolder(t), 'data');
    cpSync(data, harmed, { recursive: true });
    harm(harmed);
    const before = (readdirSync(harmed, { recursive: true }) as string[]).sort();
    await t.rejects(open(harmed), { code, message: says }, name);
    t.same((readdirSync(harmed, { recursive: true }) as string[]).sort(), before, `${name}: nothing was made or taken away`);
  }
  const sound = await open(data);
  t.match(sound, { isUnmarked: false, keys: { durableOwners: 3 } });
  await sound.keys.close();
});

test('a first start that is interrupted at any step is completed by the next one', async (t) => {
  const stages: readonly (readonly [name: string, leave: (at: string) => void])[] = [
    [
      'behind the journal',
      (at) => {
        rmSync(join(at, 'id.key'));
        rmSync(join(at, 'keys'), { recursive: true });
      },
    ],
    ['behind the key of ids', (at) => rmSync(join(at, 'keys'), { recursive: true })],
    ['behind all', () => undefined],
    [
      'of an earlier release, before its journal',
      (at) => {
        unmarkIdKey(at);
        unmarkKeys(at);
        rmSync(join(at, 'journal'), { recursive: true });
      },
    ],
  ];
  for (const [name, leave] of stages) {
    const folder = join(tempFolder(t), 'data');
    mkdirSync(folder);
    await (await open(folder)).keys.close();
    leave(folder);
    const { keys, isUnmarked } = await open(folder);
    t.equal(isUnmarked, false, name);
    t.ok(keys.journalId, name);
    await keys.close();
  }
});

test('keys of an earlier release are marked when they fit, and belong to their journal from then on', async (t) => {
  const data = await usedFolder(t);
  const other = await usedFolder(t);
  unmarkKeys(data);
  unmarkIdKey(data);
  const found = await open(data);
  t.match(found, { isUnmarked: true, keys: { durableOwners: 3, journalId: null } });
  await found.mark();
  await found.keys.close();
  const again = await open(data);
  t.equal(again.isUnmarked, false);
  await again.keys.rotate(new Uint8Array(32).fill(1));
  await again.keys.close();
  renameSync(join(data, 'keys'), join(other, 'keys-of-the-first'));
  rmSync(join(other, 'keys'), { recursive: true });
  renameSync(join(other, 'keys-of-the-first'), join(other, 'keys'));
  await t.rejects(open(other), { code: 'foreignKeys' }, 'a rotation keeps the mark');
});

function changeText(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, (text.startsWith('0') ? '1' : '0') + text.slice(1));
}
