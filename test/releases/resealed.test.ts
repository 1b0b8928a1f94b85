import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { RUNTIME_LIMITS, UNITS, unitsOfOwners } from '../../actors/index.js';
import { openClusterSource, openClusterTarget, openFolderTarget, openKeyStore } from '../../persistence/index.js';
import { tenorHere } from '../bench/tenor-here.js';
import { exportFrom, locationIn, restoreInto } from '../moves/moving.js';
import { filesBelow, namedBy, namedIn } from '../moves/traces.js';
import { natsServer } from '../nats.js';
import { Service } from '../service/service.js';
import { answersAlike, isSound } from './answers.js';
import { kept, RELEASES, releaseOf } from './kept.js';
import { BORROWERS, CLEAR, LOANS, TRACES } from './traces-of-kept.js';

/*
 * `tenor restore --reseal` on the data of earlier releases: the same answers, nothing in clear, and nothing left after an erasure.
 */

interface Exported {
  readonly folder: string;
  readonly masterKey: string;
  readonly environment: Readonly<Record<string, string>>;
}

function exportOf(t: Test, name: string): Exported {
  const folder = kept(t, name, 'export.tar.br');
  const masterKey = readFileSync(join(folder, 'master.key'), 'utf8').trim();
  return { folder, masterKey, environment: { TENOR_MASTER_KEY: masterKey } };
}

const commandLine = ({ folder }: Exported, data: string, journal = 'journal', ...keys: readonly string[]): readonly string[] => [
  ...['restore', join(folder, journal), '--keys', ...(keys.length === 0 ? ['keys'] : keys).map((each) => join(folder, each))],
  ...['--data', data, '--reseal', '--json'],
];

/** Restores and reseals; the new data folder has the master key beside it, as the start of the service reads it. */
async function reseal(
  t: Test,
  exported: Exported,
  data: string,
  journal?: string,
  ...keys: readonly string[]
): Promise<Readonly<Record<string, unknown>>> {
  const { code, out, error } = await tenorHere(exported.environment, ...commandLine(exported, data, journal, ...keys));
  t.equal(code, 0, error);
  cpSync(join(exported.folder, 'master.key'), join(data, 'master.key'));
  return JSON.parse(out) as Readonly<Record<string, unknown>>;
}

/** Bytes of all files, to see that nothing has changed. */
const digestOf = (folder: string): string =>
  filesBelow(folder)
    .toSorted()
    .reduce((hash, file) => hash.update(file).update(readFileSync(file)), createHash('sha256'))
    .digest('hex');

const companyOf = (name: string): string =>
  (releaseOf(name).answers['/companies'] as { readonly data: readonly { readonly id: string }[] }).data[0]?.id ?? '';

/** Cancels the loans, so that both borrowers can be erased, and erases them. Returns their ids. */
async function eraseAll(t: Test, name: string, data: string): Promise<readonly string[]> {
  const service = await Service.start(data);
  const headers = { authorization: `Bearer ${releaseOf(name).key}` };
  const persons: string[] = [];
  for (const each of BORROWERS) {
    const { json } = await service.ask('GET', `/people/ext-${each}`, undefined, headers);
    persons.push((json['data'] as { readonly id: string }).id);
  }
  for (const [person, loan] of LOANS) {
    const canceled = await service.ask('POST', `/people/ext-${person}/loans/ext-${loan}/cancel?force=true`, {}, headers);
    t.equal(canceled.status, 200);
  }
  t.equal(await service.stop(), 0);
  for (const person of persons) {
    const { code, error } = await tenorHere({}, 'erase', person, '--company', companyOf(name), '--data', data);
    t.equal(code, 0, error);
  }
  return persons;
}

