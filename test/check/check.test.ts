import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'tap';
import { tempFolder } from '../temp-folder.js';

/** `npm run check` over small projects with a planted fault: each part finds what it is there for, and exits with 1. */
const project = resolve(import.meta.dirname, '../../..');

const SETTINGS = ['.dependency-cruiser.mjs', '.oxlintrc.json', '.gitignore', 'biome.json', 'tsconfig.json'];

type Files = Readonly<Record<string, string>>;

const SMALL_PACKAGE = { name: 'small', type: 'module', dependencies: { 'big.js': '7.0.1' }, devDependencies: { xstate: '5.33.3' } };

/** A project with these files, under the settings of this one; a commit knows all of them. */
function projectWith(t: { teardown(run: () => void): void }, files: Files): string {
  const folder = tempFolder(t);
  for (const name of SETTINGS) cpSync(join(project, name), join(folder, name));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  write(folder, {
    'package.json': `${JSON.stringify(SMALL_PACKAGE, null, 2)}\n`,
    'knip.json': '{ "entry": ["tenor.ts"], "project": ["**/*.ts"] }\n',
    ...files,
  });
  cpSync(join(project, 'packaging/check'), join(folder, 'packaging/check'), { recursive: true });
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all');
  git(folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message=Begin');
  return folder;
}

function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function git(folder: string, ...parameters: readonly string[]): void {
  const { status, stderr } = spawnSync('git', parameters, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${parameters.join(' ')}: ${stderr}`);
}

function check(folder: string, ...parameters: readonly string[]): { readonly status: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['packaging/check/index.mjs', ...parameters], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, text: stdout + stderr };
}

const GOOD = 'export const one = 1;\n';

/** As a comment may not cite it, not even here. */
const CHAPTER = ['servicing', 'behaviour 1'].join('-');

/** What is planted, and what the part says of it. */
const FAULTS: readonly { readonly part: string; readonly files: Files; readonly says: readonly RegExp[]; readonly silent?: RegExp }[] = [
  {
    part: 'format',
    files: { 'engine/a.ts': 'export const one=1' },
    says: [/engine\/a\.ts is not formatted: npm run format/],
  },
  {
    part: 'lint',
    files: {
      'engine/promise.ts': 'async function later(): Promise<void> {}\nexport const now = (): void => {\n  later();\n};\n',
      'engine/exempt.ts': '// oxlint-disable-next-line no-debugger\ndebugger;\n',
      'engine/exempt-for-nothing.ts': `// oxlint-disable-next-line no-debugger -- none is here\n${GOOD}`,
      '.oxlintrc.json': readFileSync(join(project, '.oxlintrc.json'), 'utf8').replace('"rules": {', '"rules": {\n    "no-new": "off",'),
    },
    says: [
      /no-floating-promises\S* engine\/promise\.ts:3/,
      /reason: engine\/exempt\.ts:1 exempts a line without a reason/,
      /engine\/exempt-for-nothing\.ts:1 Unused/,
      /reason: \.oxlintrc\.json:\d+ is off without a reason/,
    ],
    silent: /exempt-for-nothing\.ts:1 exempts/,
  },
  {
    part: 'types',
    files: { 'engine/a.ts': "export const one: number = 'a';\n" },
    says: [/TS2322: engine\/a\.ts:1 Type 'string'/],
  },
  {
    part: 'layers',
    files: {
      'engine/upward.ts': "import type { one } from '../actors/index.js';\nexport type A = typeof one;\n",
      'engine/one.ts': GOOD,
      'engine/reads.ts': "export * from 'node:fs';\n",
      'engine/zone.ts': "export * from 'luxon';\n",
      'engine/machine.ts': "export * from 'xstate';\n",
      'engine/nowhere.ts': "export * from './not-there.js';\n",
      'engine/a.ts':
        "import type { C } from './c.js';\nimport { b } from './b.js';\nexport const a = (): number => b();\nexport type A = C;\n",
      'engine/b.ts': "import { a } from './a.js';\nexport const b = (): number => a();\n",
      'engine/c.ts': "import { a } from './a.js';\nexport type C = typeof a;\n",
      'actors/index.ts': GOOD,
      'actors/past.ts': "export { one } from '../engine/one.js';\n",
      'gateway/server.ts': "export * from 'uWebSockets.js';\n",
      'wiring/tested.ts': "export * from '../test/a.js';\n",
      'wiring/checks.ts': "import fc from 'fast-check';\nexport const runs = fc.assert;\n",
      'actors/machine.ts': "export * from 'xstate';\n",
      'test/a.ts': GOOD,
    },
    says: [
      /arrow-engine: engine\/upward\.ts imports actors\/index\.ts\. engine\/ may import no other folder/,
      /index-engine: actors\/past\.ts imports engine\/one\.ts/,
      /engine-pure: engine\/reads\.ts imports fs/,
      /engine-luxon: engine\/zone\.ts/,
      /engine-packages: engine\/machine\.ts/,
      /package-uWebSocketsjs: gateway\/server\.ts/,
      /package-xstate: engine\/machine\.ts/,
      /tests-only-from-tests: wiring\/tested\.ts imports test\/a\.ts/,
      /nothing-of-development: wiring\/checks\.ts/,
      /nothing-of-development: actors\/machine\.ts/,
      /found: engine\/nowhere\.ts imports \.\/not-there\.js/,
      /circle: engine\/a\.ts is one of 2 files that import each other in a circle/,
      /circle: engine\/b\.ts is one of 2 files/,
    ],
    silent: /circle: engine\/c\.ts/,
  },
  {
    part: 'unused',
    files: { 'tenor.ts': "import './a.js';\n", 'a.ts': GOOD },
    says: [/unused: a\.ts:1 exports: one/, /unused: package\.json:\d+ dependencies: big\.js/],
  },
  {
    part: 'links',
    files: { 'README.md': '# A\n\n[a](docs/none.md) [b](#none) [c](docs/b.md#none) [d](docs/b.md#there)\n', 'docs/b.md': '# There\n' },
    says: [/README\.md:3 Cannot find file `docs\/none\.md`/, /Cannot find heading for `#none`:/, /heading for `#none` in `docs\/b\.md`/],
    silent: /#there/,
  },
  {
    part: 'words',
    files: { 'engine/made-anew.ts': '// Whoever tells, in place.\nexport const coreKeeper = 1;\n', 'docs/a.md': 'It is in place.\n' },
    says: [
      /anew: engine\/made-anew\.ts/,
      /whoever: engine\/made-anew\.ts:1/,
      /tell: engine\/made-anew\.ts:1/,
      /keeper: engine\/made-anew\.ts:2 "keeper": write supervisor/,
    ],
    silent: /"place"/,
  },
  {
    part: 'cites',
    files: {
      'engine/a.ts': `/** A name (money 7). */\nexport const one = 1; // in the order of ${CHAPTER}.3\n`,
      'engine/b.ts': "/** A notice (12 CFR 1016.5). */\nexport const rule = 'servicing-behaviour 3.1';\n",
    },
    says: [/citation: engine\/a\.ts:1 "\(money 7" cites a chapter/, /citation: engine\/a\.ts:2 "servicing-behaviour 1" cites/],
    silent: /engine\/b\.ts/,
  },
  {
    part: 'lines',
    files: { 'docs/a.md': `${'a b '.repeat(40)}\n\n| ${'a b '.repeat(40)} |\n`, 'engine/a.ts': `// ${'a b '.repeat(40)}\n` },
    says: [/prose: docs\/a\.md:1 has 160 columns/, /code: engine\/a\.ts:1 has 163 columns/],
    silent: /a\.md:3/,
  },
];

