import { jetstreamManager } from '@nats-io/jetstream';
import { test } from 'tap';
import { Refusal, RUNTIME_LIMITS } from '../../../../actors/index.js';
import { openStreamJournal } from '../../../../persistence/index.js';
import { natsServer } from '../../../nats.js';
import { openTestEngine } from './open-engine.js';
import { command, query } from './tally.js';

const STREAM = { name: 'JOURNAL', subjects: 'journal' };
const SHARDS = Array.from({ length: RUNTIME_LIMITS.shards + 1 }, (_, shard) => shard);
const BACK_MS = 30_000;

test('while the stream of the journal is full writes are refused for later and reads go on, and it comes back by itself', async (t) => {
  const connection = await (await natsServer(t)).connect();
  const { engine } = await openTestEngine({
    openJournal: () => openStreamJournal({ connection, stream: STREAM, shards: SHARDS, owner: 'one' }),
  });
  t.teardown(() => engine.close());
  const { data } = await engine.execute(command('tally.create', null, {}));
  const { id } = data as { readonly id: string };
  await engine.execute(command('tally.count', id, { amount: 1 }));

  const manager = await jetstreamManager(connection);
  const { config } = await manager.streams.info(STREAM.name);
  await manager.streams.update(STREAM.name, { ...config, max_bytes: 1024 * 1024 });
  await untilFull(() => engine.execute(command('tally.create', null, { padding: 'x'.repeat(20_000) })));
  for (let tried = 0; tried < 3; tried += 1) {
    const refused: unknown = await engine.execute(command('tally.count', id, { amount: 10 })).catch((cause: unknown) => cause);
    t.ok(isRefusedForLater(refused), String(refused));
    t.match(await engine.query(query('tally.get', id)), { count: 1 }, 'reads go on, and what was refused is seen by nobody');
  }
  t.ok(engine.isWritable, 'it was refused before it was appended');

  await manager.streams.update(STREAM.name, { ...config, max_bytes: -1 });
  for (const until = Date.now() + BACK_MS; ; await new Promise((again) => setTimeout(again, 50))) {
    const answer: unknown = await engine.execute(command('tally.count', id, { amount: 2 })).catch((cause: unknown) => cause);
    if (!isRefusedForLater(answer) || Date.now() > until) break;
  }
  t.match(await engine.query(query('tally.get', id)), { count: 3 });
});

const isRefusedForLater = (answer: unknown): boolean =>
  answer instanceof Refusal && answer.errorType === 'unavailable' && Number(answer.retryAfterSeconds) > 0;

async function untilFull(write: () => Promise<unknown>): Promise<void> {
  for (let written = 0; written < 100; written += 1) {
    const answer: unknown = await write().catch((cause: unknown) => cause);
    if (isRefusedForLater(answer)) return;
    if (answer instanceof Error) throw answer;
    await new Promise((again) => setTimeout(again, 50)); // the limit is seen within a second
  }
  throw new Error('the stream has taken more than its limit');
}
