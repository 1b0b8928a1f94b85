import { Session } from 'node:inspector/promises';
import type { Test } from 'tap';

/**
 * Counts the blocks of the product's functions that run while some work is done, until the end of the test. The count is the same on each
 * machine. Call it before the functions are compiled.
 */
export async function countBlocks(t: Test): Promise<(work: () => unknown) => Promise<number>> {
  const session = new Session();
  session.connect();
  t.teardown(() => session.disconnect());
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return async (work) => {
    await session.post('Profiler.takePreciseCoverage'); // counts begin at zero
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    let blocks = 0;
    for (const { url, functions } of result)
      if (/\/dist\/(actors|engine|gateway|persistence)\//.test(url))
        for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
    return blocks;
  };
}
