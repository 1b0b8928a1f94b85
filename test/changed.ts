import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/*
 * Which tests a change can reach by imports: `npm test -- --changed`. A test that starts the service as a separate process does not import
 * it; such tests are found by name, or by a run of all tests.
 */

const FOLDERS = ['engine', 'actors', 'persistence', 'gateway', 'bench', 'wiring', 'test'];

/**
 * Test files that import files that differ from a commit, directly or not, by path from the project's root, the nearest first.
 * @param base a commit, branch or tag; files that git does not know yet count as changed
 */
export function testsOfChanges(project: string, base: string): readonly string[] {
  const git = (...words: readonly string[]): readonly string[] =>
    execFileSync('git', words, { cwd: project, encoding: 'utf8' }).split('\n').filter(Boolean);
  const changed = [...git('diff', '--name-only', '--relative', base), ...git('ls-files', '--others', '--exclude-standard')];
  const tests = importersOf(project, changed).filter((file) => file.endsWith('.test.ts'));
  return tests.toSorted((a, b) => nearness(b, changed) - nearness(a, changed));
}

/** How many folders a test shares with a changed file, and its name as well: tests mirror the sources. */
function nearness(test: string, changed: readonly string[]): number {
  return Math.max(0, ...changed.map((file) => sharedParts(partsOf(test), partsOf(file))));
}

const partsOf = (file: string): readonly string[] =>
  file
    .replace(/^test\//, '')
    .replace(/(?:\.test)?\.ts$/, '')
    .split('/');

function sharedParts(a: readonly string[], b: readonly string[]): number {
  const differsAt = a.findIndex((part, at) => part !== b[at]);
  return differsAt < 0 ? a.length : differsAt;
}

function importersOf(project: string, files: readonly string[]): readonly string[] {
  const importers = new Map<string, string[]>();
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const file = `${folder}/${name}`;
      for (const imported of importsOf(project, file)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  const reached = new Set<string>();
  const queue = files.filter((file) => file.endsWith('.ts') && existsSync(join(project, file)));
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    if (reached.has(file)) continue;
    reached.add(file);
    queue.push(...(importers.get(file) ?? []));
  }
  return [...reached];
}

/** Imports of types count as well: files compiled from a type change with it. */
function importsOf(project: string, file: string): readonly string[] {
  const text = readFileSync(join(project, file), 'utf8');
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target = '']) =>
    normalize(join(dirname(file), target)).replace(/\.js$/, '.ts'),
  );
}
