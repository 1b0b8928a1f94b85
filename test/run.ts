import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Parser, type Result } from 'tap-parser';
import { nodeToRun } from '../wiring/supported-node.js';
import { testsOfChanges } from './changed.js';
import { beginCounting, reportCoverage } from './coverage.js';

/*
 * Runs the compiled tests and ends with `N passed, N failed`, counting assertions. The slowest files, and files that arguments name, have
 * a process each; other files share processes. Arguments are parts of paths: `npm test -- journal` runs files with "journal" in their path.
 *
 *   --changed        runs tests that import files that differ from the last commit
 *   --since COMMIT   ... from this commit
 *   --repeat 20      runs each file 20 times
 *   --bail           starts no further file after a failure
 *   --inspect        runs the one named file and waits for a debugger at its first line
 *   --coverage       reports which lines and branches of the sources ran
 *
 * Environment variables switch longer suites on, see the README.
 */

/** A process that takes longer is taken to hang. */
const RUN_SECONDS = 1_200;

/** Processes at once on two processors: half of them wait for processes, leases and clocks. */
const AT_ONCE = 4;

/** The largest value of `--repeat`. */
const MOST_REPEATS = 1_000;

/** So many of the files that arguments name have a process each. */
const NAMED_ALONE = 16;

/** Files that share a process: two thirds of the time of a small file is the loading of modules that all of them load. */
const SHARING = 32;

/**
 * The slowest files, most of which wait more than they compute, and how many of them share a process. They start first, so that none of
 * them runs alone at the end. Meanwhile one process at a time takes files that compute from the end of the list.
 */
const SLOW: readonly (readonly [part: string, sharing: number])[] = [
  ['durability/', 1],
  ['cluster/', 2],
  ['placement/running', 1],
  ['placement/leases', 1],
  ['shard/sudden-end', 1],
  ['shard/full-disk', 1],
  ['key-values/stream', 1],
  ['jetstream/', 3],
  ['fuzz/', 1],
  ['sim/', 3],
  ['bench/demo', 1],
  ['bench/', 6],
  ['snapshots/damage', 1],
  ['keys/stream', 1],
  ['thread-', 2],
  ['outbox/', 1],
  ['releases/', 2],
  ['service/', 3],
  ['moves/', 2],
  ['build/', 1],
  ['check/', 1],
  ['mutation/', 1],
  ['settings-in-force', 1],
  // They count the blocks of functions that nothing may have compiled before.
  ['cost-by-age', 1],
];

/** Ticks of the kernel's clock (`getconf CLK_TCK`), the same on all current Linux machines. */
const TICKS_PER_SECOND = 100;

interface Count {
  passed: number;
  failed: number;
  skipped: number;
  /** Sources of failed tests, as far as the reports name them. */
  readonly failedIn: Set<string>;
}

/** Files that run a second time over a cluster; `TENOR_TEST_CLUSTER=1 npm test -- gateway/routes` runs all tests of the routes over one. */
const OVER_CLUSTER = [
  'routes/loans.',
  'routes/transactions.',
  'routes/draws.',
  'routes/events.',
  'routes/webhook',
  'gateway/many-streams.',
  'routes/mass-work.',
  'routes/test-clocks.',
  'routes/emptied-test-mode.',
  'communicator/notices-to-others.',
  'gateway/engine-streams.',
];

interface Run {
  readonly files: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Stack traces and failed assertions name the sources. */
const nodeOptions = `${process.env['NODE_OPTIONS'] ?? ''} --enable-source-maps`.trim();

/** The version of Node that Tenor runs on. */
const node = nodeToRun() ?? process.execPath;

const folder = dirname(fileURLToPath(import.meta.url));
const project = join(folder, '../..');
const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    since: { type: 'string' },
    repeat: { type: 'string', default: '1' },
    bail: { type: 'boolean', default: false },
    inspect: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
  },
});
const times = Number(flags.repeat);
if (!Number.isInteger(times) || times < 1 || times > MOST_REPEATS) {
  console.error(`--repeat takes a whole number from 1 to ${MOST_REPEATS}.`);
  process.exit(1);
}

