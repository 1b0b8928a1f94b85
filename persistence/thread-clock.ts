/** Readings of both clocks, of which the two that lie closest to each other count. */
const READINGS = 10;

/**
 * How far `hrtime`, the clock of all threads, is ahead of `performance.now` in this one, in milliseconds. Time passes between two readings.
 * This thread's clock is read first: a beat then seems to be sent earlier than it was. If it seemed later, a worker would own units for
 * which its lease has ended.
 */
export function clockOffsetMs(nowMs = (): number => performance.now(), nowNs = (): bigint => process.hrtime.bigint()): number {
  let leastMs = Infinity;
  for (let reading = 0; reading < READINGS; reading += 1) {
    const beforeMs = nowMs();
    leastMs = Math.min(leastMs, Number(nowNs()) / 1e6 - beforeMs);
  }
  return leastMs;
}
