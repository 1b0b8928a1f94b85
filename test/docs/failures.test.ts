import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'tap';
import { missing, sharedFile } from '../shared.js';

const projectFolder = resolve(import.meta.dirname, '../../..');

interface Proof {
  readonly file: string;
  readonly name: string;
}

interface Row {
  readonly what: string;
  readonly where: string;
  readonly seen: string;
  readonly proofs: readonly Proof[];
}

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The rows of the table of a page whose head begins with `head`. */
function tableOf(page: string, head: string): readonly (readonly string[])[] {
  const lines = page.split('\n');
  const begin = lines.findIndex((line) => line.startsWith(head));
  const end = lines.findIndex((line, at) => at > begin && !line.startsWith('|'));
  return lines.slice(begin + 2, end < 0 ? lines.length : end).map(cellsOf);
}

const proofOf = (text: string): Proof => {
  const [, file = '', name = ''] = /^`([^`]+)` (.+)$/.exec(text) ?? [];
  return { file, name };
};

const rows: readonly Row[] = tableOf(readFileSync(join(projectFolder, 'docs/failures.md'), 'utf8'), '| What happens |').map(
  ([what = '', where = '', seen = '', proofs = '']) => ({
    what,
    where,
    seen,
    proofs: proofs.split('<br>').map(proofOf),
  }),
);

test('each failure says what the user sees and names tests that exist', (t) => {
  t.ok(rows.length > 0);
  for (const { what, where, seen, proofs } of rows) {
    t.match(where, /^(one process|cluster|both)$/, what);
    t.not(seen, '', what);
    for (const { file, name } of proofs) t.ok(isThere(file, name), `${what}, ${where}: ${file} ${name}`);
  }
  t.end();
});

/** Whether the file has a test of this name; `*` stands for all tests of the file. */
function isThere(file: string, name: string): boolean {
  const path = join(projectFolder, file);
  return file.endsWith('.test.ts') && existsSync(path) && (name === '*' || readFileSync(path, 'utf8').includes(name));
}

const design = sharedFile('DESIGN.md');

test('the page of failures has each failure of the design', { skip: design === undefined && missing('DESIGN.md') }, (t) => {
  const wanted = tableOf(readFileSync(design ?? '', 'utf8'), '| What happens | What the user sees |').map(([what = '']) => what);
  t.ok(wanted.length > 0);
  for (const what of wanted)
    t.ok(
      rows.some((row) => row.what === what),
      what,
    );
  t.end();
});
