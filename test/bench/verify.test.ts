import { createHash } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { actorModules, recompute, type Recomputed } from '../../actors/index.js';
import { compareServed } from '../../bench/backup/verify-data.js';
import { openJournal, openKeyStore, openSnapshots, systemClock } from '../../persistence/index.js';
import { ACCOUNT, ANN, EMAIL } from '../actors/borrower/lender.js';
import { loanBody } from '../actors/loan/setting.js';
import { dataOf, idOf, listOf, openHttpLender } from '../gateway/routes/http-lender.js';
import { tempFolder } from '../temp-folder.js';
import { csv, EXAMPLE_MAPPING, rowOf } from './import-setting.js';
import { tenorHere } from './tenor-here.js';

interface Ended {
  readonly code: number;
  readonly json: {
    readonly findings: readonly { readonly part: string; readonly where: string }[];
    readonly loans: number;
    readonly replayed: number;
  };
}

async function tenor(...parameters: readonly string[]): Promise<Ended> {
  const { code, out } = await tenorHere({}, ...parameters, '--json');
  return { code, json: JSON.parse(out === '' ? '{}' : out) as Ended['json'] };
}

test('verify finds a sound folder sound, and a flipped byte', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenor-verify-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'loans.csv');
  const data = join(folder, 'data');
  await writeFile(file, csv(...Array.from({ length: 20 }, (_, index) => rowOf(`L-${index}`))));
  t.equal((await tenor('import', file, '--mapping', EXAMPLE_MAPPING, '--activate', '--as-of', '2018-04-20', '--data', data)).code, 0);
  const sound = await tenor('verify', '--data', data);
  t.match(sound, { code: 0, json: { findings: [], loans: 20, replayed: 20 } });
  const [segment = ''] = (await readdir(join(data, 'journal'))).filter((name) => name.startsWith('journal-'));
  const path = join(data, 'journal', segment);
  const bytes = await readFile(path);
  bytes[60_000] = (bytes[60_000] ?? 0) ^ 1;
  await writeFile(path, bytes);
  const damaged = await tenor('verify', '--data', data);
  t.equal(damaged.code, 1);
  t.ok(
    damaged.json.findings.some(({ part, where }) => part === 'journal' && where.includes(segment)),
    'with the place',
  );
});

test('objects compare equal for any order of their parts, from a snapshot or from the journal', async (t) => {
  const { ask, company, h } = await openHttpLender(t, 'oneProcess');
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  await ask('POST', '/people', ANN);
  const [account] = listOf(
    await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...ACCOUNT, externalId: 'checking', verified: true }),
  );
  t.match(await ask('POST', '/people/ext-ann-1/contacts', { ...EMAIL, externalId: 'mail' }), { status: 200 });
  const loan = `/people/ext-ann-1/loans/${idOf(await ask('POST', '/people/ext-ann-1/loans', loanBody(loanTypeId)))}`;
  await ask('POST', `${loan}/activate`, {});
  const pay = async (body: object): Promise<string> =>
    idOf(await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 10, paymentInstrumentId: account?.['id'], ...body }));
  const scheduled = await pay({ scheduledDate: '2026-04-01' });
  const initiated = await pay({ externalId: 'second' });
  await ask('PUT', `${loan}/transactions/${initiated}`, { status: 'succeeded' });
  t.match(await ask('PUT', `${loan}/transactions/${scheduled}`, { externalId: 'first' }), { status: 200 });
  await h.engine.snapshot();
  // The loan goes on behind the snapshot, the borrower does not.
  t.match(dataOf(await ask('POST', `${loan}/transactions/${scheduled}/cancel`)), { status: 'canceled' });
  await h.engine.settled();
  const { served, fromJournal } = await bothOf(t, h.folder);
  t.same([...compareServed(served, fromJournal, fromJournal.world.actorCache.values())], []);
});

/** Memory as a start finds it on a copy of the folder, and from the journal alone. */
async function bothOf(t: Test, folder: string): Promise<{ readonly served: Recomputed; readonly fromJournal: Recomputed }> {
  const copy = join(tempFolder(t), 'data');
  cpSync(folder, copy, { recursive: true });
  const [journal, stores] = [await openJournal({ folder: join(copy, 'journal') }), openSnapshots({ folder: join(copy, 'snapshots') })];
  const keys = await openKeyStore({ folder: join(copy, 'keys'), masterKey: new Uint8Array(32).fill(7) });
  t.teardown(() => Promise.all([journal.close(), stores.close(), keys.close()]));
  const parts = { clock: systemClock, keys, idKey: createHash('sha256').update('a test').digest(), modules: actorModules() };
  return {
    fromJournal: await recompute({ ...parts, modules: actorModules() }, journal, null),
    served: await recompute(parts, journal, stores),
  };
}
