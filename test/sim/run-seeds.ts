import { parseArgs } from 'node:util';
import { LIMITS } from './limits.js';
import { simulate } from './simulation.js';

/*
 * Runs simulated worlds and reports the first condition that does not hold, with the seed that reproduces it:
 *
 *   npm run sim -- SEED [--steps N] [--trace]    one world
 *   npm run sim -- [--seeds N] [--steps N]       worlds of fresh seeds
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'string', default: String(LIMITS.steps) },
    seeds: { type: 'string', default: String(LIMITS.seeds) },
    trace: { type: 'boolean', default: false },
  },
});

const first = Number(positionals[0] ?? Math.floor(Math.random() * 0x7000_0000));
const seeds = positionals.length > 0 ? 1 : Number(values.seeds);
for (let seed = first; seed < first + seeds; seed++) {
  const begun = performance.now();
  const { fault, ...counts } = await simulate({
    seed,
    steps: Number(values.steps),
    ...(values.trace ? { onLine: (line: string) => console.log(line) } : {}),
  });
  const stepsPerSecond = Math.round((counts.steps * 1000) / (performance.now() - begun));
  console.log(
    Object.entries({ ...counts, stepsPerSecond })
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  );
  if (fault === null) continue;
  console.log(`${fault}\n\nnpm run sim -- ${seed} --steps ${values.steps} --trace`);
  process.exitCode = 1;
  break;
}
