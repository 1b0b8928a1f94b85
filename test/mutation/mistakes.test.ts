import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'tap';
import type { Attempt } from './attempt.js';
import { EQUIVALENT, staleIn } from './equivalent.js';
import { mistakesOf, plan } from './mistakes.js';
import { hasRun, runAttempt, type Settings } from './reach.js';
import { table } from './table.js';

const root = resolve(import.meta.dirname, '../../..');
const settings: Settings = { root, environment: { TENOR_SEED: '1', TENOR_RUNS: '5' } };
const compiled = `${root}/dist/engine/money/rounding.js`;
const roundingTest = `${root}/dist/test/engine/money/rounding.test.js`;

/** The mistakes of a text, as the run prints them. */
const mistakesIn = (text: string): readonly string[] => plan(text, 'x.ts', () => 1).map(({ before, after }) => `${before} -> ${after}`);

test('each kind of mistake changes one token', async (t) => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    'f(a + b);': ['f(a + b); -> ;', '+ -> -'],
    'const x = a < b;': ['< -> <=', '< -> >='],
    'const x = a === b && !c;': ['&& -> ||', '=== -> !==', '!c -> c'],
    'const x = -a ?? 1n;': ['-a ?? 1n -> -a', '-a -> a', '1n -> 0n'],
    'if (a) return;': ['a -> true', 'a -> false', 'return; -> ;'],
    'const x = minus(a, b);': ['a, b -> b, a'],
    'const x = Math.min(a, b);': ['min -> max'],
    'const x = plus(a, b);': [],
    'const x = loan.dueCents - loan.paidCents;': ['- -> +', 'dueCents -> paidCents', 'paidCents -> dueCents'],
    "const x = { at: 'due' }, y = { at: 'open' };": ['"due" -> "open"', '"open" -> "due"'].map((line) => line.replace(/^"(\w+)"/, "'$1'")),
  };
  for (const [text, expected] of Object.entries(cases)) t.strictSame(mistakesIn(text), expected, text);
});

test('assertions, texts of errors and texts that are put together are left alone', async (t) => {
  t.strictSame(mistakesIn("assert(a < b, 'a' + 1);"), []);
  t.strictSame(mistakesIn('throw new Error(`${a + 1}`);'), []);
  t.strictSame(mistakesIn("const x = 'a' + b + c;"), []);
  t.strictSame(mistakesIn('const x = void 0;'), [], 'undefined, as it is compiled');
});

test('an operator counts as run when its left side ran, also when the right side did not', async (t) => {
  const text = 'const x = a && b;';
  t.strictSame(
    plan(text, 'x.ts', () => 1).map(({ start, probe }) => [start, probe]),
    [[text.indexOf('&&'), text.indexOf('a &&')]],
  );
});

test('a mistake names the line of its source', async (t) => {
  const source = readFileSync(`${root}/engine/money/rounding.ts`, 'utf8').split('\n');
  for (const { line, before, kind } of mistakesOf('engine/money/rounding.ts', compiled))
    if (kind === 'arithmetic') t.ok(source[line - 1]?.includes(before), `${line} has ${before}`);
});

test('each mistake that is said to change nothing can still be planted', async (t) => {
  const files = [...new Set(EQUIVALENT.map(({ file }) => file))];
  const all = files.flatMap((file) => mistakesOf(file, `${root}/dist/${file.replace(/ts$/, 'js')}`));
  t.strictSame(staleIn(all), [], 'update or delete these entries of test/mutation/equivalent*.ts');
});

const attemptWith = (before: string, after: string): Attempt => {
  const text = readFileSync(compiled, 'utf8');
  const start = text.indexOf(before);
  return {
    mistake: { url: pathToFileURL(compiled).href, start, end: start + before.length, text: after },
    tests: [{ file: roundingTest, seconds: 2 }],
  };
};

test('a mistake is noticed, nothing on disk is changed, and without it the test passes', async (t) => {
  const text = readFileSync(compiled, 'utf8');
  t.equal((await runAttempt(settings, { mistake: null, tests: [{ file: roundingTest, seconds: 60 }] })).code, 0);
  const noticed = await runAttempt(settings, attemptWith('return ', 'return 1n + '));
  t.equal(noticed.code, 1, noticed.output);
  t.equal(noticed.last, 'dist/test/engine/money/rounding.test.js');
  t.equal(readFileSync(compiled, 'utf8'), text);
});

test('a loop without end is ended by the processor time that it takes', async (t) => {
  const { code } = await runAttempt(settings, attemptWith('return ', 'for (;;); return '));
  t.equal(code, null);
});

test('an offset has run if it lies in a range that ran', async (t) => {
  const file = { file: 'a', hash: '', seconds: 1, ran: { 'dist/engine/a.js': [0, 10, 20, 30] } };
  t.strictSame(
    [0, 9, 10, 19, 20, 30].map((offset) => hasRun(file, 'dist/engine/a.js', offset)),
    [true, true, false, false, true, false],
  );
  t.notOk(hasRun(file, 'dist/engine/b.js', 0));
});

test('mistakes that change nothing are not counted in the score', async (t) => {
  const [mistake] = plan('const x = a + b;', 'engine/money/cents.ts', () => 1);
  if (mistake === undefined) throw new Error('a sum has a mistake');
  const verdicts = ['found', 'found by time', 'not noticed', 'not run', 'changes nothing'] as const;
  const text = table(verdicts.map((verdict) => ({ mistake, verdict, by: '' })));
  t.match(text, /^money +5 +2 +1 +1 +1 +50\.0 %$/m);
});
