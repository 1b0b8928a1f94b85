import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Test, test } from 'tap';
import { isSupported, nodeToRun } from '../../wiring/supported-node.js';
import { tempFolder } from '../temp-folder.js';

const SETUP = resolve(import.meta.dirname, '../../../setup.mjs');

/** Versions of Node.js, and whether the HTTP server library has a binary for them. */
const VERSIONS = [
  ['18.20.4', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['20.20.2', true],
  ['21.7.3', false],
  ['22.0.0', true],
  ['22.23.3', true],
  ['23.1.0', false],
  ['24.4.1', false],
] as const;

test('Node.js 20.19 and later of the 20 line, and 22, run Tenor; every other version runs it on the pinned one', async (t) => {
  for (const [version, isExpected] of VERSIONS) t.equal(isSupported(version), isExpected, version);
  t.equal(nodeToRun(), process.execPath);
});

test('the script that installs and the program agree which versions are supported', async (t) => {
  const conditionOf = (text: string): string | undefined => /return (\(major === .*);/.exec(text)?.[1]?.replace('FIRST_OF_20', '19');
  const program = readFileSync(resolve(import.meta.dirname, '../../../wiring/supported-node.ts'), 'utf8');
  t.ok(conditionOf(program));
  t.equal(conditionOf(readFileSync(SETUP, 'utf8')), conditionOf(program));
});

/** A version that has no binary of the HTTP server library. */
const OTHER = '24.4.1';

/** A folder like that of a checkout, with a pinned Node.js where that is asked for. */
function checkout(t: Test, isInstalled: boolean): { readonly folder: string; readonly node: string } {
  const folder = tempFolder(t);
  const node = join(folder, `.node/node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (isInstalled) {
    mkdirSync(dirname(node), { recursive: true });
    symlinkSync(process.execPath, node);
  }
  return { folder, node };
}

/** Runs a script as Tenor's entry point does under another version of Node.js. */
function runUnder(folder: string, script: string): ChildProcess {
  const [entry, target] = [join(folder, 'entry.mjs'), join(folder, 'target.mjs')];
  writeFileSync(target, script);
  const program = resolve(import.meta.dirname, '../../wiring/supported-node.js');
  const running = JSON.stringify({ version: OTHER, folder });
  writeFileSync(
    entry,
    `import { runOnPinnedNode } from ${JSON.stringify(program)};\n` +
      `process.exit(await runOnPinnedNode(${JSON.stringify(target)}, ['serve', '--port', '0'], ${running}));\n`,
  );
  return spawn(process.execPath, [entry], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** All that a process writes, and its exit code. */
async function endOf(child: ChildProcess): Promise<{ readonly code: unknown; readonly out: string; readonly error: string }> {
  const texts = { out: '', error: '' };
  child.stdout?.on('data', (data: Buffer) => (texts.out += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (texts.error += data.toString()));
  const [code]: readonly unknown[] = await once(child, 'close');
  return { code, ...texts };
}

test('under another version the pinned Node.js runs, with the same parameters and exit code, and one line says so', async (t) => {
  const { folder, node } = checkout(t, true);
  t.equal(nodeToRun({ version: OTHER, folder }), node);
  const script = 'process.stdout.write(JSON.stringify([process.argv0, ...process.argv.slice(2)])); process.exitCode = 7;';
  const { code, out, error } = await endOf(runUnder(folder, script));
  t.equal(code, 7);
  t.strictSame(JSON.parse(out), [node, 'serve', '--port', '0']);
  t.equal(error, `Node.js ${OTHER} has no binary of the HTTP server library: running on ${node}.\n`);
});

test('a signal reaches what runs on the pinned Node.js', async (t) => {
  const { folder } = checkout(t, true);
  const script = "process.on('SIGTERM', () => process.exit(9)); setTimeout(() => process.exit(1), 60_000); process.stdout.write('ready');";
  const child = runUnder(folder, script);
  child.stdout?.once('data', () => child.kill('SIGTERM'));
  t.match(await endOf(child), { code: 9, out: 'ready' });
});

test('without a pinned Node.js a sentence says which versions run Tenor, and how to get one', async (t) => {
  const { folder } = checkout(t, false);
  t.equal(nodeToRun({ version: OTHER, folder }), null);
  const { code, out, error } = await endOf(runUnder(folder, "process.stdout.write('runs')"));
  t.strictSame([code, out], [2, '']);
  t.equal(
    error,
    `Tenor runs on Node.js 20.19 or later of the 20 line, and on 22; this is ${OTHER}. ` +
      'Install one of them, or run "npm run build" in a checkout, which fetches Node.js 22 for it.\n',
  );
});