/** Whether the arguments select some of the files. */
const isSelection = wanted.length > 0 || flags.changed || flags.since !== undefined;
const ofChanges =
  flags.changed || flags.since !== undefined
    ? testsOfChanges(project, flags.since ?? 'HEAD').map((file) => file.slice('test/'.length).replace(/\.ts$/, '.js'))
    : null;
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.js'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.replace(/\.js$/, '.ts').includes(part.replace(/^test\//, ''))))
  .filter((name) => ofChanges === null || ofChanges.includes(name))
  .sort((a, b) => (ofChanges === null ? slowness(a) - slowness(b) || a.localeCompare(b) : ofChanges.indexOf(a) - ofChanges.indexOf(b)));

if (files.length === 0) {
  console.error(ofChanges === null ? 'No test file has such a name.' : 'No test imports a changed file.');
  process.exit(ofChanges === null ? 1 : 0);
}

if (ofChanges !== null) console.log(`${files.length} test files import changed files, the nearest first.`);
if (flags.inspect) process.exit(inspect(files));

/** The first failure, and the command that runs it alone; repeated at the end of the output. */
let firstFailure: readonly string[] | null = null;
const counting = flags.coverage ? beginCounting() : null;
const total = { passed: 0, failed: 0, skipped: 0 };
/** Of the processes that have ended and of what they started, in seconds: two that end at once are counted for the first. */
let processorSeconds = 0;
const once: readonly Run[] = [
  ...runsOf(files, {}),
  ...runsOf(
    files.filter((file) => OVER_CLUSTER.some((part) => file.includes(part))),
    { TENOR_TEST_CLUSTER: '1' },
  ),
];
const waiting: Run[] = Array.from({ length: times }, () => once).flat();
await Promise.all(
  Array.from({ length: Math.min(AT_ONCE, availableParallelism() + 2) }, async (_, lane) => {
    const next = (): Run | undefined => (lane === 0 && !isSelection ? waiting.pop() : waiting.shift());
    for (let run = next(); run !== undefined; run = next()) {
      const count = await carryOut(run);
      total.passed += count.passed;
      total.failed += count.failed;
      total.skipped += count.skipped;
      if (flags.bail && count.failed > 0) waiting.length = 0;
    }
  }),
);
if (counting !== null) await reportCoverage(project, counting, wanted);
if (firstFailure !== null) console.log(['What failed first:', ...(firstFailure as readonly string[])].join('\n'));
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Runs one file in the foreground, without a time limit. */
function inspect(found: readonly string[]): number {
  const [file, ...others] = found;
  if (file === undefined || others.length > 0) {
    console.error(`--inspect takes one test file; these have such a name:\n${found.join('\n')}`);
    return 1;
  }
  const { status } = spawnSync(node, ['--inspect-brk=127.0.0.1:9229', join(folder, file)], {
    stdio: 'inherit',
    env: { ...process.env, NODE_OPTIONS: nodeOptions, TAP: '1', TAP_TIMEOUT: '0' },
  });
  return status ?? 1;
}

function slowness(name: string): number {
  const index = SLOW.findIndex(([part]) => name.includes(part));
  return index < 0 ? SLOW.length : index;
}

function sharingOf(name: string): number {
  return SLOW[slowness(name)]?.[1] ?? SHARING;
}

function runsOf(names: readonly string[], environment: Run['environment']): readonly Run[] {
  const runs: Run[] = [];
  /** The last process of files of each slowness. */
  const shared = new Map<number, string[]>();
  for (const [at, name] of names.entries()) {
    const file = relative(process.cwd(), join(folder, name));
    const last = shared.get(slowness(name));
    const isAlone = isSelection && at < NAMED_ALONE;
    if (last !== undefined && last.length < sharingOf(name) && !isAlone) last.push(file);
    else {
      const files = [file];
      runs.push({ files, environment }); // where its first file is in the order
      if (!isAlone) shared.set(slowness(name), files);
    }
  }
  return runs;
}

