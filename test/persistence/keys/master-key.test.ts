import { fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'tap';
import { loadMasterKey, MasterKeyError, parseMasterKey } from '../../../persistence/index.js';

const KEY_PROCESS = resolve(import.meta.dirname, 'key-process.js');
const PROCESSES = 6;
/** Folders that they race for: in each one of them is first. */
const RACES = 3;

test('the first start makes a key file for its owner alone, and later starts read it', (t) => {
  const folder = t.testdir();
  const file = join(folder, 'master.key');
  const key = loadMasterKey({ text: null, file });
  t.equal(key.length, 32);
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.same(readdirSync(folder), ['master.key']);
  t.same(loadMasterKey({ text: null, file }), key);
  t.equal(readFileSync(file, 'utf8').trim(), Buffer.from(key).toString('hex'));
  t.end();
});

test('processes that start side by side on an empty folder agree on one key', async (t) => {
  for (let race = 0; race < RACES; race += 1) {
    const folder = join(t.testdir({ [`race-${race}`]: {} }), `race-${race}`);
    const file = join(folder, 'master.key');
    const processes = Array.from({ length: PROCESSES }, () => fork(KEY_PROCESS, [file]));
    await Promise.all(processes.map((each) => once(each, 'message')));
    const answers = processes.map(async (each) => String((await once(each, 'message'))[0]));
    for (const each of processes) each.send('go');
    const digests = await Promise.all(answers);
    const written = createHash('sha256')
      .update(parseMasterKey(readFileSync(file, 'utf8'), file))
      .digest('hex');
    t.same(
      digests,
      Array.from({ length: PROCESSES }, () => written),
    );
    t.equal(statSync(file).mode & 0o777, 0o600);
    t.same(readdirSync(folder), ['master.key'], 'nothing unfinished is left');
  }
});

test('a key that is set is taken as hexadecimal or base64, and no file is made', (t) => {
  const file = join(t.testdir(), 'master.key');
  const key = randomBytes(32);
  for (const text of [key.toString('hex'), key.toString('hex').toUpperCase(), key.toString('base64'), ` ${key.toString('base64')}\n`]) {
    t.same(Buffer.from(loadMasterKey({ text, file })), key);
  }
  t.notOk(existsSync(file));
  t.end();
});

test('what is not 32 bytes is refused, and the refusal does not repeat it', (t) => {
  const file = join(t.testdir(), 'master.key');
  for (const text of ['', 'secret', randomBytes(31).toString('hex'), randomBytes(33).toString('base64'), 'g'.repeat(64)]) {
    t.throws(() => parseMasterKey(text, 'the setting'), MasterKeyError);
  }
  t.throws(() => parseMasterKey('hunter-two', 'the setting'), { message: 'the setting does not hold 32 bytes as hexadecimal or base64' });
  writeFileSync(file, 'torn');
  t.throws(() => loadMasterKey({ text: null, file }), MasterKeyError);
  t.end();
});