for (const { part, files, says, silent } of FAULTS)
  test(`${part} finds each planted fault`, async (t) => {
    const { status, text } = check(projectWith(t, files), part);
    for (const line of says) t.match(text, line);
    if (silent !== undefined) t.notMatch(text, silent);
    t.equal(status, 1);
  });

test('a project without faults passes every part', async (t) => {
  const { status, text } = check(
    projectWith(t, {
      'tenor.ts': "import { one } from './engine/index.js';\n\nprocess.exitCode = one;\n",
      'engine/index.ts': "export { one } from './one.js';\n",
      'engine/one.ts': "import { Big } from 'big.js';\n\nexport const one = new Big(1).toNumber();\n",
      'README.md': '# Small\n\n[Here](#small)\n',
      '.gitignore': `${readFileSync(join(project, '.gitignore'), 'utf8')}packaging\n`,
    }),
    ...['lint', 'types', 'layers', 'format', 'links', 'words', 'cites', 'lines'],
  );
  t.match(text, /check: no faults/);
  t.equal(status, 0, text);
});

test('of many faults of a rule those in changed files come first, and the rest are counted', async (t) => {
  const many = Array.from({ length: 25 }, (_, at) => [`docs/a${at + 10}.md`, 'Made anew.\n'] as const);
  const folder = projectWith(t, { ...Object.fromEntries(many), 'docs/z.md': 'Good.\n' });
  write(folder, { 'docs/z.md': 'Made anew.\n' });
  const { status, text } = check(folder, 'words');
  t.equal(status, 1);
  t.match(text, /^anew: docs\/z\.md/m);
  t.match(text, /and 6 more of anew/);
});

test('before a commit that is checked which is staged, and not the work tree', async (t) => {
  const folder = projectWith(t, { 'docs/a.md': 'Good.\n', 'docs/b.md': 'Good.\n' });
  write(folder, { 'docs/a.md': 'Made anew.\n' });
  git(folder, 'add', '--all');
  write(folder, { 'docs/a.md': 'Good.\n' });
  const faulty = check(folder, '--staged');
  t.match(faulty.text, /anew: docs\/a\.md:1/);
  t.equal(faulty.status, 1);

  git(folder, 'reset', '--quiet', '--hard');
  write(folder, { 'docs/a.md': 'Better.\n' });
  git(folder, 'add', '--all');
  write(folder, { 'docs/b.md': 'Made anew.\n' });
  const good = check(folder, '--staged');
  t.equal(good.status, 0, good.text);
  t.notMatch(good.text, /lint/, 'parts that read nothing of it do not run');
});

test('a part that does not exist is named, with those that do', async (t) => {
  const { status, text } = check(projectWith(t, {}), 'spelling');
  t.equal(status, 1);
  t.match(text, /No part is named spelling\. Parts: lint, types, layers/);
});
