import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Parser, type Result } from 'tap-parser';

/*
 * Runs the compiled tests with tap and ends with `N passed, N failed`, counting assertions. Arguments are parts of
 * file names: `npm test -- journal` runs what has "journal" in its path. Longer suites are switched on by the
 * environment, see the README.
 */
const folder = dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.js'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .sort()
  .map((name) => relative(process.cwd(), join(folder, name)));

if (files.length === 0) {
  console.error('No test file has such a name.');
  process.exit(1);
}

let passed = 0;
let failed = 0;
let skipped = 0;

const tap = spawn(process.execPath, ['node_modules/tap/dist/esm/run.mjs', '--reporter=tap', '--disable-coverage', ...files], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const parser = new Parser();
parser.on('child', (file: Parser) => listen(file, [file.name]));
parser.on('assert', (result: Result) => {
  console.log(`${result.ok ? 'ok  ' : 'FAIL'} ${result.name}${result.time == null ? '' : ` (${(result.time / 1000).toFixed(1)} s)`}`);
});
tap.stdout.pipe(parser);
tap.on('close', (code) => {
  if (failed === 0 && code !== 0) failed = 1;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
});

/** Counts the assertions of a file or subtest, and tells of those that fail, are skipped, or comment on a run. */
function listen(level: Parser, path: readonly string[]): void {
  let children = 0;
  level.on('child', (child: Parser) => {
    children += 1;
    listen(child, [...path, child.name]);
  });
  level.on('comment', (text: string) => {
    if (text.startsWith('# seed') || text.startsWith('# not run')) console.log(`     ${path.join(' > ')}: ${text.slice(2).trim()}`);
  });
  level.on('assert', (result: Result) => {
    if (children > 0) {
      children -= 1;
      if (result.ok || result.skip) return;
    }
    if (result.skip) {
      skipped += 1;
      console.log(`     not run: ${path.join(' > ')}${typeof result.skip === 'string' ? `: ${result.skip}` : ''}`);
    } else if (result.ok) passed += 1;
    else {
      failed += 1;
      console.log(`FAIL ${[...path, result.name].join(' > ')}`);
      if (result.diag) console.log(indent(JSON.stringify(result.diag, null, 2)));
    }
  });
}

const indent = (text: string): string => text.replace(/^/gm, '     ');
