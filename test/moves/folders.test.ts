import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';
import { tenor as run } from '../bench/tenor.js';
import { scratchFolder } from '../temp-folder.js';
import { answersOf, balancesAsOf, makeMovedPortfolio, type MovedPortfolio, pay } from './portfolio.js';
import { ENVIRONMENT, exportFolder, restoreFolder, served } from './moving.js';

const folder = scratchFolder();
const [data, exported, keys] = [join(folder, 'data'), join(folder, 'exported'), join(folder, 'keys')];
const tenor = (...parameters: readonly string[]): ReturnType<typeof run> => run(ENVIRONMENT, ...parameters);

/** A portfolio that was served and paid into; between two payments there is a moment. */
const { portfolio, answers, moment, asOf } = await served(data, async (ask) => {
  const made = await makeMovedPortfolio(ask, 2);
  const [paid, other] = made.people;
  for (const [at, person] of made.people.entries()) await pay(ask, person, `payment-${at}`);
  await pause(20);
  const between = new Date().toISOString();
  await pause(20);
  await pay(ask, first(made), 'after', 1000);
  await ask('POST', '/people', { externalId: 'late', name: { firstName: 'Too', lastName: 'Late' } });
  const then = paid && other ? [await balancesAsOf(ask, paid, between), await balancesAsOf(ask, other, between)] : [];
  return { portfolio: made, answers: await answersOf(ask, made), moment: between, asOf: then };
});

test('a journal goes through an export into another folder, and everything is as it was', async (t) => {
  const written = await tenor('export', exported, '--data', data, '--keys', keys, '--json');
  t.equal(written.code, 0, written.error);
  t.match(JSON.parse(written.out), { from: 'folder', keys: { keys: 4, destroyed: 0 } });
  const fresh = join(folder, 'fresh');
  const restored = await tenor('restore', exported, '--data', fresh, '--keys', keys, '--json');
  t.equal(restored.code, 0, restored.error);
  t.match(JSON.parse(restored.out), { into: 'folder', leftOut: 0, keys: 4, destroyed: 0 });
  t.equal((await tenor('verify', '--data', fresh)).code, 0);
  const later = (owner: string): Promise<readonly string[]> =>
    served(owner, async (ask) => {
      t.strictSame(await answersOf(ask, portfolio), answers, 'loans, balances, transactions and events');
      const again = await pay(ask, first(portfolio), 'payment-0');
      t.match(
        { status: again.status, replayed: again.replayed },
        { status: 201, replayed: true },
        'a request that comes again is answered the same',
      );
      t.strictSame(await answersOf(ask, portfolio), answers, 'and applied once');
      return Promise.all(portfolio.people.map(async (person, at) => idIn(await pay(ask, person, `later-${at}`))));
    });
  const [given, givenThere] = [await later(data), await later(fresh)];
  t.strictSame(
    givenThere.filter((id) => given.includes(id)),
    [],
    'an id that was given behind the end of the export is not given again',
  );
  t.match(await tenor('export', exported, '--data', data), { code: 2, error: /not empty/ });
});

test('a restore up to a moment shows what a read as of that moment shows', async (t) => {
  const fresh = join(folder, 'earlier');
  t.ok((await restoreFolder(fresh, { exported, keys: [keys], until: moment })).leftOut > 0);
  t.equal((await tenor('verify', '--data', fresh)).code, 0);
  await served(fresh, async (ask) => {
    t.strictSame(await Promise.all(portfolio.people.map((person) => balancesAsOf(ask, person, moment))), asOf);
    t.equal((await ask('GET', '/people/ext-late')).status, 404);
    t.equal((await pay(ask, first(portfolio), 'payment-0')).replayed, true, 'what was answered by then is answered again');
    t.equal((await pay(ask, first(portfolio), 'after', 1000)).replayed, false, 'what came later has never been');
  });
  const none = join(folder, 'none');
  await t.rejects(restoreFolder(none, { exported, keys: [keys], until: '2001-01-01T00:00:00Z' }), /Nothing of the export/);
  t.match(await tenor('restore', exported, '--data', none, '--keys', keys, '--until', '2026-03-01'), { code: 2, error: /zone/ });
});

