import { join } from 'node:path';
import { type Test, test } from 'tap';
import { RUNTIME_LIMITS, UNITS, unitsOfOwners } from '../../actors/index.js';
import { type ClusterLocation, openClusterSource, openClusterTarget } from '../../persistence/index.js';
import { tenor as run } from '../bench/tenor.js';
import { testCluster } from '../cluster/test-cluster.js';
import { natsServer } from '../nats.js';
import { scratchFolder } from '../temp-folder.js';
import { answersOf, type Ask, makeMovedPortfolio, pay } from './portfolio.js';
import { ENVIRONMENT, exportFolder, exportFrom, MASTER_KEY, restoreFolder, restoreInto, served } from './moving.js';

const locationAt = (nats: string, cluster = 'tenor'): ClusterLocation => ({
  nats,
  cluster,
  masterKey: Buffer.from(MASTER_KEY, 'hex'),
  shards: RUNTIME_LIMITS.shards,
  units: UNITS.map(({ name }) => name),
  unitsOf: unitsOfOwners,
});

test('a journal goes from a folder to a cluster and back, and everything is as it was', async (t) => {
  const folder = scratchFolder();
  const at = (name: string): string => join(folder, name);
  const server = await natsServer(t);
  const { portfolio, answers } = await served(at('data'), async (ask) => {
    const made = await makeMovedPortfolio(ask, 2);
    for (const [index, person] of made.people.entries()) await pay(ask, person, `payment-${index}`);
    return { portfolio: made, answers: await answersOf(ask, made) };
  });
  await exportFolder(at('data'), at('export-1'), at('keys-1'));
  t.match(await restoreInto(() => openClusterTarget(locationAt(server.url)), { exported: at('export-1'), keys: [at('keys-1')] }), {
    leftOut: 0,
    keys: 3,
    destroyed: 0,
  });
  await t.rejects(openClusterTarget(locationAt(server.url)), { code: 'placeTaken' });
  const cluster = await testCluster(t, { nats: server.url, workers: 1, environment: ENVIRONMENT });
  const ask: Ask = (method, path, body, headers) => cluster.insist(method, path, body, 0, headers);
  t.strictSame(await answersOf(ask, portfolio), answers, 'in the cluster');
  t.match(await first(ask), { status: 201, replayed: true }, 'a request that comes again is answered the same');
  await pay(ask, paid(), 'in the cluster', 25);
  const answersThere = await answersOf(ask, portfolio);
  const written = await run({ ...ENVIRONMENT, TENOR_NATS: server.url }, 'export', at('export-2'), '--keys', at('keys-2'), '--json');
  t.equal(written.code, 0, written.error);
  t.match(JSON.parse(written.out), { from: 'cluster' }, 'while the cluster runs');
  await operators(t, server.url, at('export-2'));
  t.match(await restoreFolder(at('back'), { exported: at('export-2'), keys: [at('keys-2')] }), { leftOut: 0, keys: 3 });
  const verified = await run(ENVIRONMENT, 'verify', '--data', at('back'));
  t.equal(verified.code, 0, verified.out + verified.error);
  await served(at('back'), async (again) => {
    t.strictSame(await answersOf(again, portfolio), answersThere, 'and back in a folder');
    t.match(await first(again), { status: 201, replayed: true });
    t.equal((await pay(again, paid(), 'in the cluster', 25)).replayed, true);
  });

  function paid(): (typeof portfolio.people)[number] {
    const [person] = portfolio.people;
    if (person === undefined) throw new Error('the portfolio has people');
    return person;
  }

  async function first(from: Ask): Promise<{ readonly status: number; readonly replayed: boolean }> {
    const { status, replayed } = await pay(from, paid(), 'payment-0');
    return { status, replayed };
  }
});

/** Commands of an operator beside a running cluster. */
async function operators(t: Test, nats: string, folder: string): Promise<void> {
  const cluster = (...parameters: readonly string[]): ReturnType<typeof run> =>
    run(ENVIRONMENT, ...parameters, '--nats', nats, '--data', folder, '--json');
  const verified = await cluster('verify');
  t.equal(verified.code, 0, verified.out + verified.error);
  t.match(JSON.parse(verified.out), { segments: 0, loans: 2, replayed: 2, findings: [] });
  const moves = await run(ENVIRONMENT, 'inspect', '--machine', 'loan', '--nats', nats);
  t.equal(moves.code, 0, moves.error);
  t.equal(moves.out.match(/ loan LN-\S+ {2}originated -- activate --> active$/gm)?.length, 2);
  const snapshot = (...parameters: readonly string[]): ReturnType<typeof run> =>
    run(ENVIRONMENT, 'snapshot', ...parameters, '--nats', nats, '--json');
  t.match(JSON.parse((await snapshot('list')).out), { stored: [], findings: [] });
  const made = await snapshot('make', 'shared');
  t.equal(made.code, 0, made.error);
  t.match(JSON.parse(made.out), { stored: [{ unit: 'shared', takenBy: 'worker-1' }] });
  t.match(await snapshot('verify'), { code: 0 });
  t.match(await snapshot('drop', 'shared'), { code: 0, out: /"stored": \[\]/ });
  t.match(await snapshot('list', 'u99'), { code: 2, error: /is no unit/ });
  const other = 'cd'.repeat(32);
  const rotated = await run({ ...ENVIRONMENT, TENOR_NEW_MASTER_KEY: other }, 'keys', 'rotate', '--nats', nats, '--json');
  t.equal(rotated.code, 0, rotated.error);
  t.match(await run(ENVIRONMENT, 'verify', '--nats', nats, '--json'), { error: /another master key/ });
  t.match(await run({ TENOR_MASTER_KEY: other, TENOR_NEW_MASTER_KEY: MASTER_KEY }, 'keys', 'rotate', '--nats', nats, '--json'), {
    code: 0,
  });
}

test('a restore into a cluster that cannot be finished leaves nothing, and no worker starts on it meanwhile', async (t) => {
  const folder = scratchFolder();
  const server = await natsServer(t);
  await served(join(folder, 'data'), (ask) => makeMovedPortfolio(ask, 1));
  await exportFolder(join(folder, 'data'), join(folder, 'export'), join(folder, 'keys'));
  const target = await openClusterTarget(locationAt(server.url));
  await t.rejects(openClusterSource(locationAt(server.url)), /being restored/);
  await target.abandon();
  await t.rejects(openClusterSource(locationAt(server.url)), { code: 'placeMissing' });
  t.match(
    await restoreInto(() => openClusterTarget(locationAt(server.url)), { exported: join(folder, 'export'), keys: [join(folder, 'keys')] }),
    { leftOut: 0 },
  );
  const counted = await exportFrom(await openClusterSource(locationAt(server.url)), join(folder, 'again'), join(folder, 'again-keys'));
  t.match(counted, { madeFrom: 'cluster', keys: { keys: 2, destroyed: 0 } });
});
