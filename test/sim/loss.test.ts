import { test } from 'tap';
import { SEED } from '../seed.js';
import { LOSS } from './cluster.js';
import { simulate } from './simulation.js';

/** Not in each world records are gone that somebody misses before it ends. */
const WORLDS = 12;
const ENOUGH = 2;
const STEPS = 2_000;
/** What a worker says that has looked for what is gone. */
const NOTICED = /StreamDamaged|JournalShortened|JournalDiverged/;

/*
 * What a server has forgotten nobody can bring back. A worker that has the shard in memory may serve it a while longer; with the next
 * append, or when it reads the shard again, it says what is missing and stops: nobody is shown less than before, and no number is given
 * twice. Workers live in these worlds: what only a dead one knew, newer than all snapshots, nobody can miss.
 */
test('a server that forgets what it has acknowledged is found out before anybody sees it', async (t) => {
  let noticed = 0;
  for (let index = 0; index < WORLDS && noticed < ENOUGH; index++) {
    const seed = (SEED + index) & 0x7fff_ffff;
    const { fault } = await simulate({ seed, steps: STEPS, mode: 'cluster', only: [LOSS], endsUnexamined: true });
    if (fault === null) continue;
    if (!NOTICED.test(fault)) return t.fail(`seed ${seed}: ${fault}`);
    noticed += 1;
  }
  t.comment(`seed ${SEED}: noticed in ${noticed} worlds`);
  t.equal(noticed, ENOUGH);
  return undefined;
});