test('a damaged export names its place, and restores nothing', async (t) => {
  const [part = ''] = (await readdir(exported)).filter((name) => name.endsWith('.blocks'));
  const damages: readonly (readonly [name: string, file: string, change: (bytes: Buffer) => Buffer])[] = [
    ['a flipped bit', part, (bytes) => flipped(bytes, bytes.length >> 1)],
    ['a cut end', part, (bytes) => bytes.subarray(0, -40)],
    ['a changed count', 'export.json', (bytes) => Buffer.from(bytes.toString().replace('"records": ', '"records": 1'))],
  ];
  for (const [name, file, change] of damages) {
    const copy = join(folder, name.replaceAll(' ', '-'));
    await cp(exported, copy, { recursive: true });
    await writeFile(join(copy, file), change(await readFile(join(copy, file))));
    const fresh = join(folder, `from-${name.replaceAll(' ', '-')}`);
    await t.rejects(restoreFolder(fresh, { exported: copy, keys: [keys] }), { code: 'exportDamaged', message: new RegExp(file) }, name);
    t.strictSame(
      (await readdir(fresh).catch(() => [])).filter((entry) => entry !== 'lock'),
      [],
      `${name}: nothing is there`,
    );
  }
  t.match(await tenor('restore', join(folder, 'a-cut-end'), '--data', join(folder, 'from-cut'), '--keys', keys), {
    code: 1,
    error: new RegExp(part),
  });
  await t.rejects(restoreFolder(join(folder, 'no-keys'), { exported, keys: [] }), /data keys/);
  await t.rejects(restoreFolder(join(folder, 'other-key'), { exported, keys: [keys], masterKey: 'cd'.repeat(32) }), /master key/);
});

test('the key of an erased person comes back from no export', async (t) => {
  const { noLoanPersonId } = portfolio;
  const company = await served(data, async (ask) => {
    t.match(JSON.stringify((await ask('GET', `/people/${noLoanPersonId}`)).json), /Nora/);
    return ((await ask('GET', '/companies')).json['data'] as readonly { readonly id: string }[])[0]?.id ?? '';
  });
  const erased = await tenor('erase', noLoanPersonId, '--company', company, '--data', data);
  t.equal(erased.code, 0, erased.error);
  const [later, laterKeys] = [join(folder, 'later'), join(folder, 'later-keys')];
  t.match((await exportFolder(data, later, laterKeys)).keys, { destroyed: 1 });
  const tries = {
    'the later one with older keys, up to a moment before': { exported: later, keys: [keys, keys], until: moment },
    'the earlier one with newer keys beside its own': { exported, keys: [laterKeys, keys] },
  };
  for (const [name, restoring] of Object.entries(tries)) {
    const fresh = join(folder, name.replaceAll(/\W+/g, '-'));
    t.match(await restoreFolder(fresh, restoring), { destroyed: 1 });
    await served(fresh, async (ask) => {
      const { status, json } = await ask('GET', `/people/${noLoanPersonId}`);
      t.equal(status, 200);
      t.notMatch(JSON.stringify(json), /Nora/, name);
      t.match(JSON.stringify((await ask('GET', `/people/${first(portfolio).personId}`)).json), /Verde 0/);
    });
  }
});

const idIn = ({ json }: { readonly json: Readonly<Record<string, unknown>> }): string =>
  String((json['data'] as { readonly id?: unknown }).id);

function first({ people: [person] }: MovedPortfolio): MovedPortfolio['people'][number] {
  if (person === undefined) throw new Error('the portfolio has people');
  return person;
}

function flipped(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}
