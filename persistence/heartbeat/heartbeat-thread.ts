import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { KeyValueConflict, KeyValueUnavailable } from '../errors.js';
import { openStreamKeyValue } from '../key-values.js';
import { connectNats } from '../nats.js';
import { type FromPulse, PulseCells, type PulseStart, type ToPulse } from './pulse-messages.js';

/*
 * The thread of a pulse: it does nothing else, so that its beats come on time while the worker's own thread is busy. It keeps nobody alive
 * who is stuck, or whose process is stopped: then it is stopped with it.
 */
const start = workerData as PulseStart;
const port = parentPort;
if (port === null) throw new Error('This is the thread of a pulse.');
const cells = new PulseCells(start.memory);
const connection = await connectNats(start.nats, start.name);
const records = await openStreamKeyValue({ connection, bucket: start.bucket, mustBeThere: true });
const ending = new AbortController();
let record: Uint8Array | null = null;
let isInConflict = false;
let last: Promise<void> = Promise.resolve();

const say = (message: FromPulse): void => port.postMessage(message);

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
      say({ type: 'conflict', key: start.key });
    } else throw cause;
  }
}

/** One beat after the other: each names the revision of the one before. */
function inTurn(run: () => Promise<void> | void): Promise<void> {
  last = last.then(run);
  return last;
}

const heard: { readonly [T in ToPulse['type']]: (message: Extract<ToPulse, { type: T }>) => Promise<void> } = {
  record: ({ record: next, turn }) =>
    inTurn(async () => {
      record = next;
      await beat();
      say({ type: 'beaten', turn });
    }),
  resume: () =>
    inTurn(() => {
      isInConflict = false;
    }),
  stop: () => {
    ending.abort();
    return inTurn(async () => {
      await connection.close();
      port.close();
    });
  },
};

port.on('message', (message: ToPulse) => void (heard[message.type] as (message: ToPulse) => Promise<void>)(message));
say({ type: 'ready' });
while (!ending.signal.aborted) {
  await pause(start.beatMs, undefined, { signal: ending.signal }).catch(() => undefined); // rejects at the end alone
  const silentMs = Number(process.hrtime.bigint() - cells.get('livedAt')) / 1e6;
  if (silentMs < start.stallMs) await inTurn(beat);
}
