import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { tenorHere } from '../bench/tenor-here.js';
import { namedBy, namedIn, type Trace, traceOf } from '../moves/traces.js';
import { Service } from '../service/service.js';
import { isSound } from './answers.js';
import { everyAnswer } from './every-answer.js';
import { kept, RELEASES, releaseOf } from './kept.js';

/*
 * A borrower with a value in every personal field, written by an earlier release: the restored and the resealed journal give the same
 * answers to every GET of the interface, and nothing of the borrower stays after an erasure.
 */

const FOLDER = resolve(import.meta.dirname, '../../../test/releases');
const WITH_PERSON = RELEASES.filter((name) => existsSync(join(FOLDER, name, 'person.tar.br')));

interface Person {
  readonly ids: Readonly<Record<string, string | readonly string[]>> & { readonly personId: string; readonly companyId: string };
  readonly values: Readonly<Record<string, string>>;
}

/** Four digits in MessagePack, after the byte with their count, and as JSON. */
const digits = (text: string): readonly string[] => [`\u00a4${text}`, `"${text}"`];

/** Each value, the digests with which a guess could be checked, and the last digits of account and card. */
function tracesOf({ values }: Person): readonly Trace[] {
  const { account = '', card = '', loanCard = '', ...others } = values;
  return [
    ...Object.entries({ ...others, account, card }).map(([name, value]) => traceOf(name, value)),
    ['the card of a line', digits(loanCard)],
    ['last digits of the account', digits(account.slice(-4))],
    ['last digits of the card', digits(card.slice(-4))],
  ];
}

test('a release has such a borrower', async (t) => {
  t.ok(WITH_PERSON.length > 0);
});

for (const name of WITH_PERSON) {
  test(`a borrower of ${name} with every personal field`, { timeout: 480_000 }, async (t) => {
    const folder = kept(t, name, 'person.tar.br');
    const person = JSON.parse(readFileSync(join(folder, 'person.json'), 'utf8')) as Person;
    const { ids } = person;
    const traces = tracesOf(person);
    const named = new Set(namedIn(traces, join(folder, 'journal')).map((found) => found.replace(/ in .*/, '')));
    t.ok(named.size > 60, `${named.size} values were recorded in clear`);
    const restored = async (to: string, ...more: readonly string[]): Promise<string> => restore(t, folder, to, more);
    const [plain, resealed] = [await restored('plain'), await restored('resealed', '--reseal')];
    t.same(namedIn(traces, resealed), [], 'nothing is in clear in the resealed journal');
    await isSound(t, resealed, 'after the restore');

    const answersOf = (data: string): Promise<ReadonlyMap<string, string>> => answered(name, data, ids);
    const [before, after] = [await answersOf(plain), await answersOf(resealed)];
    const found = [...before.values()].filter((answer) => answer.startsWith('200')).length;
    t.ok(found > 400, `${found} of ${before.size} paths are answered 200`);
    t.ok(namedBy(traces, [...before.values()]).length > 60, 'they show the values');
    t.strictSame([...after.keys()].sort(), [...before.keys()].sort(), 'the same paths');
    t.same(
      [...before].filter(([path, answer]) => after.get(path) !== answer).map(([path, answer]) => [path, answer, after.get(path)]),
      [],
      'with the same answers',
    );

    const [retried, again] = [await retry(name, plain, person), await retry(name, resealed, person)];
    t.match(again, { status: 200, replayed: true });
    t.strictSame(again, retried, 'a request that comes again is answered the same');

    for (const data of [plain, resealed]) {
      const { code, error } = await tenorHere({}, 'erase', ids.personId, '--company', ids.companyId, '--data', data);
      t.equal(code, 0, error);
      await isSound(t, data, 'after the erasure');
      for (const [path, answer] of await answersOf(data)) t.same(namedBy(traces, [answer]), [], path);
    }
    t.same(namedIn(traces, resealed), [], 'nothing of the borrower is left in the data folder');
    t.match(await retry(name, resealed, person), { status: 404 }, 'nor in a stored reply');
    const environments = ['actors', 'events'].map((environment) => join(plain, 'snapshots', `${environment}.lmdb`));
    t.same(
      namedIn(traces, join(plain, 'snapshots')).filter((trace) =>
        environments.some((file) => trace.endsWith(file.slice(plain.length + 10))),
      ),
      [],
      'where the journal is not resealed, at least the snapshots have nothing',
    );
  });
}

/** Restores into a folder beside the export, with its master key. */
async function restore(t: Test, folder: string, to: string, more: readonly string[]): Promise<string> {
  const data = join(folder, to);
  const environment = { TENOR_MASTER_KEY: readFileSync(join(folder, 'master.key'), 'utf8').trim() };
  const exported = [join(folder, 'journal'), '--keys', join(folder, 'keys')];
  const { code, error } = await tenorHere(environment, 'restore', ...exported, '--data', data, ...more);
  t.equal(code, 0, error);
  cpSync(join(folder, 'master.key'), join(data, 'master.key'));
  return data;
}

/**
 * Waits until the service has sealed the books of all days that have closed since the release wrote them. A day without entries is not
 * sealed, so it waits until no more are: the service looks for them each second.
 */
async function untilSealed(service: Service, key: string, companyId: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  let [sealed, since] = [0, performance.now()];
  while (sealed === 0 || performance.now() - since < SEALED_MS) {
    const { total } = (await service.ask('GET', `/companies/${companyId}/general-ledger/batches?limit=1`, undefined, headers)).json;
    if (total !== sealed) [sealed, since] = [Number(total), performance.now()];
    await pause(100);
  }
}

const SEALED_MS = 5_000;

/** Days of the books that closed meanwhile are sealed after a start, at a moment of the machine's clock. */
const ofSealedDays = (path: string, answer: string): string =>
  /general-?ledger/i.test(path + answer) ? answer.replaceAll(/"[\d-]{10}T[\d:.]+Z"/g, '""') : answer;

async function answered(name: string, data: string, ids: Person['ids']): Promise<ReadonlyMap<string, string>> {
  const { key } = releaseOf(name);
  const service = await Service.start(data, { TENOR_TEST_KEY: key });
  try {
    await untilSealed(service, key, ids['companyId']);
    const answers = await everyAnswer(service, key, ids);
    return new Map([...answers].map(([path, answer]) => [path, ofSealedDays(path, answer)]));
  } finally {
    await service.stop();
  }
}

/** The first request of `packaging/keep-release/person.mjs` that writes something, under the key that it had. */
async function retry(name: string, data: string, { values: v }: Person): Promise<Awaited<ReturnType<Service['ask']>>> {
  const body = {
    externalId: v['externalId'],
    metaData: { hint: v['metaData'] },
    name: { firstName: v['firstName'], middleName: v['middleName'], lastName: v['lastName'], maidenLastName: v['maidenName'] },
    dateOfBirth: v['birth'],
    identity: { identityType: 'SSN', value: v['identity'], issuingCountry: 'US' },
  };
  const service = await Service.start(data);
  try {
    const headers = { authorization: `Bearer ${releaseOf(name).key}`, 'Idempotency-Key': 'person-2' };
    const answer = await service.ask('POST', '/people', body, headers);
    return { ...answer, json: { ...answer.json, requestId: null } };
  } finally {
    await service.stop();
  }
}
