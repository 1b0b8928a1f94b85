import { test } from 'tap';
import { RUNTIME_LIMITS } from '../../actors/index.js';
import { idOf, openHttpLender } from '../gateway/routes/http-lender.js';
import { TroubledFiles } from '../persistence/troubled-files.js';
import { NAME } from '../people.js';

const CALLERS = 24;
const EACH = 4;
const SLOW_MS = 200;
/** A margin for a busy machine, in milliseconds. */
const BUSY_MS = 15_000;

test('on a disk that takes 200 ms a flush everything is answered, later, and is there after a restart', async (t) => {
  const disk = new TroubledFiles();
  const { h, ask } = await openHttpLender(t, 'oneProcess', { files: disk });
  disk.flushMs = SLOW_MS;
  const before = disk.flushes;
  const tookMs: number[] = [];
  const made: string[] = [];
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (let count = 0; count < EACH; count += 1) {
        const begunMs = performance.now();
        made.push(idOf(await ask('POST', '/people', { name: NAME })));
        tookMs.push(performance.now() - begunMs);
      }
    }),
  );
  tookMs.sort((one, other) => one - other);
  t.ok((tookMs[0] ?? 0) >= SLOW_MS, 'nothing is answered before its flush');
  const flushes = disk.flushes - before;
  t.ok(
    flushes < (CALLERS * EACH) / 2,
    `those who wait share their flushes: ${flushes} for ${CALLERS * EACH}, ${Math.round(tookMs.at(-1) ?? 0)} ms at most`,
  );
  disk.flushMs = 0;
  h.forgetSnapshots();
  await h.restart();
  for (const id of made) t.match(await h.query('person.get', id), { id });
});

test('what waits for a disk that hangs is refused within its bound, and what was accepted is answered when it goes on', async (t) => {
  const disk = new TroubledFiles();
  const { ask } = await openHttpLender(t, 'oneProcess', { files: disk });
  const person = idOf(await ask('POST', '/people', { name: NAME }));
  const release = disk.hang();
  const written = ask('PUT', `/people/${person}`, { name: { firstName: 'Ada', lastName: 'Verde' } });
  let begunMs = performance.now();
  let read = await ask('GET', `/people/${person}`);
  for (; read.status === 200; read = await ask('GET', `/people/${person}`)) {
    // The write is not durable yet.
    t.notMatch(read.text, /Verde/, 'no answer shows what a crash could undo');
    begunMs = performance.now();
  }
  t.equal(read.status, 503);
  t.ok(Number(read.headers['retry-after']) > 0);
  t.ok(performance.now() - begunMs < RUNTIME_LIMITS.readWaitMs + BUSY_MS);
  release();
  t.equal((await written).status, 200);
  t.match((await ask('GET', `/people/${person}`)).json, { data: { name: { firstName: 'Ada' } } });
});

test('on a full disk writes are refused before anything is stored, reads go on, and it goes on by itself once there is room', async (t) => {
  const disk = new TroubledFiles();
  const { h, ask } = await openHttpLender(t, 'oneProcess', { files: disk });
  disk.isFull = true;
  const made: string[] = [];
  let refused = await ask('POST', '/people', { name: NAME });
  for (; refused.status === 200; refused = await ask('POST', '/people', { metaData: { note: 'x'.repeat(400) }, name: NAME }))
    made.push(idOf(refused));
  t.match(refused, { status: 503, json: { errorType: 'unavailable' } });
  t.ok(Number(refused.headers['retry-after']) > 0);
  for (const id of made.slice(-20)) t.equal((await ask('GET', `/people/${id}`)).status, 200, 'reads go on');
  t.equal((await ask('GET', '/people?limit=1')).json['total'], made.length, 'nothing is half there');
  disk.isFull = false;
  let again = await ask('POST', '/people', { name: NAME });
  for (; again.status === 503; again = await ask('POST', '/people', { name: NAME }))
    await new Promise((resolve) => setTimeout(resolve, 50));
  t.equal(again.status, 200);
  h.forgetSnapshots();
  await h.restart();
  t.match(await h.query('person.list', null, { limit: 1 }), { total: made.length + 1 });
});
