// The check before a commit. The staged files are written to a folder of their own and checked there, so that files that are only in the
// work tree neither hide a fault nor cause one, and the work tree is not touched.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from './files.mjs';

/**
 * @param {readonly { name: string, reads: RegExp }[]} parts those that read a file that is staged run
 * @returns {number} the exit code
 */
export function checkStaged(parts) {
  const staged = git('diff', '--cached', '--name-only', '--no-renames')
    .split('\n')
    .filter((path) => path !== '');
  const concerned = parts.filter(({ reads }) => staged.some((path) => reads.test(path))).map(({ name }) => name);
  if (concerned.length === 0) return 0;
  const modules = realpathSync('node_modules');
  const folder = mkdtempSync(join(tmpdir(), 'tenor-check-'));
  try {
    git('checkout-index', '--all', `--prefix=${folder}/`);
    symlinkSync(modules, join(folder, 'node_modules'));
    const environment = withoutGit({ ...process.env, CHECK_CHANGED: staged.join('\n') });
    const run = (program, ...parameters) => spawnSync(program, parameters, { cwd: folder, env: environment, stdio: 'inherit' }).status ?? 1;
    // The tools ask git what is ignored.
    return run('git', 'init', '--quiet') || run(process.execPath, 'packaging/check/index.mjs', ...concerned);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In a hook git names its folder and index in the environment, which would then hold for the other folder, too. */
const withoutGit = (environment) => Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GIT_')));
