import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Random } from '../random.js';
import { EQUIVALENT, isEquivalent, staleIn } from './equivalent.js';
import { type Mistake, mistakesOf } from './mistakes.js';
import { hasRun, measureTests, runAttempt, type TestFile } from './reach.js';
import { moduleOf, type Result, table } from './table.js';

/*
 * Do the tests of the engine find mistakes? Plants one mistake after the other and says which ones no test notices:
 *
 *     npm run mutate -- --sample 500                      any mistakes of the engine
 *     npm run mutate -- --sample 100 --module money       of one module; may be given several times
 *     npm run mutate -- engine/ledger/line/digest.ts:40          all mistakes of the places that contain one of these
 *
 * See docs/testing.md.
 */

const USAGE = 'npm run mutate -- [--sample N] [--seed N] [--module NAME]... [--runs N] [--again N] [PART OF A PLACE]...';

/** Histories of random tests, instead of 300: the first few show most mistakes. */
const RUNS = 20;

/** The seed of random tests is fixed, so that the measurement of which tests run which code stays valid for other samples. */
const SEED_OF_TESTS = '1';

/** How many mistakes are planted by default. */
const SAMPLE = 500;

const root = join(import.meta.dirname, '../../..');
const { values: flags, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    module: { type: 'string', multiple: true, default: [] },
    runs: { type: 'string', default: String(RUNS) },
    again: { type: 'string', default: '0' },
  },
});
const wholeNumber = (name: string, text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  console.error(`--${name} takes a whole number, not ${text}.\n${USAGE}`);
  process.exit(1);
};
const seed = wholeNumber('seed', flags.seed);
const runs = wholeNumber('runs', flags.runs);
const again = wholeNumber('again', flags.again);
const wanted = flags.sample === undefined ? (parts.length > 0 ? Number.POSITIVE_INFINITY : SAMPLE) : wholeNumber('sample', flags.sample);

const environmentOf = (histories: number): Readonly<Record<string, string>> => ({
  TENOR_SEED: SEED_OF_TESTS,
  TENOR_RUNS: String(histories),
});
const environment = environmentOf(runs);
const startedAt = performance.now();
const candidates = allMistakes();
const tests = await measureTests({ root, environment }, (line) => console.log(line));
const mistakes = sample(candidates.filter(isWanted), wanted, new Random(seed));
if (mistakes.length === 0) {
  console.error(`No mistake matches these paths and modules.\n${USAGE}`);
  process.exit(1);
}
console.log(
  `${mistakes.length} of ${candidates.length} mistakes, seed ${seed}, random tests with ${runs} histories` +
    (again > runs ? `, then ${again}` : ''),
);
const results: Result[] = [];
/** How often a test has noticed a mistake of a source: it runs first for the next mistake there. */
const noticed = new Map<string, number>();
/** By test file: whether it passes with the larger number of histories without a mistake. */
const isFit = new Map<string, boolean>();
for (const mistake of mistakes) {
  const result = await plant(mistake);
  results.push(result);
  if (result.verdict !== 'found') console.log(describe(result));
}
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
console.log(`\n${table(results)}\n\n${minutes} minutes`);

