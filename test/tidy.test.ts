import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'tap';

/** The rules of style that no other part of `npm run check` tests. They read sources, not compiled files. */
const root = resolve(import.meta.dirname, '../..');

/** The folders of the product. */
const FOLDERS = ['engine', 'actors', 'persistence', 'gateway', 'bench'];

/** A test that is a table of cases may be longer. */
const MOST_LINES = { product: 400, test: 510 };

interface Source {
  readonly path: string;
  readonly text: string;
}

const sourceAt = (path: string): Source => ({ path, text: readFileSync(join(root, path), 'utf8') });

const sourcesIn = (folder: string): readonly Source[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => sourceAt(`${folder}/${name}`));

const sources: readonly Source[] = FOLDERS.flatMap(sourcesIn);
const everySource: readonly Source[] = [...sources, sourceAt('tenor.ts'), ...['wiring', 'test'].flatMap(sourcesIn)];

test('the engine is pure: no I/O, no clock, no randomness, nothing asynchronous', async (t) => {
  const impure = /\bDate\.now|new Date\(\)|Math\.random|\bprocess\.|\basync\b|\bawait\b|setTimeout|setImmediate/;
  const wrong = sources.filter(({ path, text }) => path.startsWith('engine/') && impure.test(withoutComments(text)));
  t.strictSame(
    wrong.map(({ path }) => path),
    [],
  );
});

test('no file is longer than its limit', async (t) => {
  const long = everySource.filter(
    ({ path, text }) => text.split('\n').length > (path.startsWith('test/') ? MOST_LINES.test : MOST_LINES.product) + 1,
  );
  t.strictSame(
    long.map(({ path, text }) => `${path} has ${text.split('\n').length} lines`),
    [],
  );
});

test('no `any`, no assertion by `!`, no notes of unfinished work, no swallowed error', async (t) => {
  // Built from strings, which the test ignores, so that this file passes it as well.
  const smells = new RegExp(['(\\bas|:) any\\b', 'catch\\s*(\\(\\w*\\))?\\s*\\{\\s*\\}', '\\w!\\.', '\\w!\\)'].join('|'));
  const notes = new RegExp(['@ts-ignore', '@ts-expect-error', '\\bTODO\\b', '\\bFIXME\\b'].join('|'));
  const wrong = everySource.flatMap(({ path, text }) =>
    withoutStrings(text)
      .split('\n')
      .map((line, index) => ({ line, index }))
      .filter(({ line }) => notes.test(line) || smells.test(withoutComments(line)))
      .map(({ line, index }) => `${path}:${index + 1} ${line.trim()}`),
  );
  t.strictSame(wrong, []);
});

test('file names are kebab-case', async (t) => {
  t.strictSame(
    everySource.filter(({ path }) => !/^[a-z0-9/-]+(\.test)?\.ts$/.test(path)).map(({ path }) => path),
    [],
  );
});

test('a process or thread that does one thing does not load the whole engine', async (t) => {
  const started = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/new URL\('(\.\/[a-z-]+)\.js', import\.meta\.url\)/g)].map(([, script]) => join(dirname(path), `${script}.ts`)),
  );
  t.ok(started.length >= 5, `${started.length} scripts`);
  for (const script of started) t.notOk(valuesReachedFrom(script).has('engine/index.ts'), `${script} imports a part of the engine`);
});

/** The sources that are loaded with one: types are not. */
function valuesReachedFrom(path: string): ReadonlySet<string> {
  const reached = new Set([path]);
  for (const each of reached) {
    for (const [, imported = ''] of sourceAt(each).text.matchAll(/^(?:im|ex)port (?!type\b)[^;]*?from '(\.[^']+)\.js';$/gm))
      reached.add(join(dirname(each), `${imported}.ts`));
  }
  return reached;
}

function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\*.*$/gm, '')
    .replace(/\/\/.*$/gm, '');
}

function withoutStrings(text: string): string {
  return text.replace(/'(?:[^'\\\n]|\\.)*'/g, "''");
}
