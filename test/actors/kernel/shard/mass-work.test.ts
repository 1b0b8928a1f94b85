import { test } from 'tap';
import type { Engine, OperationView } from '../../../../actors/index.js';
import { Gate } from '../../../gate.js';
import { copyLiveFolder, scratchFolder } from '../../../temp-folder.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { type Follower, followers, leaders } from './followers.js';
import { type Opened, openTestEngine, type TestEngineOptions } from './open-engine.js';
import { command, COMPANY, query } from './tally.js';

const MODULES = [leaders, followers];

interface Lender extends Opened {
  readonly leader: string;
  readonly ids: readonly string[];
}

async function openTestLender(count: number, options: TestEngineOptions = {}, bug: (at: number) => boolean = () => false): Promise<Lender> {
  const opened = await openTestEngine({ modules: MODULES, ...options });
  const leader = idOf(await opened.engine.execute(command('leader.create', null, { percent: 1 })));
  await opened.engine.mass.idle();
  const ids: string[] = [];
  for (let at = 0; at < count; at++)
    ids.push(idOf(await opened.engine.execute(command('follower.create', null, { leader, percent: 1, changes: 1, bug: bug(at) }))));
  return { ...opened, leader, ids };
}

const idOf = ({ data }: { readonly data: unknown }): string => (data as { readonly id: string }).id;
const operationOf = ({ data }: { readonly data: unknown }): string => (data as { readonly operationId: string }).operationId;
const about = (operationId: string): Readonly<Record<string, string>> => ({ operationId });

async function stateOf(engine: Engine, operationId: string): Promise<OperationView> {
  return (await engine.query({ ...query('operation.get', null), params: about(operationId) })) as OperationView;
}

const move = (engine: Engine, verb: string, { leader }: Lender, operationId: string): Promise<unknown> =>
  engine.execute({ ...command(`operation.${verb}`, leader, {}), params: about(operationId) });

const followerOf = async (engine: Engine, id: string): Promise<Follower> => (await engine.query(query('follower.get', id))) as Follower;

async function changesEmitted(engine: Engine, id: string): Promise<number> {
  const { items } = (await engine.query(query('event.list', null, { loanId: id, limit: 100 }))) as { readonly items: readonly unknown[] };
  return items.length;
}

test('the job of a shared fact is one operation, which counts the changed actors and emits one event for each', async (t) => {
  const lender = await openTestLender(40);
  const { engine, leader, ids } = lender;
  const operationId = operationOf(await engine.execute(command('leader.change', leader, { percent: 7 })));
  t.match(await followerOf(engine, ids[5] ?? ''), { percent: 7 }, 'a read computes what is pending');
  await engine.mass.idle();
  await engine.settled();
  t.match(await stateOf(engine, operationId), {
    kind: 'leader.change',
    status: 'succeeded',
    percent: 100,
    progress: { done: 40, total: 40 },
    counts: { changed: 40, unchanged: 0, failed: 0 },
    isPaused: false,
    etaSeconds: 0,
  });
  for (const id of ids.slice(0, 5)) t.equal(await changesEmitted(engine, id), 1);
  await engine.close();
  const { engine: again } = await openTestEngine({ modules: MODULES, folder: lender.folder });
  await again.mass.idle();
  t.match(
    await stateOf(again, operationId),
    { status: 'succeeded', counts: { changed: 40, unchanged: 0, failed: 0 } },
    'a start finds it as it ended',
  );
  await again.close();
});