function allMistakes(): readonly Mistake[] {
  const sources = readdirSync(join(root, 'engine'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `engine/${name}`)
    .sort();
  const all = sources.flatMap((file) => mistakesOf(file, join(root, compiledOf(file))));
  const stale = staleIn(all);
  if (stale.length === 0) return all;
  const advice = 'Entries of test/mutation/equivalent.ts match no line of the engine. Update or delete them:';
  console.error(`${advice}\n${JSON.stringify(stale, null, 2)}`);
  return process.exit(1);
}

function isWanted(mistake: Mistake): boolean {
  if (flags.module.length > 0 && !flags.module.includes(moduleOf(mistake))) return false;
  return parts.length === 0 || parts.some((part) => locationOf(mistake).includes(part));
}

/** A random sample of `count` mistakes, in the order of the sources. */
function sample(all: readonly Mistake[], count: number, random: Random): readonly Mistake[] {
  const left = all.map((mistake, at) => ({ mistake, at }));
  for (let at = 0; at < Math.min(count, left.length); at += 1) {
    const other = at + random.below(left.length - at);
    [left[at], left[other]] = [left[other], left[at]] as [(typeof left)[0], (typeof left)[0]];
  }
  return left
    .slice(0, count)
    .sort((a, b) => a.at - b.at)
    .map(({ mistake }) => mistake);
}

async function plant(mistake: Mistake): Promise<Result> {
  const equivalent = EQUIVALENT.find((entry) => isEquivalent(mistake, entry));
  if (equivalent !== undefined) return { mistake, verdict: 'changes nothing', by: '' };
  const module = compiledOf(mistake.file);
  const reaching = tests.filter((test) => hasRun(test, module, mistake.probe)).sort((a, b) => rank(a, mistake) - rank(b, mistake));
  if (reaching.length === 0) return { mistake, verdict: 'not run', by: '' };
  const first = await attempt(mistake, reaching, runs);
  const { code, last, output } = first.code === 0 && again > runs ? await attemptAgain(mistake, reaching) : first;
  if (code === 0) return { mistake, verdict: 'not noticed', by: '' };
  // Packages are being installed, or memory is short: this is no result of the tests.
  if (last === '') throw new Error(`The tests could not be started:\n${output.slice(-4000)}`);
  noticed.set(keyOf(last, mistake), (noticed.get(keyOf(last, mistake)) ?? 0) + 1);
  return { mistake, verdict: code === null ? 'found by time' : 'found', by: last };
}

type Outcome = Awaited<ReturnType<typeof runAttempt>>;

function attempt(mistake: Mistake | null, some: readonly TestFile[], histories: number): Promise<Outcome> {
  const planted =
    mistake === null
      ? null
      : {
          url: pathToFileURL(join(root, compiledOf(mistake.file))).href,
          start: mistake.start,
          end: mistake.end,
          text: mistake.after,
        };
  const ordered = some.map(({ file, seconds }) => ({ file: join(root, file), seconds: secondsAllowed((seconds * histories) / runs) }));
  return runAttempt({ root, environment: environmentOf(histories) }, { mistake: planted, tests: ordered });
}

/** Runs with the histories of `--again`. A test that fails with them without a mistake is left out. */
async function attemptAgain(mistake: Mistake, reaching: readonly TestFile[]): Promise<Outcome> {
  for (;;) {
    const fit = reaching.filter(({ file }) => isFit.get(file) !== false);
    const outcome = await attempt(mistake, fit, again);
    const test = fit.find(({ file }) => file === outcome.last);
    if (outcome.code === 0 || test === undefined) return outcome;
    if (!isFit.has(test.file)) {
      const { code, output } = await attempt(null, [test], again);
      isFit.set(test.file, code === 0);
      if (code !== 0) console.log(`left out, since it fails without a mistake: ${test.file}\n${output.slice(-2000)}`);
    }
    if (isFit.get(test.file) === true) return outcome;
  }
}

/** The time limit of a test with a mistake, which ends endless loops, in seconds of processor time. */
function secondsAllowed(seconds: number): number {
  return 3 * seconds + 2;
}

/** The most specific test first, and of those the quickest. */
function rank(test: TestFile, mistake: Mistake): number {
  const source = mistake.file.replace(/^engine\//, '').replace(/\.ts$/, '');
  const name = test.file.replace(/^dist\/test\/engine\//, '').replace(/\.test\.js$/, '');
  if (name.includes(source.split('/').at(-1) ?? '')) return test.seconds - 10_000;
  const before = noticed.get(keyOf(test.file, mistake)) ?? 0;
  if (before > 0) return test.seconds - 1_000 - Math.min(before, 100);
  return test.seconds + (name.startsWith(`${moduleOf(mistake)}/`) ? 0 : 5);
}

function keyOf(test: string, { file }: Mistake): string {
  return `${test} ${file}`;
}

function compiledOf(file: string): string {
  return `dist/${file.replace(/\.ts$/, '.js')}`;
}

function locationOf({ file, line }: Mistake): string {
  return `${file}:${line}`;
}

function describe({ mistake, verdict }: Result): string {
  const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text).replaceAll(/\s+/g, ' ');
  return `${verdict.padEnd(15)} ${locationOf(mistake)} ${mistake.kind}: ${short(mistake.before)} -> ${short(mistake.after)}`;
}
