import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'tap';

/** Pages for readers of the code must be short, and the files that they name must exist. */
const root = resolve(import.meta.dirname, '../../..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const linesOf = (path: string): number => textOf(path).split('\n').length - 1;
const pagesIn = (folder: string): readonly string[] => readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));

/** Most lines of a page. */
const MOST_LINES: Readonly<Record<string, number>> = {
  'README.md': 149,
  'CONTRIBUTING.md': 130,
  'docs/architecture.md': 110,
  'docs/performance.md': 70,
};

const MOST_OF_A_FOLDER = 60;
const LONGEST_RECORD = 150;

/** The folders with their own page below the architecture. */
const SUBSYSTEMS = [
  'actors',
  'actors/borrower',
  'actors/casework',
  'actors/contact',
  'actors/kernel',
  'bench',
  'engine/compliance',
  'engine/ledger',
  'gateway',
  'gateway/auth',
  'persistence',
  'test',
  'wiring',
];

test('each page for readers of the code is short enough for five minutes', async (t) => {
  for (const [page, most] of Object.entries(MOST_LINES)) t.ok(linesOf(page) <= most, `${page} has at most ${most} lines`);
  for (const folder of SUBSYSTEMS)
    t.ok(linesOf(`${folder}/README.md`) <= MOST_OF_A_FOLDER, `${folder}/README.md has at most ${MOST_OF_A_FOLDER} lines`);
});

test('a decision has at most 150 words, with its context, choice and consequence, and is in the list', async (t) => {
  const list = textOf('docs/decisions/README.md');
  for (const name of pagesIn('docs/decisions')) {
    if (name === 'README.md') continue;
    t.ok(list.includes(`(${name})`), `${name} is in the list`);
    if (name === 'dependencies.md') continue;
    const [title = '', ...paragraphs] = textOf(`docs/decisions/${name}`).split('\n\n');
    const length = paragraphs
      .join(' ')
      .split(/\s+/)
      .filter((text) => text !== '').length;
    t.match(title, /^# /, `${name} has a title`);
    t.ok(length <= LONGEST_RECORD, `${name} has at most ${LONGEST_RECORD} words, and has ${length}`);
    t.strictSame(
      paragraphs.map((paragraph) => /^\*\*\w+\.\*\*/.exec(paragraph)?.[0]),
      ['**Context.**', '**Choice.**', '**Consequence.**'],
      name,
    );
  }
});

test('every package is on the page of dependencies', async (t) => {
  const page = textOf('docs/decisions/dependencies.md');
  const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Readonly<
    Record<string, Readonly<Record<string, string>>>
  >;
  const packages = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'));
  t.strictSame(
    packages.filter((name) => !page.includes(name)),
    [],
  );
});

test('every chapter of the interface is in the list of them', async (t) => {
  const list = textOf('docs/contract/README.md');
  for (const name of pagesIn('docs/contract')) if (name !== 'README.md') t.ok(list.includes(`(${name})`), name);
});

test('a payment is ten files', async (t) => {
  const [, payment = ''] = textOf('docs/architecture.md').split(/^## /m);
  t.match(payment, /^A payment in ten files/);
  t.equal(payment.match(/^\| \d+ \| \[`[^`]+`\]/gm)?.length, 10);
});

/** The README of the actors describes the folders of a loan, in a table of its own. */
const [, PARTS_OF_LOAN = ''] = textOf('actors/README.md').split('\n## Parts of a loan\n');

/** Folders with sources. */
const foldersIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && hasSources(`${folder}/${entry.name}`))
    .map(({ name }) => name);

const hasSources = (folder: string): boolean =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).some((path) => path.endsWith('.ts'));

test('each folder of the sources is in the table of the page above it', async (t) => {
  const tables = [
    ...SUBSYSTEMS.map((folder) => ({ folder, page: textOf(`${folder}/README.md`) })),
    { folder: 'actors/loan', page: PARTS_OF_LOAN },
  ];
  for (const { folder, page } of tables) {
    const named = new Set([...page.matchAll(/`([\w-]+)\/`/g)].map(([, name]) => name));
    t.strictSame(
      foldersIn(folder).filter((name) => !named.has(name)),
      [],
      `folders of ${folder} without a row`,
    );
  }
});

test('files and folders that the README of a folder names exist', async (t) => {
  for (const folder of SUBSYSTEMS) {
    const text = textOf(`${folder}/README.md`);
    for (const [, name = ''] of text.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)) t.ok(isThere(folder, name), `${folder}/README.md: ${name}`);
  }
});

/** A path may start at the root, or at any folder below the folder of the page: a table may leave the folders out. */
function isThere(folder: string, name: string): boolean {
  if (existsSync(join(root, name)) || existsSync(join(root, folder, name))) return true;
  const wanted = name.replace(/\/$/, '');
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).some((path) => path.endsWith(`/${wanted}`));
}
