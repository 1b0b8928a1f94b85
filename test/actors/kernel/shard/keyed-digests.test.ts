import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { ClockHistory, type ClockRequest } from '../../../../actors/kernel/shard/clock-history.js';
import { withKeyedDigest } from '../../../../actors/kernel/shard/body-digest.js';
import { openTestEngine } from './open-engine.js';
import { command, type Tally } from './tally.js';

const plainOf = (body: unknown): string => createHash('sha256').update(JSON.stringify(body)).digest('hex');

function filesOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
}

test('nothing that is stored has the plain digest of a body, and a retry is recognized after a restart', async (t) => {
  const first = await openTestEngine();
  const { id } = (await first.engine.execute(command('tally.create', null, {}))).data as Tally;
  const counted = { amount: 4 };
  const clock = { name: 'a clock' };
  await first.engine.execute(command('tally.count', id, counted, 'count-1'));
  const made = (await first.engine.execute(command('testClock.create', null, clock, 'clock-1'))).data;
  await first.engine.snapshot();
  await first.engine.close();
  const stored = filesOf(first.folder);
  for (const key of ['count-1', 'clock-1']) t.ok(stored.includes(key), `${key} is stored`);
  for (const body of [counted, clock]) t.notOk(stored.includes(plainOf(body)), `no digest of ${JSON.stringify(body)}`);
  const again = await openTestEngine({ folder: first.folder, clock: first.clock });
  t.match(await again.engine.execute(command('tally.count', id, counted, 'count-1')), { replayed: true });
  t.match(await again.engine.execute(command('testClock.create', null, clock, 'clock-1')), { replayed: true, data: made });
  const conflict = { errorType: 'idempotencyConflict' } as unknown as Error;
  await t.rejects(again.engine.execute(command('testClock.create', null, { name: 'another' }, 'clock-1')), conflict);
  await again.engine.close();
});

test('a request to a clock that an earlier release has stored with a plain digest is recognized', (t) => {
  const body = { to: '2026-03-12' };
  const history = new ClockHistory();
  const asked = { commandId: 'clock-1', digest: plainOf(body) };
  const stored: ClockRequest = {
    did: 'move',
    asked,
    clockId: 'TI-TEST-TEST',
    name: null,
    at: 0,
    from: 0,
    to: 1,
    operationId: 'operation',
    movedAt: 1,
    isDone: true,
  };
  history.add('tenant', stored);
  const request = (sent: object, key: string) =>
    withKeyedDigest(command('testClock.advance', 'TI-TEST-TEST', sent, key), Buffer.alloc(32, 7));
  t.strictSame(history.firstTry('tenant', request(body, 'clock-1')), stored);
  t.equal(history.firstTry('tenant', request(body, 'clock-2')), undefined);
  t.throws(() => history.firstTry('tenant', request({ to: '2026-03-13' }, 'clock-1')), {
    errorType: 'idempotencyConflict',
  } as unknown as Error);
  t.end();
});
