import { test } from 'tap';
import { clockOffsetMs } from '../../../persistence/heartbeat/thread-clock.js';

test('a beat never appears to be sent later than it was, even when the process is delayed between two clocks', (t) => {
  const AHEAD_MS = 1_000;
  for (const delays of [[0], [5_000], [5_000, 0, 3], [2, 5_000]]) {
    let atMs = 10;
    let readings = 0;
    const nowMs = (): number => atMs;
    const nowNs = (): bigint => BigInt(((atMs += delays[readings++ % delays.length] ?? 0) + AHEAD_MS) * 1e6);
    t.equal(clockOffsetMs(nowMs, nowNs), AHEAD_MS + Math.min(...delays), `${delays.join(', ')} ms between the readings`);
  }
  t.end();
});
