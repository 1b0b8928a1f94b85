import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { KeyValueConflict, KeyValueUnavailable } from '../errors.js';
import { openStreamKeyValue } from '../key-values.js';
import { connectNats } from '../nats.js';
import { type FromHeartbeat, HeartbeatCells, type HeartbeatStart, type ToHeartbeat } from './heartbeat-messages.js';

/*
 * The heartbeat thread. It does nothing else, so its beats come on time while the worker's own thread is busy. It does not keep a worker
 * alive that is stuck for longer than `stallMs`, or whose process is stopped: then this thread is stopped, too.
 */
const start: HeartbeatStart = workerData;
const port = parentPort;
if (port === null) throw new Error('This file is the entry of the heartbeat thread: start it with `ThreadHeartbeat.start`.');
const cells = new HeartbeatCells(start.memory);
const connection = await connectNats(start.nats, start.name);
const records = await openStreamKeyValue({ connection, bucket: start.bucket, mustBeThere: true });
const ending = new AbortController();
let record: Uint8Array | null = null;
let isInConflict = false;
let last: Promise<void> = Promise.resolve();

const send = (message: FromHeartbeat): void => port.postMessage(message);

async function beat(): Promise<void> {
  if (record === null || isInConflict || ending.signal.aborted) return;
  const sentAt = process.hrtime.bigint();
  try {
    const revision = await records.update(start.key, record, Number(cells.get('revision')));
    cells.set('revision', BigInt(revision));
    cells.set('sentAt', sentAt);
  } catch (cause) {
    if (cause instanceof KeyValueUnavailable) {
      cells.set('missed', cells.get('missed') + 1n);
    } else if (cause instanceof KeyValueConflict) {
      isInConflict = true;
      send({ type: 'conflict', key: start.key });
    } else throw cause;
  }
}

/** Runs one beat after the other: each names the revision of the one before. */
function afterLast(run: () => Promise<void> | void): Promise<void> {
  last = last.then(run);
  return last;
}

const handle = (message: ToHeartbeat): Promise<void> => {
  switch (message.type) {
    case 'record':
      return afterLast(async () => {
        record = message.record;
        await beat();
        send({ type: 'beaten', number: message.number });
      });
    case 'resume':
      return afterLast(() => {
        isInConflict = false;
      });
    case 'stop':
      ending.abort();
      return afterLast(async () => {
        await connection.close();
        port.close();
      });
  }
};

port.on('message', (message: ToHeartbeat) => void handle(message));
send({ type: 'ready' });
while (!ending.signal.aborted) {
  await pause(start.beatMs, undefined, { signal: ending.signal }).catch(() => undefined); // rejects only at the end
  const silentMs = Number(process.hrtime.bigint() - cells.get('livedAt')) / 1e6;
  if (silentMs < start.stallMs) await afterLast(beat);
}