test('an actor that cannot be computed stays as it was, is counted and listed, and stops no other', async (t) => {
  const lender = await openTestLender(20, {}, (at) => at % 7 === 3);
  const { engine, leader, ids, reports } = lender;
  const operationId = operationOf(await engine.execute(command('leader.change', leader, { percent: 7 })));
  await engine.mass.idle();
  await engine.settled();
  const { status, counts, failures, errorMessage } = await stateOf(engine, operationId);
  t.match({ status, counts }, { status: 'failed', counts: { changed: 17, unchanged: 0, failed: 3 } });
  t.match(errorMessage, /3 of 20/);
  t.same(failures?.map(({ id }) => id).sort(), ids.filter((_, at) => at % 7 === 3).sort());
  t.equal(reports.filter((line) => line.includes('it stays as it was')).length, 3);
  t.ok(engine.isWritable, 'memory is not computed again for them');
  t.match(engine.stateOf<Follower>({ company: COMPANY, mode: 'test' }, 'loan', ids[3] ?? ''), { percent: 1, changes: 1 });
  t.equal(await changesEmitted(engine, ids[3] ?? ''), 0);
  t.equal((await followerOf(engine, ids[4] ?? '')).percent, 7);
  await engine.close();
});

test('held work does not begin until it is resumed, and can be canceled without a trace', async (t) => {
  const lender = await openTestLender(10);
  const { engine, leader, ids } = lender;
  const held = operationOf(await engine.execute(command('leader.turnAll', leader, { isHeld: true })));
  await engine.mass.idle();
  t.match(await stateOf(engine, held), { status: 'running', isPaused: true, counts: { changed: 0 } });
  await move(engine, 'cancel', lender, held);
  t.match(await stateOf(engine, held), { status: 'failed', errorType: 'canceled' });
  await t.rejects(move(engine, 'resume', lender, held), { errorType: 'invalidState' } as unknown as Error);
  const other = operationOf(await engine.execute(command('leader.turnAll', leader, { isHeld: true })));
  await move(engine, 'resume', lender, other);
  await engine.mass.idle();
  t.match(await stateOf(engine, other), { status: 'succeeded', counts: { changed: 10 } });
  t.equal((await followerOf(engine, ids[0] ?? '')).turns, 1);
  const change = operationOf(await engine.execute(command('leader.change', leader, { percent: 2 })));
  await t.rejects(
    move(engine, 'cancel', lender, change),
    { errorType: 'invalidState' } as unknown as Error,
    'what all reads show is not canceled',
  );
  await t.rejects(move(engine, 'pause', lender, 'x'.repeat(32)), { errorType: 'notFound' } as unknown as Error);
  await engine.close();
});

test('through pauses, resumptions and crashes in any order each is computed exactly once', async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  let lender = await openTestLender(200);
  const { leader, ids } = lender;
  const operations: string[] = [];
  for (let round = 0; round < 12; round++) {
    const { engine } = lender;
    if (round % 4 === 0) operations.push(operationOf(await engine.execute(command('leader.turnAll', leader, {}))));
    await new Promise((resolve) => setTimeout(resolve, random.below(4)));
    for (const operationId of operations)
      if (random.below(2) === 0) await move(engine, random.below(2) === 0 ? 'pause' : 'resume', lender, operationId);
    if (random.below(3) > 0) continue;
    // A crash: the durable state is copied, and the first process counts as dead.
    await engine.settled();
    const folder = scratchFolder();
    for (const part of ['journal', 'keys']) copyLiveFolder(`${lender.folder}/${part}`, `${folder}/${part}`);
    await engine.close();
    lender = { ...lender, ...(await openTestEngine({ modules: MODULES, folder })) };
  }
  for (const operationId of operations) await move(lender.engine, 'resume', lender, operationId);
  await lender.engine.mass.idle();
  await lender.engine.settled();
  for (const operationId of operations) {
    t.match(await stateOf(lender.engine, operationId), {
      status: 'succeeded',
      counts: { changed: ids.length, unchanged: 0, failed: 0 },
      progress: { done: ids.length, total: ids.length },
    });
  }
  for (const id of ids) {
    const { turns } = lender.engine.stateOf<Follower>({ company: COMPANY, mode: 'test' }, 'loan', id) ?? { turns: -1 };
    if (turns !== operations.length) t.fail(`${id} was computed ${turns} times`);
  }
  t.equal(await changesEmitted(lender.engine, ids[17] ?? ''), operations.length, 'and each computation is emitted once');
  await lender.engine.close();
});