function carryOut({ files: [file = '', ...others], environment }: Run): Promise<Count> {
  const count: Count = { passed: 0, failed: 0, skipped: 0, failedIn: new Set() };
  const lines: string[] = [];
  const startedAt = performance.now();
  // Each process draws its own seed, so that a repeated file sees other histories each time.
  const seeded = { TENOR_SEED: process.env['TENOR_SEED'] ?? String(randomInt(2 ** 31)), ...environment };
  const child = spawn(node, [join(folder, 'several.js'), file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...seeded,
      ...counting?.environment,
      // Not as arguments: tap names folders after its arguments, and a name has at most 255 bytes.
      TENOR_TEST_FILES_BESIDE: others.join('\n'),
      NODE_OPTIONS: nodeOptions,
      TAP: '1',
      TAP_TIMEOUT: String(RUN_SECONDS),
    },
  });
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const parser = new Parser();
  listen(parser, [file], count, lines);
  child.stdout.pipe(parser);
  return new Promise((resolve) => {
    let processor = '';
    child.on('exit', () => {
      const before = processorSeconds;
      processorSeconds = processorSecondsOfEnded();
      if (processorSeconds > 0) processor = `, ${(processorSeconds - before).toFixed(1)} s of processor`;
    });
    child.on('close', (code, signal) => {
      if (code !== 0 && count.failed === 0) {
        count.failed += 1;
        lines.push(`FAIL ${[file, ...others].map(sourceOf).join(', ')} ended with ${code ?? signal}`);
      }
      if (count.failed > 0 && errors.length > 0) lines.push(indent(errors.join('').slice(-4000)));
      if (count.failed > 0) {
        const commands = commandsFor(count, [file, ...others], seeded);
        firstFailure ??= [lines.find((line) => line.startsWith('FAIL')) ?? '', ...commands];
        lines.push(...commands);
      }
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      const over = environment['TENOR_TEST_CLUSTER'] === '1' ? ' over a cluster' : '';
      const source = sourceOf(file);
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      console.log(
        [`${count.failed > 0 ? 'FAIL' : 'ok  '} ${source}${more}${over} (${count.passed} in ${seconds} s${processor})`, ...lines].join(
          '\n',
        ),
      );
      resolve(count);
    });
  });
}

/** From `/proc`: 0 where there is none. */
function processorSecondsOfEnded(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name of the program may hold anything
  const [user = '0', system = '0'] = fields.slice(13, 15);
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}

/**
 * The commands that run the failed files alone, with the same random histories. If no report names a source, there is a command for each
 * file of the process.
 */
function commandsFor({ failedIn }: Count, files: readonly string[], environment: Run['environment']): readonly string[] {
  const sources = failedIn.size > 0 ? [...failedIn] : files.map(sourceOf);
  const variables = Object.entries(environment)
    .map(([name, value]) => `${name}=${value} `)
    .join('');
  return sources.map((source) => `     alone: ${variables}npm test -- ${source}`);
}

/** The source of a compiled test. */
function sourceOf(file: string): string {
  return relative('dist', file).replace(/\.js$/, '.ts');
}

/** Counts the assertions of a file or subtest, and reports failed and skipped ones and the remarks of tests. */
function listen(level: Parser, path: readonly string[], count: Count, lines: string[]): void {
  let children = 0;
  let failedBefore = count.failed;
  level.on('child', (child: Parser) => {
    children += 1;
    failedBefore = count.failed;
    listen(child, [...path, child.name], count, lines);
  });
  level.on('comment', (text: string) => {
    if (/^# (seed|not run|statuses)/.test(text)) lines.push(`     ${path.slice(1).join(' > ')}: ${text.slice(2).trim()}`);
  });
  level.on('assert', (result: Result) => {
    if (children > 0) {
      children -= 1;
      // Failures in the subtest are counted there. Its own result counts only if nothing in it explains the failure.
      if (result.ok || result.skip || count.failed > failedBefore) return;
    }
    if (result.skip) {
      count.skipped += 1;
      lines.push(
        `     not run: ${[...path.slice(1), result.name].join(' > ')}${typeof result.skip === 'string' ? `: ${result.skip}` : ''}`,
      );
    } else if (result.ok) count.passed += 1;
    else {
      count.failed += 1;
      lines.push(`FAIL ${[...path.slice(1), result.name].join(' > ')}`);
      const source = /(?:^|[/( ])(test\/[^:\s()]*\.test\.ts)(?=:|$)/m.exec(`${result.diag?.at?.fileName}\n${result.diag?.stack}`)?.[1];
      if (source !== undefined) count.failedIn.add(source);
      if (result.diag) lines.push(indent(JSON.stringify(result.diag, null, 2)));
    }
  });
}

function indent(text: string): string {
  return text.replace(/^/gm, '     ');
}
