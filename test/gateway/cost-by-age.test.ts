import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';
import { openOldLender } from '../../bench/measure/old-loans.js';
import { Client } from '../../bench/cli/service-client.js';
import { countBlocks } from '../executed-blocks.js';
import { openHttpLender } from './routes/http-lender.js';

/*
 * What a call costs may not grow with the age of what it is about. `npm run bench -- age` measures times; here the executed blocks of the
 * product are counted, which are the same on each machine.
 */

const CONNECTIONS = 16;
const YOUNG = 100;
const OLD = 1_000;
/** Calls that are counted together, and how often: the lowest count is without other work. */
const CALLS = 16;
const ROUNDS = 4;
/** The service rests when it runs fewer blocks in so many milliseconds; it does after a while, at most after so many looks. */
const RESTING_BLOCKS = 500;
const LOOK_MS = 20;
const LOOKS = 500;
/** Blocks that a call may cost more for each entry more: whatever looks at each of them costs several. */
const MOST = 1;

/** All entries are of one day, and so in the week that the law looks at, among the rows of a filter, and behind the last finished day. */
const OF_THE_DAY: ReadonlySet<string> = new Set([
  'installment loan: page of failed transactions',
  'loan with scheduled interest: page of failed transactions',
  'loan with cumulative recalculation: page of failed transactions',
  'borrower: check of a contact',
  ...['installment loan', 'loan with scheduled interest', 'loan with cumulative recalculation', 'line of credit'].map(
    (loan) => `${loan}: page of ten lines of the activity`,
  ),
]);

async function inLanes(from: number, to: number, run: (at: number) => Promise<unknown>): Promise<void> {
  let next = from;
  const lane = async (): Promise<void> => {
    while (next < to) await run(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}

type CountBlocks = Awaited<ReturnType<typeof countBlocks>>;

/** The lowest count of the work, each time when snapshots and daily work of what grew before are done. */
async function lowest(blocksOf: CountBlocks, work: () => Promise<void>): Promise<number> {
  let blocks = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let look = 0; look < LOOKS && (await blocksOf(() => pause(LOOK_MS))) > RESTING_BLOCKS; look += 1);
    blocks = Math.min(blocks, await blocksOf(work));
  }
  return blocks;
}

test('a call costs the same on an object with a hundred entries and with a thousand', async (t) => {
  const blocksOf = await countBlocks(t); // before the functions are compiled
  const { port, keys } = await openHttpLender(t, 'oneProcess');
  const client = new Client(port, keys.test, CONNECTIONS);
  t.teardown(() => client.close());
  const { aging, warming } = await openOldLender(client, '2020-01-03');
  for (const { grow, measured } of warming) {
    await inLanes(0, YOUNG, grow);
    for (const { run } of measured) await inLanes(0, CALLS, run);
  }
  const costs = new Map<string, number[]>();
  let length = 0;
  for (const size of [YOUNG, OLD]) {
    for (const { grow } of aging) await inLanes(length, size, grow);
    length = size;
    for (const { name, measured } of aging)
      for (const { name: call, run } of measured) {
        if (OF_THE_DAY.has(`${name}: ${call}`)) continue;
        const blocks = await lowest(blocksOf, () => inLanes(0, CALLS, run));
        costs.set(`${name}: ${call}`, [...(costs.get(`${name}: ${call}`) ?? []), blocks]);
      }
  }
  for (const [call, [young = 0, old = 0]] of costs) {
    const more = (old - young) / CALLS;
    t.ok(young > 0 && more < MOST * (OLD - YOUNG), `${call}: ${Math.round(young / CALLS)} blocks, and ${Math.round(more)} more`);
  }
});
