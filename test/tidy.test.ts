import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { test } from 'tap';

/** The rules of the house that a program can check. Sources are read, not compiled files. */
const root = resolve(import.meta.dirname, '../..');

/** What a folder may import; `tenor.ts`, `wiring/` and tests may import everything. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  actors: ['engine'],
  persistence: ['engine', 'actors'],
  gateway: ['engine', 'actors'],
  bench: ['engine', 'actors', 'persistence', 'gateway'],
};

/** Of a test that is a table of cases, more. */
const MOST_LINES = { product: 450, test: 510 };

interface Source {
  readonly path: string;
  readonly text: string;
}

const sourceAt = (path: string): Source => ({ path, text: readFileSync(join(root, path), 'utf8') });

const sourcesIn = (folder: string): readonly Source[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => sourceAt(`${folder}/${name}`));

const sources: readonly Source[] = Object.keys(ARROWS).flatMap(sourcesIn);
const everySource: readonly Source[] = [...sources, sourceAt('tenor.ts'), ...['wiring', 'test'].flatMap(sourcesIn)];

const importsOf = ({ path, text }: Source): string[] =>
  [...text.matchAll(/(?:from|import)\s+'(\.[^']+)'/g)].map(([, target = '']) => normalize(join(dirname(path), target)));

const topOf = (path: string): string => path.split('/')[0] ?? '';

test('imports between folders run one way', async (t) => {
  const wrong = sources.flatMap((source) =>
    importsOf(source)
      .filter((target) => topOf(target) !== topOf(source.path) && !ARROWS[topOf(source.path)]?.includes(topOf(target)))
      .map((target) => `${source.path} imports ${target}`),
  );
  t.strictSame(wrong, []);
});

test('imports between folders go through an index.ts', async (t) => {
  const wrong = sources.flatMap((source) =>
    importsOf(source)
      .filter((target) => topOf(target) !== topOf(source.path) && !target.endsWith('/index.js'))
      .map((target) => `${source.path} imports ${target}`),
  );
  t.strictSame(wrong, []);
});

test('the engine is pure: no I/O, no clock, no randomness, nothing asynchronous', async (t) => {
  const impure = /\bDate\.now|new Date\(\)|Math\.random|\bprocess\.|\basync\b|\bawait\b|from 'node:|setTimeout|setImmediate/;
  const wrong = sources.filter(({ path, text }) => path.startsWith('engine/') && impure.test(withoutComments(text)));
  t.strictSame(
    wrong.map(({ path }) => path),
    [],
  );
});

test('no file has a second idea in it', async (t) => {
  const long = everySource.filter(
    ({ path, text }) => text.split('\n').length > (path.startsWith('test/') ? MOST_LINES.test : MOST_LINES.product) + 1,
  );
  t.strictSame(
    long.map(({ path, text }) => `${path} has ${text.split('\n').length} lines`),
    [],
  );
});

test('no hole in the types, nothing left for later, no swallowed error', async (t) => {
  // Texts, which are left out of what is looked at, so that this file is held to it as well.
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

const withoutComments = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\*.*$/gm, '')
    .replace(/\/\/.*$/gm, '');
const withoutStrings = (text: string): string => text.replace(/'(?:[^'\\\n]|\\.)*'/g, "''");
