import { must } from '../../engine/index.js';

/** An operation as a table of the contract names it. */
export interface ContractRow {
  readonly method: string;
  /** Relative to the base, with the names of the parameters. */
  readonly path: string;
  /** The section of the file that names it: `2. Transactions (TX)`. */
  readonly section: string;
  /** The cells of its row, by the name of the column in lower case: `query`, `success`, `perm`. */
  readonly cells: Readonly<Record<string, string>>;
}

const SECTION = /^## (.+)$/;
const ROW = /^\|\s*((?:GET|POST|PUT|PATCH|DELETE)(?:\s*[/,]\s*(?:GET|POST|PUT|PATCH|DELETE))*)\s*\|([^|]*)\|/;
const HEAD = /^\|\s*METHOD\s*\|([^|]*)\|/i;

/** `L`, `D` and `U` as `loans.md` 0 defines them. */
const SHORTHANDS: readonly (readonly [RegExp, string])[] = [
  [/^U(?=\/|$)/, 'D/purchases/{purchaseId}'],
  [/^D(?=\/|$)/, 'L/draws/{drawId}'],
  [/^L(?=\/|$)/, '/people/{personId}/loans/{loanId}'],
];

/**
 * The operations in the tables of one file. Rows are written for people: `POST/GET`, `L/rates[/{rateId}]`, `same`
 * (the path of the row above), `.../x` (the prefix in the table's head, or that of the rows above), several paths
 * with commas, remarks behind the path.
 */
export function contractRows(markdown: string): ContractRow[] {
  const rows = new Map<string, ContractRow>();
  const paths: string[] = [];
  let prefix: string | undefined;
  let section = '';
  let columns: readonly string[] = [];
  for (const line of markdown.split('\n')) {
    section = SECTION.exec(line)?.[1] ?? section;
    const head = HEAD.exec(line);
    if (head) {
      prefix = /prefix (\S+?)\)/.exec(head[1] ?? '')?.[1];
      columns = cellsOf(line).map((name) => name.toLowerCase());
    }
    const match = ROW.exec(line);
    if (!match) continue;
    const cells = Object.fromEntries(cellsOf(line).map((text, at) => [columns[at] ?? '', text]));
    const methods = (match[1] ?? '').split(/[/,\s]+/);
    const cell = (match[2] ?? '').replaceAll('`', '').trim();
    const alsoSame = /,\s*(GET|POST|PUT|PATCH|DELETE) same/.exec(cell)?.[1];
    for (const written of cell.replace(/,\s*[A-Z]+ same/, '').split(/,\s*/)) {
      for (const method of alsoSame === undefined ? methods : [...methods, alsoSame]) {
        for (const path of expand(written, method, paths, prefix)) {
          paths.push(path);
          const key = `${method} ${shapeOf(path)}`;
          if (!rows.has(key)) rows.set(key, { method, path, section, cells });
        }
      }
    }
  }
  return [...rows.values()];
}

/** The texts between the bars of a table's line. */
export const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((text) => text.trim());

/** Paths that differ only in the names of their parameters are the same. */
export const shapeOf = (path: string): string => path.replace(/\{[^}]*\}/g, '{}');

function expand(written: string, method: string, before: readonly string[], prefix: string | undefined): string[] {
  const remarkless = written.replace(/\{[^}]*\}/g, (name) => name.replace(/ .*\}/, '}')).split(' ')[0] ?? '';
  const full = absolute(remarkless, before, prefix);
  const optional = /^(.*)\[(.*)\]$/.exec(full);
  if (!optional) return [full];
  const [, without = '', item = ''] = optional;
  if (method === 'GET') return [without, without + item];
  return [method === 'POST' ? without : without + item];
}

function absolute(written: string, before: readonly string[], prefix: string | undefined): string {
  if (written === 'same') return must(before.at(-1), 'a path above "same"');
  if (written.startsWith('.../')) {
    if (prefix !== undefined) return `${prefix}${written.slice(3)}`;
    const segment = `/${written.split('/')[1]}`;
    const above = must(
      [...before].reverse().find((path) => path.includes(segment)),
      `a path above with ${segment}`,
    );
    return `${above.slice(0, above.indexOf(segment))}${written.slice(3)}`;
  }
  return SHORTHANDS.reduce((path, [short, long]) => path.replace(short, long), written);
}
