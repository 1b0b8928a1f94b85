import { test } from 'tap';
import type { Journal, KeyValue, Snapshots } from '../../actors/index.js';
import { SEED } from '../random.js';
import { LIMITS } from './limits.js';
import type { Plant } from './scenario.js';
import { simulate } from './simulation.js';

/*
 * Each thing that the simulator looks at can be seen to go wrong: with the fault built in, one of a few worlds shows it.
 */

const STEPS = 4_000;

/** What the first world tells in which the fault shows. */
async function found(plant: Plant): Promise<string | null> {
  for (let place = 0; place < LIMITS.seedsUntilFound; place++) {
    const { fault } = await simulate({ seed: (SEED + place) & 0x7fff_ffff, steps: STEPS, plant });
    if (fault !== null) return fault;
  }
  return null;
}

/** Resolves as soon as it has the batch in hand. */
function acknowledgingBeforeFlush(journal: Journal): Journal {
  let last: Promise<void> = Promise.resolve();
  return {
    append: async (blocks) => {
      last = last.then(() => journal.append(blocks));
      last.catch(() => undefined); // whoever comes next is told
    },
    read: (after) => journal.read(after), heads: () => journal.heads(), hasRoom: () => journal.hasRoom(), close: () => journal.close(),
  };
}

/** Snapshots of which one environment forgets what is written under keys that begin so. */
const forgetting = (environment: 'actors' | 'events' | 'replies', prefix: string, isForgotten: () => boolean = () => true) => (snapshots: Snapshots): Snapshots => {
  const forgetful = (store: KeyValue): KeyValue => ({
    get: (key) => store.get(key),
    range: (options) => store.range(options),
    write: (entries) => store.write([...entries].filter(([key]) => !key.startsWith(prefix) || !isForgotten())),
    close: () => store.close(),
  });
  return {
    get actors() { return environment === 'actors' ? forgetful(snapshots.actors) : snapshots.actors; },
    get events() { return environment === 'events' ? forgetful(snapshots.events) : snapshots.events; },
    get replies() { return environment === 'replies' ? forgetful(snapshots.replies) : snapshots.replies; },
    rebuilt: snapshots.rebuilt,
    rebuild: (name) => snapshots.rebuild(name),
    close: () => snapshots.close(),
  };
};

let writes = 0;
const everySecond = (): boolean => (writes += 1) % 2 === 0;

const FAULTS: readonly (readonly [what: string, plant: Plant])[] = [
  ['a journal that acknowledges before it has flushed', { journal: acknowledgingBeforeFlush }],
  ['replies that are forgotten', { snapshots: forgetting('replies', 'r/') }],
  ['events that are forgotten', { snapshots: forgetting('events', 'e/', everySecond) }],
  ['loans that are stored as they were before', { snapshots: forgetting('actors', 'a/', everySecond) }],
];

for (const [what, plant] of FAULTS) {
  test(`it finds ${what}`, async (t) => {
    const fault = await found(plant);
    t.comment(`seed ${SEED}: ${fault?.split('\n')[0]}`);
    t.ok(fault !== null);
  });
}
