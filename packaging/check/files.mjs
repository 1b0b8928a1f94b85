// The files that the check reads itself: those that git knows or would add, without generated and foreign ones.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Ends of names of what people write: code and prose. */
const WRITTEN = /\.(ts|mjs|js|md|sh|yaml|yml)$/;

/** Written by others, or by a program. */
const FOREIGN = /(^|\/)fixtures\/|^packaging\/helm\/.*\/templates\//;

/** @returns {string} what git answers; throws with git's own words where it cannot */
export function git(...parameters) {
  const { status, stdout, stderr, error } = spawnSync('git', parameters, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`git ${parameters.join(' ')} failed: ${stderr.trim()}`);
  return stdout;
}

const linesOf = (text) => text.split('\n').filter((line) => line !== '');

/** @returns {readonly { path: string, lines: readonly string[] }[]} */
export function writtenFiles() {
  return linesOf(git('ls-files', '--cached', '--others', '--exclude-standard'))
    .filter((path) => WRITTEN.test(path) && !FOREIGN.test(path) && existsSync(path))
    .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n') }));
}

/**
 * The files in which a new fault most likely is: those that differ from the last commit, or where nothing does, those of that commit.
 * @returns {ReadonlySet<string>}
 */
export function changedFiles() {
  const named = process.env['CHECK_CHANGED'];
  if (named !== undefined) return new Set(linesOf(named));
  const open = [...linesOf(git('diff', '--name-only', 'HEAD')), ...linesOf(git('ls-files', '--others', '--exclude-standard'))];
  return new Set(open.length > 0 ? open : linesOf(git('diff-tree', '-r', '--root', '--no-commit-id', '--name-only', 'HEAD')));
}