test('a dry run records nothing, and shows what the real run makes', async (t) => {
  const lender = await openTestLender(15, {}, (at) => at === 4);
  const { engine, leader, ids } = lender;
  const sequences = (): number => engine.world.shards.slice(0, 64).reduce((sum, { sequence }) => sum + sequence, 0);
  const before = sequences();
  const operationId = operationOf(await engine.execute(command('leader.change', leader, { percent: 900, dryRun: true })));
  await engine.mass.idle();
  t.equal(sequences(), before);
  const view = await stateOf(engine, operationId);
  t.match(view, {
    status: 'failed',
    isDryRun: true,
    counts: { changed: 14, unchanged: 0, failed: 1 },
    report: { rows: 15, rowsLeftOut: 0, totals: [{ name: 'percent', before: '0.15', after: '126.01', difference: '125.86' }] },
  });
  t.equal((await followerOf(engine, ids[0] ?? '')).percent, 1);
  const { text, parts } = (await engine.query({ ...query('operation.report', null, { part: 0 }), params: about(operationId) })) as {
    text: string;
    parts: number;
  };
  t.equal(parts, 1);
  const lines = text.trimEnd().split('\r\n');
  t.equal(lines[0], 'id,outcome,percentBefore,percentAfter,turnsBefore,turnsAfter,message');
  t.equal(
    lines.find((line) => line.startsWith(ids[2] ?? '-')),
    `${ids[2] ?? ''},changed,0.01,9.00,0,0,`,
  );
  t.match(
    lines.find((line) => line.startsWith(ids[4] ?? '-')),
    /,failed,0\.01,,0,,It could not/,
  );
  await engine.close();
});

test('a command waits for a ledger that is being computed, and is answered 423 past the bound', async (t) => {
  const flushes = new Gate();
  const lender = await openTestLender(3, { wrap: (journal) => flushes.before(journal), lockWaitMs: 5_000 });
  const { engine, leader, ids } = lender;
  const operation = operationOf(await engine.execute(command('leader.turnAll', leader, { isHeld: true })));
  const open = flushes.close();
  const resumed = move(engine, 'resume', lender, operation);
  while (engine.world.locks.isFree) await new Promise((resolve) => setImmediate(resolve));
  await engine.mass.idle();
  const [id = ''] = ids;
  await t.rejects(engine.execute(command('follower.turn', id, {})), {
    errorType: 'loanLocked',
    statusCode: 423,
    extra: { data: { lockedByOperationId: operation } },
  } as unknown as Error);
  const waiting = engine.execute(command('follower.turn', id, {}));
  open();
  await Promise.all([waiting, resumed]);
  t.equal((await followerOf(engine, id)).turns, 2, 'a command that waits within the limit is carried out');
  t.ok(engine.world.locks.isFree);
  await engine.close();
});

test('work that meets a bug again and again waits for the next start, and all others go on', async (t) => {
  const lender = await openTestLender(3);
  const { engine, leader, ids, reports } = lender;
  const task = { type: 'command', command: 'follower.turn', body: {}, selection: { kind: 'loan', filter: { bug: true } } };
  const broken = operationOf(await engine.execute(command('leader.turnAll', leader, { task })));
  const bugs = (): number => reports.filter((report) => /A bug in mass work/.test(report)).length;
  for (let ms = 0; ms < 20_000 && (bugs() < 3 || !engine.isWritable); ms += 10) await new Promise((resolve) => setTimeout(resolve, 10));
  t.equal(bugs(), 3);
  const well = operationOf(await engine.execute(command('leader.turnAll', leader, {})));
  await engine.mass.idle();
  await engine.settled();
  t.match(await stateOf(engine, well), { status: 'succeeded', counts: { changed: 3 } });
  t.match(await stateOf(engine, broken), { status: 'running' });
  t.equal(bugs(), 3, 'it is not tried again');
  t.match(await followerOf(engine, ids[0] ?? ''), { turns: 1 });
  await engine.close();
});
