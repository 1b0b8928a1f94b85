import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharedFile } from '../shared.js';
import type { Attempt } from './attempt.js';

/*
 * Measures which tests run which parts of the engine, and for how long. Imports do not show it: tests import the engine's index, and so all
 * modules. Therefore each test file runs once without a mistake, with V8's coverage. The result is kept beside the compiled files until one
 * of them changes.
 */

export interface TestFile {
  /** The compiled file, by path from the project's root. */
  readonly file: string;
  readonly hash: string;
  /** Processor time, loading included. */
  readonly seconds: number;
  /** By compiled module of the engine: the offsets at which the ranges that ran begin and end. */
  readonly ran: Readonly<Record<string, readonly number[]>>;
}

/** @param environment of the tests: seeds, and how much random tests do */
export interface Settings {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
}

interface Kept {
  readonly key: string;
  readonly tests: readonly TestFile[];
}

const KEPT = 'dist/.mutation-reach.json';

/** Files outside of the engine that its tests load. */
const BESIDE = ['dist/test/random.js', 'dist/test/shared.js', 'dist/test/mutation/attempt.js'];

/** A test without a mistake that takes longer is taken to hang. */
const MOST_SECONDS = 600;

/** All tests of the engine. A test that fails without a mistake is left out and reported. */
export async function measureTests({ root, environment }: Settings, say: (line: string) => void): Promise<readonly TestFile[]> {
  const compiled = (folder: string): readonly string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => `${folder}/${name}`)
      .sort();
  const modules = [...compiled('dist/engine'), ...compiled('dist/test/engine')];
  const shared = [...modules.filter((file) => !file.endsWith('.test.js')), ...BESIDE];
  const key = hashOf([
    JSON.stringify([environment, sharedFile() === undefined]),
    ...shared.map((file) => readFileSync(join(root, file), 'utf8')),
  ]);
  const known = knownTests(join(root, KEPT), key);
  const tests: TestFile[] = [];
  say('Running each test file without a mistake, where it was not since the last change ...');
  for (const file of modules.filter((name) => name.startsWith('dist/test/engine/') && name.endsWith('.test.js'))) {
    const hash = hashOf([readFileSync(join(root, file), 'utf8')]);
    const same = known.find((test) => test.file === file && test.hash === hash);
    const measured = same ?? (await measure({ root, environment }, file));
    if (typeof measured === 'string') say(`left out, since it fails without a mistake: ${file}\n${measured}`);
    else tests.push({ ...measured, file, hash });
    writeFileSync(join(root, KEPT), JSON.stringify({ key, tests } satisfies Kept));
  }
  return tests;
}

function knownTests(file: string, key: string): readonly TestFile[] {
  if (!existsSync(file)) return [];
  const kept: Kept = JSON.parse(readFileSync(file, 'utf8'));
  return kept.key === key ? kept.tests : [];
}

function hashOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex');
}

/** How often a file is run before it counts as failing: some tests limit a duration, and machines are busy. */
const TRIES = 3;

/** @returns the output of the last attempt if all of them failed */
async function measure(settings: Settings, file: string): Promise<Pick<TestFile, 'seconds' | 'ran'> | string> {
  let last = '';
  for (let tries = 0; tries < TRIES; tries += 1) {
    const measured = await measureOnce(settings, file);
    if (typeof measured !== 'string') return measured;
    last = measured;
  }
  return last;
}

async function measureOnce({ root, environment }: Settings, file: string): Promise<Pick<TestFile, 'seconds' | 'ran'> | string> {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-mutation-'));
  try {
    const attempt: Attempt = { mistake: null, tests: [{ file: join(root, file), seconds: MOST_SECONDS }] };
    const { code, output } = await runAttempt({ root, environment: { ...environment, NODE_V8_COVERAGE: folder } }, attempt);
    if (code !== 0) return output.slice(-2000);
    const seconds = Number(/(?:^|\n)# processor seconds ([\d.]+)/.exec(output)?.[1]);
    const ran = Object.assign({}, ...readdirSync(folder).map((name) => rangesRunIn(root, join(folder, name))));
    return { seconds, ran };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Outcome {
  /** Null if the process was killed. */
  readonly code: number | null;
  readonly output: string;
  /** The test file that ran last. */
  readonly last: string;
}

export function runAttempt({ root, environment }: Settings, attempt: Attempt): Promise<Outcome> {
  const program = fileURLToPath(new URL('./attempt.js', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(attempt)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment, TAP: '1', TAP_BAIL: '1' },
  });
  const output: string[] = [];
  const errors: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const last = [...errors.join('').matchAll(/^# file (.*)$/gm)].at(-1)?.[1] ?? '';
      resolve({ code, output: [...output, ...errors].join(''), last: relative(root, last) });
    });
  });
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

function rangesRunIn(root: string, report: string): Record<string, readonly number[]> {
  const { result }: Coverage = JSON.parse(readFileSync(report, 'utf8'));
  const rangesByFile: Record<string, readonly number[]> = {};
  for (const { url, functions } of result) {
    if (!url.startsWith('file:')) continue;
    const file = relative(root, fileURLToPath(url));
    if (file.startsWith('dist/engine/')) rangesByFile[file] = joined(functions.flatMap(({ ranges }) => ranges));
  }
  return rangesByFile;
}

/** Ranges are nested: the innermost one says whether a character ran. */
function joined(ranges: readonly Range[]): readonly number[] {
  const outerFirst = [...ranges].sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const hasRun = new Uint8Array(Math.max(0, ...ranges.map(({ endOffset }) => endOffset)) + 1);
  for (const { startOffset, endOffset, count } of outerFirst) hasRun.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  const borders: number[] = [];
  hasRun.forEach((has, at) => {
    if (has !== (hasRun[at - 1] ?? 0)) borders.push(at);
  });
  return borders;
}

/** Whether a test runs the code at an offset of a compiled module. */
export const hasRun = ({ ran }: TestFile, module: string, offset: number): boolean =>
  (ran[module] ?? []).filter((border) => border <= offset).length % 2 === 1;
