import { test } from 'tap';
import { SEED } from '../seed.js';
import { simulate } from './simulation.js';

/** Worlds of fresh seeds in this run, and events of each: some minutes with TENOR_SIM_SEEDS=200 TENOR_SIM_STEPS=20000. */
const SEEDS = Number(process.env['TENOR_SIM_SEEDS'] ?? 6);
const STEPS = Number(process.env['TENOR_SIM_STEPS'] ?? 4_000);

test('a seed gives the same world each time', async (t) => {
  const [one, other] = [await simulate({ seed: SEED, steps: 3_000 }), await simulate({ seed: SEED, steps: 3_000 })];
  t.same(one, other);
  t.not((await simulate({ seed: SEED + 1, steps: 3_000 })).digest, one.digest);
});

test('whatever happens to the service, what was acknowledged is kept, and once', async (t) => {
  let commands = 0;
  let disturbances = 0;
  for (let index = 0; index < SEEDS; index++) {
    const seed = (SEED + index) & 0x7fff_ffff;
    const result = await simulate({ seed, steps: STEPS });
    commands += result.commands;
    disturbances += result.disturbances;
    if (result.fault !== null) return t.fail(`npm run sim -- ${seed} --steps ${STEPS} --trace\n${result.fault}`);
  }
  t.comment(`seed ${SEED}: ${commands} commands through ${disturbances} disturbances`);
  t.ok(commands > 0 && disturbances > 0);
  return undefined;
});
