/** Number of readings of both clocks; the closest pair counts. */
const READINGS = 10;

/**
 * How far `hrtime`, the clock of all threads, is ahead of `performance.now` of this thread, in milliseconds. Time passes between two
 * readings. This thread's clock is read first, so that a beat appears to be sent earlier than it was. If it appeared later, a worker could
 * believe that it owns units after its lease has ended.
 */
export function clockOffsetMs(nowMs = (): number => performance.now(), nowNs = (): bigint => process.hrtime.bigint()): number {
  let leastMs = Infinity;
  for (let reading = 0; reading < READINGS; reading += 1) {
    const beforeMs = nowMs();
    leastMs = Math.min(leastMs, Number(nowNs()) / 1e6 - beforeMs);
  }
  return leastMs;
}
