import { execFileSync, spawnSync } from 'node:child_process';
import { builtinModules } from 'node:module';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../bench/cli/settings.js';
import { tempFolder } from '../temp-folder.js';
import { faultOf, project, textsBelow } from './operators-text.js';

const packaging = textsBelow('packaging', '');
const textOf = (name: string): string => readFileSync(join(project, 'packaging', name), 'utf8');
const templates = textsBelow('packaging/helm/tenor/templates', '.yaml');

interface ComposeService {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Variables that are read but are no settings of a service. */
const OTHER_VARIABLES = ['TENOR_CONFIG', 'TENOR_URL'];

test('every setting that packaging names is in the table of settings', async (t) => {
  const known = new Set([...SETTINGS.map(({ environment }) => environment), ...OTHER_VARIABLES]);
  for (const { name, text } of packaging) {
    t.strictSame(
      [...text.matchAll(/\bTENOR_[A-Z_]+/g)].map(([setting]) => setting).filter((setting) => !known.has(setting)),
      [],
      name,
    );
  }
});

test('tenor accepts every command line of packaging', async (t) => {
  const commands = Object.values(
    (parse(textOf('compose/compose.yaml'), { merge: true }) as { readonly services: Readonly<Record<string, ComposeService>> }).services,
  )
    .filter(({ environment }) => environment?.['TENOR_NATS'] !== undefined)
    .map(({ command }) => command.join(' '));
  t.equal(commands.length, 4);
  const units = textsBelow('packaging/systemd', '.service').flatMap(
    ({ text }) => /^ExecStart=\S+ --max-semi-space-size=64 \/opt\/tenor\/dist\/tenor\.js (.+)$/m.exec(text)?.[1] ?? [],
  );
  t.equal(units.length, 3);
  const charts = templates.flatMap(({ text }) =>
    [...text.matchAll(/^ +args: \[([^\]]+)\]/gm)].map(([, args = '']) => args.replaceAll(', ', ' ')),
  );
  t.equal(charts.length, 2);
  const image = /^CMD \["(.+)"\]/m.exec(textOf('Dockerfile'))?.[1] ?? '';
  for (const line of [...commands, ...units, ...charts, image]) t.equal(faultOf({ line, isWhole: true }), null, line);
});

test('the image is built from all compiled files', async (t) => {
  const { include } = JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8')) as { readonly include: readonly string[] };
  const copied = [...textOf('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
  const shown = [...textOf('Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path);
  t.same(
    include.filter((source) => !copied.includes(source)),
    [],
    'copied',
  );
  t.same(
    copied.filter((source) => !shown.includes(source)),
    [],
    'and not ignored by the build',
  );
});

test('the chart names values that exist, and its templates are YAML', async (t) => {
  const values: unknown = parse(textOf('helm/tenor/values.yaml'));
  const helpers = textOf('helm/tenor/templates/_helpers.tpl');
  for (const { name, text } of [...templates, { name: '_helpers.tpl', text: helpers }]) {
    for (const [, path = ''] of text.matchAll(/\.Values\.([\w.]+)/g))
      t.not(
        path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values),
        undefined,
        `${name}: ${path}`,
      );
    for (const [, helper = ''] of text.matchAll(/include "([^"]+)"/g)) t.ok(helpers.includes(`define "${helper}"`), `${name}: ${helper}`);
    t.equal(text.match(/\{\{/g)?.length ?? 0, text.match(/\}\}/g)?.length ?? 0, `${name}: braces`);
  }
  for (const { name, text } of templates) {
    // The template without its lines of control, and with a placeholder for each value.
    const plain = text.replace(/^\s*\{\{-?[^}]*\}\}\s*$/gm, '').replace(/\{\{[^}]*\}\}/g, 'value');
    for (const document of parseAllDocuments(plain)) t.strictSame(document.errors, [], name);
  }
  for (const file of ['helm/tenor/Chart.yaml', 'prometheus/alerts.yaml']) t.doesNotThrow(() => parse(textOf(file)), file);
});

test('systemd accepts the units', {
  skip: spawnSync('systemd-analyze', ['--version']).error ? 'this machine has no systemd-analyze' : false,
}, async (t) => {
  const folder = tempFolder(t);
  const node = join(folder, 'node'); // the units name the one of a Debian, which need not be here
  writeFileSync(node, '');
  chmodSync(node, 0o755);
  const files = textsBelow('packaging/systemd', '.service').map(({ name, text }) => {
    const file = join(folder, name.slice(name.lastIndexOf('/') + 1).replace('@.', '@one.'));
    writeFileSync(file, text.replaceAll('/usr/bin/node', node));
    return file;
  });
  const { stderr, status } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], { encoding: 'utf8' });
  t.equal(status, 0, stderr);
});

test('the image imports no development dependencies', async (t) => {
  const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const there = new Set([...Object.keys(dependencies), ...builtinModules]);
  const missing: string[] = [];
  const seen = new Set<string>();
  const walk = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^;]*?\bfrom ["']([^"']+)["']/gm)) {
      if (from.startsWith('.')) walk(resolve(dirname(file), from));
      else if (!from.startsWith('node:') && !there.has(packageOf(from))) missing.push(`${from} in ${file}`);
    }
  };
  for (const entry of ['dist/wiring/index.js', 'dist/bench/index.js']) walk(join(project, entry));
  t.ok(seen.size > 300, 'all modules were read');
  t.strictSame(missing, []);
});

test('the health check of the image exits with 1 if no service answers', async (t) => {
  const script = join(project, 'packaging/healthcheck.mjs');
  const run = (port: string): void => void execFileSync(process.execPath, [script], { env: { TENOR_PORT: port } });
  t.throws(() => run('9'));
});

const packageOf = (from: string): string =>
  from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
