import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { type Test, test } from 'tap';
import { addBench } from '../../bench/cli/commands/bench.js';
import { type Benchmark, budgetText, isMissed, type Measure } from '../../bench/measure/benchmark.js';
import { BENCHMARKS } from '../../bench/measure/run.js';
import { access } from '../../wiring/index.js';
import { tempFolder } from '../temp-folder.js';
import type { Ended } from './tenor.js';
import { listened } from './tenor-here.js';

const measuring = (name: string, measure: Measure, needed: readonly string[] = []): Benchmark => ({
  name,
  title: `Measures ${name}`,
  size: null,
  needs: () => needed,
  run: () => Promise.resolve([measure]),
});

const KEPT: Measure = { name: 'took', value: 5, unit: 'ms', budget: { atMost: 5 } };
const LATE: Measure = { name: 'took', value: 5.1, unit: 'ms', budget: { atMost: 5, forLoans: 1_000_000 } };
const SLOW: Measure = { name: 'done', value: 19_999, unit: 'loans/s', budget: { atLeast: 20_000 } };

/** `tenor bench` with benchmarks of its own. */
async function bench(
  t: Test,
  benchmarks: readonly Benchmark[],
  ...parameters: readonly string[]
): Promise<Ended & { readonly results: string }> {
  const results = join(tempFolder(t), 'results');
  const program = new Command().exitOverride();
  addBench(program, access, benchmarks);
  const [out, error] = [listened(process.stdout), listened(process.stderr)];
  try {
    await program.parseAsync(['bench', ...parameters, '--results', results], { from: 'user' });
    return { code: Number(process.exitCode), out: out.end(), error: error.end(), results };
  } finally {
    for (const stream of [out, error]) stream.end();
    process.exitCode = 0;
  }
}

test('a budget that is missed is marked, and ends with 1 under --check alone', async (t) => {
  const all = [measuring('kept', KEPT), measuring('late', LATE), measuring('slow', SLOW)];
  const kept = await bench(t, all, 'kept', '--check');
  t.equal(kept.code, 0);
  t.match(kept.out, /took\s+5\s+ms\s+<= 5\n/);
  t.notMatch(kept.out, 'MISSED');
  const late = await bench(t, all, 'late', '--check');
  t.equal(late.code, 1);
  t.match(late.out, /MISSED <= 5, for 1,000,000 loans/);
  t.ok(existsSync(join(late.results, 'late.json')), 'its figures are kept');
  t.equal((await bench(t, all, 'late')).code, 0, 'without --check');
  const whole = await bench(t, all, 'all', '--check', '--json');
  t.equal(whole.code, 1, 'one of several');
  t.match(JSON.parse(whole.out), [{ name: 'kept' }, { name: 'late' }, { name: 'slow' }]);
});

test('a budget has a bound on either side, and a figure at the bound keeps it', async (t) => {
  t.strictSame([KEPT, LATE, SLOW].map(isMissed), [false, true, true]);
  t.equal(isMissed({ name: 'took', value: 1e9, unit: 'ms' }), false, 'without a budget');
  t.equal(budgetText({ ...KEPT, budget: { atLeast: 2, atMost: 5 } }), '<= 5 and >= 2');
  t.equal(budgetText(SLOW), 'MISSED >= 20,000');
});

test('a benchmark that needs a program that is not there says how to get it, before it begins', async (t) => {
  const absent: Benchmark = { ...measuring('absent', KEPT, ['no-such-server']), run: () => Promise.reject(new Error('it has begun')) };
  const { code, out, error, results } = await bench(t, [absent], 'absent');
  t.equal(code, 2);
  t.equal(error, 'no-such-server is not on this machine: "npm run servers" fetches it below .servers/, without installing it.\n');
  t.equal(out, '');
  t.notOk(existsSync(results));
});

test('each benchmark of clusters needs nats-server where workers are asked for', async (t) => {
  const needs = (workers: readonly number[]): readonly string[] =>
    BENCHMARKS.filter((benchmark) => benchmark.needs?.({ workers }).includes('nats-server')).map(({ name }) => name);
  const some = needs([0, 2]);
  for (const name of ['mass', 'statements', 'campaigns', 'streams', 'tapes', 'cluster', 'takeover']) t.ok(some.includes(name), name);
  t.notOk(needs([0]).includes('mass'), 'one process needs none');
});
