import { test } from 'tap';
import type { Journal, KeyValue, Snapshots } from '../../actors/index.js';
import { NotTaken, Overtaken, type StreamServer } from '../../persistence/index.js';
import { SEED } from '../seed.js';
import { LIMITS } from './limits.js';
import type { Plant } from './scenario.js';
import { type Mode, simulate } from './simulation.js';

/*
 * Each check of the simulator can fail: with the fault built in, one of a few worlds shows it.
 */

const STEPS = 4_000;
/** Events of worlds in which the fault shows before their end. */
const LONG = 6_000;

const CUT_OFF = 'a worker is cut off from the server';
const ZOMBIES = ['a worker is stopped and goes on', 'the way to the server changes'];

/** The fault that the first failing world reports. */
async function found({ mode, plant, only, hasNoFollowers = false }: Planted): Promise<string | null> {
  const how = only === undefined ? { mode, plant, steps: STEPS } : { mode, plant, only, hasNoFollowers, steps: LONG, endsUnexamined: true };
  for (let index = 0; index < LIMITS.seedsUntilFound; index++) {
    const { fault } = await simulate({ ...how, seed: (SEED + index) & 0x7fff_ffff });
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
      last.catch(() => undefined); // the next append gets the error
    },
    read: (after) => journal.read(after),
    heads: () => journal.heads(),
    hasRoom: (waitingBytes) => journal.hasRoom(waitingBytes),
    close: () => journal.close(),
  };
}

/** Snapshots of which one environment drops entries whose keys begin with the prefix. */
const forgetting =
  (environment: 'actors' | 'events' | 'replies', prefix: string, isForgotten: () => boolean = () => true) =>
  (snapshots: Snapshots): Snapshots => {
    const forgetful = (store: KeyValue): KeyValue => ({
      get: (key) => store.get(key),
      look: (key, read) => store.look(key, read),
      range: (options) => store.range(options),
      write: (entries) => store.write([...entries].filter(([key]) => !key.startsWith(prefix) || !isForgotten())),
      close: () => store.close(),
    });
    return {
      get actors() {
        return environment === 'actors' ? forgetful(snapshots.actors) : snapshots.actors;
      },
      get events() {
        return environment === 'events' ? forgetful(snapshots.events) : snapshots.events;
      },
      get replies() {
        return environment === 'replies' ? forgetful(snapshots.replies) : snapshots.replies;
      },
      rebuilt: snapshots.rebuilt,
      rebuild: (name) => snapshots.rebuild(name),
      close: () => snapshots.close(),
    };
  };

let writes = 0;
const everySecond = (): boolean => (writes += 1) % 2 === 0;

/** Sends a refused message again behind what has come meanwhile, as if it were the only writer. */
const unfenced = (server: StreamServer): StreamServer => ({
  ...server,
  publish: async (message) => {
    for (let { follows } = message; ; follows = (await server.last(message.subject))?.sequence ?? 0) {
      try {
        return await server.publish({ ...message, follows });
      } catch (cause) {
        if (!(cause instanceof Overtaken)) throw cause;
      }
    }
  },
});

/** Sends an unacknowledged message again, as another message. */
const sendingTwice = (server: StreamServer): StreamServer => ({
  ...server,
  publish: async ({ messageId: _id, ...message }) => {
    try {
      return await server.publish(message);
    } catch (cause) {
      if (cause instanceof Overtaken || cause instanceof NotTaken) throw cause;
      return server.publish({ ...message, follows: (await server.last(message.subject))?.sequence ?? 0 });
    }
  },
});

interface Planted {
  readonly what: string;
  readonly mode: Mode;
  readonly plant: Plant;
  /** The other faults of the world, where not all of them happen: in a long world. */
  readonly only?: readonly string[];
  /** No event readers, which would show it first. */
  readonly hasNoFollowers?: boolean;
}

const FAULTS: readonly Planted[] = [
  { what: 'a journal that acknowledges before it has flushed', mode: 'process', plant: { journal: acknowledgingBeforeFlush } },
  { what: 'replies that are forgotten', mode: 'process', plant: { snapshots: forgetting('replies', 'r/') } },
  { what: 'events that are forgotten', mode: 'process', plant: { snapshots: forgetting('events', 'e/', everySecond) } },
  { what: 'loans that are stored as they were before', mode: 'process', plant: { snapshots: forgetting('actors', 'a/', everySecond) } },
  {
    what: 'a writer that does not mind that another has come',
    mode: 'cluster',
    plant: { stream: unfenced, ignoresLeases: true },
    only: ZOMBIES,
  },
  {
    what: 'events sent by a worker that believes for ever that it holds its units',
    mode: 'cluster',
    plant: { leasesNeverEnd: true },
    only: [CUT_OFF],
  },
  {
    what: 'loans shown by a worker that believes for ever that it holds its units',
    mode: 'cluster',
    plant: { leasesNeverEnd: true },
    only: [CUT_OFF],
    hasNoFollowers: true,
  },
  {
    what: 'a writer that sends again what may have arrived',
    mode: 'cluster',
    plant: { stream: sendingTwice },
    only: ['the way to the server changes', 'a worker is killed'],
  },
];

for (const planted of FAULTS) {
  test(`it finds ${planted.what}`, async (t) => {
    const fault = await found(planted);
    t.comment(`seed ${SEED}: ${fault?.split('\n')[0]}`);
    t.ok(fault !== null);
  });
}
