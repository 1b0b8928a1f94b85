import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { test } from 'tap';
import { loadProgram, writeCodeCache } from '../../wiring/program.js';
import { tempFolder } from '../temp-folder.js';

/** The program has its own loader with V8's code cache. These tests check that it behaves like the loader of Node. */
const LOADER = new URL('../../wiring/program.js', import.meta.url).href;

const SOURCE = `import { basename } from 'node:path';

function fails(word: string): never {
  throw new TypeError(word);
}

export async function main(words: readonly string[]): Promise<number> {
  if (words[0] === 'fail') fails('as asked');
  const { sep } = await import('node:path');
  console.log(basename(\`here\${sep}there\`), words.length);
  return 3;
}
`;

/** A program as the build makes it, in a separate folder. */
async function makeProgram(folder: string): Promise<string> {
  const file = join(folder, 'program-1.cjs');
  writeFileSync(join(folder, 'source.ts'), SOURCE);
  await build({
    entryPoints: [join(folder, 'source.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minifyWhitespace: true,
    supported: { 'dynamic-import': false },
    sourcemap: true,
    sourcesContent: false,
  });
  return file;
}

/** Runs it in a new process; returns its exit code, its output, and whether V8 accepted the cache. */
function run(file: string, words: readonly string[], flags: readonly string[] = []): { code: number | null; out: string; failed: string } {
  const script = `const { loadProgram } = await import(${JSON.stringify(LOADER)});
    const { main } = await loadProgram(${JSON.stringify(file)});
    process.exitCode = await main(${JSON.stringify(words)});`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', script], { encoding: 'utf8' });
  return { code: status, out: stdout.trim(), failed: stderr };
}

test('a program runs with a code cache, without one, with one that was cut, and under other flags', async (t) => {
  const file = await makeProgram(tempFolder(t));
  const right = { code: 3, out: 'there 2' };
  t.match(run(file, ['a', 'b']), right, 'without');
  const cache = await writeCodeCache(file);
  t.match(run(file, ['a', 'b']), right, 'with');
  t.match(run(file, ['a', 'b'], ['--expose-gc']), right, 'under other flags');
  t.match(run(file, ['a', 'b'], ['--max-semi-space-size=64']), right, 'under flags that have a cache of their own');
  writeFileSync(cache, 'cut');
  t.match(run(file, ['a', 'b']), right, 'cut');
});

test('stack traces of a program name its sources', async (t) => {
  const file = await makeProgram(tempFolder(t));
  const { code, failed } = run(file, ['fail']);
  t.equal(code, 1);
  t.match(failed, /TypeError: as asked\n {4}at fails \(\S*source\.ts:4:\d+\)\n {4}at (?:async )?main \(\S*source\.ts:8:\d+\)/);
  t.notMatch(failed.split('\n    at ').slice(1).join('\n'), /program-1\.cjs/);
});

test('the build has made both code caches of the current program', async (t) => {
  const dist = join(import.meta.dirname, '../..');
  const [program = '', ...others] = readdirSync(dist).filter((name) => /^program-\w+\.cjs$/.test(name));
  t.strictSame(others, [], 'one program');
  t.strictSame(
    readdirSync(dist)
      .filter((name) => name.endsWith('.cache'))
      .sort(),
    [`${program}.cache`, `${program}.max-semi-space-size=64.cache`],
  );
  t.equal(typeof (await loadProgram(join(dist, program))).main, 'function');
});
