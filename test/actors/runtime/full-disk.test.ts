import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';
import { LIMITS } from '../../../actors/runtime/limits.js';
import { TroubledFiles } from '../../persistence/troubled-files.js';
import { openTestEngine } from './open-engine.js';
import { command, query } from './tally.js';

/** Longer than the journal tries a full disk for an append that cannot do without. */
const LONG_MS = 8_000;

test('on a full disk large commands at once are stored or refused, and none of them makes memory drop what it has', async (t) => {
  const disk = new TroubledFiles();
  const { engine, reports } = await openTestEngine({ files: disk });
  await engine.execute(command('tally.create', null, {}));
  disk.isFull = true;
  const outcomes: string[] = [];
  const create = async (number: number): Promise<void> => {
    const externalId = `${number}-${'x'.repeat(1_500)}`;
    await engine.execute(command('tally.create', null, { externalId })).then(
      () => outcomes.push('stored'),
      (cause: unknown) => outcomes.push((cause as { errorType?: string }).errorType ?? String(cause)),
    );
  };
  // Together fewer bytes than a segment: what is accepted while it is not yet known that the disk is full fits into the one in use.
  for (let round = 0; round < 40; round += 1) await Promise.all(Array.from({ length: 10 }, (_, number) => create(round * 10 + number)));
  t.same([...new Set(outcomes)].sort(), ['stored', 'unavailable']);
  await pause(LONG_MS);
  t.same(
    reports.filter((report) => /flush of the journal failed|computed again|cannot be opened/.test(report)),
    [],
  );
  const listed = (await engine.query(query('tally.list', null))) as readonly string[];
  t.ok(listed.length > 1);
  disk.isFull = false;
  while (
    !(await engine.execute(command('tally.create', null, {})).then(
      () => true,
      () => false,
    ))
  )
    await pause(LIMITS.roomRetryMs);
  await engine.close();
});
