import { test } from 'tap';
import { SEED } from '../seed.js';
import { LOSS } from './cluster.js';
import { simulate } from './simulation.js';

/** Not in each world lost records are missed before it ends. */
const WORLDS = 12;
const ENOUGH = 2;
const STEPS = 2_000;
/** What a worker reports that has found records missing. */
const NOTICED = /StreamDamaged|JournalShortened|JournalDiverged/;

/*
 * Records that a server has lost cannot be restored. A worker that has the shard in memory may serve it a while longer; with the next
 * append, or when it reads the shard again, it reports what is missing and stops: no reader sees less than before, and no number is given
 * twice. Workers stay alive in these worlds: records newer than all snapshots that only a dead worker knew cannot be missed.
 */
test('the loss of acknowledged records is detected before any reader sees it', async (t) => {
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