/** The answers that could name the borrowers. */
async function namedInAnswers(name: string, data: string, persons: readonly string[]): Promise<readonly string[]> {
  const service = await Service.start(data);
  const headers = { authorization: `Bearer ${releaseOf(name).key}` };
  const paths = [
    ...['/people', '/loans', '/transactions', '/cases', '/events', '/interactions'].map((path) => `${path}?limit=100`),
    ...persons.flatMap((person) => [`/people/${person}`, `/people/${person}/loans`, `/events?personId=${person}&limit=100`]),
  ];
  const named: string[] = [];
  for (const path of paths) {
    const { json } = await service.ask('GET', path, undefined, headers);
    named.push(...namedBy(TRACES, [JSON.stringify(json['data'] ?? null)]).map((trace) => `${trace} in ${path}`));
  }
  await service.stop();
  return named;
}

for (const name of RELEASES) {
  test(`data of ${name} is resealed: the same answers, and nothing of its borrowers stays when they are erased`, async (t) => {
    const exported = exportOf(t, name);
    const inClear = new Set(namedIn(TRACES, join(exported.folder, 'journal')).map((found) => found.replace(/ in .*/, '')));
    t.strictSame([...inClear].sort(), [...CLEAR].sort(), 'the release recorded this in clear');
    const before = ['journal', 'keys'].map((part) => digestOf(join(exported.folder, part)));
    const data = join(exported.folder, 'data');
    const { records, resealed, keys } = await reseal(t, exported, data);
    t.ok(Number(resealed) > 100 && Number(resealed) < Number(records), `${Number(resealed)} of ${Number(records)} records are sealed`);
    t.match({ keys }, { keys: 3 });
    const after = ['journal', 'keys'].map((part) => digestOf(join(exported.folder, part)));
    t.strictSame(after, before, 'what it is made from does not change');
    t.same(namedIn(TRACES, data), [], 'nothing is in clear');
    await isSound(t, data, 'after the restore');
    await answersAlike(t, data, name);
    await isSound(t, data, 'after a start');

    const persons = await eraseAll(t, name, data);
    t.same(await namedInAnswers(name, data, persons), [], 'no answer names an erased borrower');
    t.same(namedIn(TRACES, data), [], 'nor does any file');
    await isSound(t, data, 'after the erasures');
  });

  test(`a borrower of ${name} who is erased stays erased, and data that is sealed is not sealed again`, async (t) => {
    const old = kept(t, name, 'data.tar.br');
    const persons = await eraseAll(t, name, old);
    const exported = exportOf(t, name);
    const [journal, keys] = [join(exported.folder, 'later'), join(exported.folder, 'later-keys')];
    t.match(await tenorHere({}, 'export', journal, '--keys', keys, '--data', old), { code: 0 });
    const data = join(exported.folder, 'data');
    t.match(await reseal(t, exported, data, 'later', 'later-keys'), { destroyed: 2 });
    await isSound(t, data, 'after the restore');
    t.same(await namedInAnswers(name, data, persons), [], 'they stay erased');
    t.same(namedIn(TRACES, data), [], 'and nothing of them is left in the journal');
    t.match(
      await tenorHere(
        exported.environment,
        'export',
        join(exported.folder, 'again'),
        '--keys',
        join(exported.folder, 'again-keys'),
        '--data',
        data,
      ),
      {
        code: 0,
      },
    );
    t.match(await reseal(t, exported, join(exported.folder, 'twice'), 'again', 'again-keys'), { resealed: 0 });
  });

  test(`an earlier export of ${name} is resealed with newer data keys: borrowers erased since then are erased in it`, async (t) => {
    const old = kept(t, name, 'data.tar.br');
    const persons = await eraseAll(t, name, old);
    const exported = exportOf(t, name);
    const newest = ['--keys', join(exported.folder, 'newest')];
    t.match(await tenorHere({}, 'export', join(exported.folder, 'later'), ...newest, '--data', old), { code: 0 });
    const data = join(exported.folder, 'data');
    t.match(await reseal(t, exported, data, 'journal', 'newest', 'keys'), { destroyed: 2 });
    await isSound(t, data, 'after the restore');
    t.same(await namedInAnswers(name, data, persons), [], 'no answer names them');
    t.same(namedIn(TRACES, data), [], 'and no file');
    await isSound(t, data, 'after a start');
  });

  test(`data of ${name} is resealed into a cluster, and comes back`, async (t) => {
    const exported = exportOf(t, name);
    const server = await natsServer(t);
    const masterKey = Buffer.from(exported.masterKey, 'hex');
    const location = { nats: server.url, cluster: 'resealed', masterKey, shards: RUNTIME_LIMITS.shards };
    const cluster = { ...location, units: UNITS.map((unit) => unit.name), unitsOf: unitsOfOwners };
    const [journal, keys] = [join(exported.folder, 'journal'), [join(exported.folder, 'keys')]];
    t.match(await restoreInto(() => openClusterTarget(cluster), { exported: journal, keys, isResealing: true }), { keys: 3, destroyed: 0 });
    const [back, backKeys] = [join(exported.folder, 'back'), join(exported.folder, 'back-keys')];
    await exportFrom(await openClusterSource(cluster), back, backKeys);
    t.same(namedIn(TRACES, back), [], 'nothing is in clear');
    const data = join(exported.folder, 'data');
    t.match(await reseal(t, exported, data, 'back', 'back-keys'), { resealed: 0 });
    await answersAlike(t, data, name);
  });

  test(`a resealing of ${name} that is killed begins again`, async (t) => {
    const exported = exportOf(t, name);
    const data = join(exported.folder, 'data');
    const entry = resolve(import.meta.dirname, '../../tenor.js');
    const child = spawn(process.execPath, [entry, ...commandLine(exported, data)], { env: { ...process.env, ...exported.environment } });
    const ended = new Promise((end) => child.once('exit', end));
    while (!existsSync(join(data, 'restoring/journal'))) await pause(1);
    child.kill('SIGKILL');
    await ended;
    t.ok(existsSync(join(data, 'restoring')), 'it was killed on the way');
    t.notOk(existsSync(join(data, 'id.key')), 'and no service would start on what it left');
    await reseal(t, exported, data);
    t.notOk(existsSync(join(data, 'restoring')));
    await isSound(t, data, 'the second time');
    t.same(namedIn(TRACES, data), []);
  });

  test(`a resealing of ${name} that cannot be whole is refused before anything is written`, async (t) => {
    const exported = exportOf(t, name);
    const journal = join(exported.folder, 'journal');
    const others = join(exported.folder, 'others');
    const masterKey = Buffer.from(exported.masterKey, 'hex');
    const strangers = await openKeyStore({ folder: others, masterKey });
    for (const stranger of ['BO-AAAA-AAAA', 'BO-AAAA-AAAB', 'BO-AAAA-AAAC']) strangers.create(stranger);
    await strangers.flush();
    await strangers.close();
    const data = join(exported.folder, 'data');
    const refused = await tenorHere(exported.environment, ...commandLine(exported, data, 'journal', 'others'));
    t.match(refused, { code: 2, error: /2 persons have no data key to seal with \(BO-/ });
    t.notOk(existsSync(join(data, 'restoring')) || existsSync(join(data, 'journal')));

    const target = (): ReturnType<typeof openFolderTarget> => openFolderTarget(locationIn(data, exported.masterKey));
    const measured = await target();
    t.ok((await measured.missingBytes(2 ** 50)) > 0, 'a petabyte does not fit');
    t.equal(await measured.missingBytes(1000), 0);
    await measured.abandon();
    const full = async (): Promise<Awaited<ReturnType<typeof target>>> => ({
      ...(await target()),
      missingBytes: () => Promise.resolve(1e9),
    });
    const restoring = { exported: journal, keys: [join(exported.folder, 'keys')], isResealing: true };
    await t.rejects(restoreInto(full, restoring), /The disk lacks 1000 MB/);
    t.notOk(existsSync(join(data, 'journal')));
  });
}
