import type { Mistake } from './mistakes.js';

/** The result of a mistake. Mistakes that change nothing are in `equivalent.ts`, each with its reason. */
export type Verdict = 'found' | 'found by time' | 'not noticed' | 'not run' | 'changes nothing';

export interface Result {
  readonly mistake: Mistake;
  readonly verdict: Verdict;
  /** The compiled test file that noticed it. */
  readonly by: string;
}

/** The folder of the engine in which a mistake is planted; for ledgers, the ledger. */
export function moduleOf({ file }: Pick<Mistake, 'file'>): string {
  const [, folder, inner] = file.split('/').slice(0, -1);
  return (folder === 'ledger' ? inner : folder) ?? 'engine';
}

/** A line for each module and one for all: the percentage of found mistakes among those that change something. */
export function table(results: readonly Result[]): string {
  const modules = [...new Set(results.map(({ mistake }) => moduleOf(mistake)))].sort();
  const rows = modules.map((name) =>
    rowOf(
      name,
      results.filter(({ mistake }) => moduleOf(mistake) === name),
    ),
  );
  if (modules.length > 1) rows.push(rowOf('all', results));
  return [['module', 'mistakes', 'found', 'not noticed', 'not run', 'change nothing', 'score'], ...rows].map(aligned).join('\n');
}

function rowOf(name: string, results: readonly Result[]): readonly string[] {
  const count = (...verdicts: readonly Verdict[]): number => results.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const found = count('found', 'found by time');
  const counted = results.length - count('changes nothing');
  const score = counted === 0 ? '-' : `${((100 * found) / counted).toFixed(1)} %`;
  return [name, results.length, found, count('not noticed'), count('not run'), count('changes nothing'), score].map(String);
}

const WIDTHS = [14, 8, 7, 11, 7, 14, 8];

const aligned = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(WIDTHS[0] ?? 0) : cell.padStart(WIDTHS[at] ?? 0))).join('  ');
