// `npm run release -- patch|minor|major|1.2.3 [--dry-run]`: the version, the changelog's section, the checks, the tests, the tarball and
// a start from the tarball; then one commit and one tag. Nothing is published: the tarball is in `releases/`, and the tag is pushed by
// hand.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const OUT = 'releases';
const UNRELEASED = '## Unreleased\n';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean', default: false } } });
const [step = ''] = positionals;
if (!/^(patch|minor|major|\d+\.\d+\.\d+)$/.test(step)) fail('Say which version: npm run release -- patch|minor|major|1.2.3 [--dry-run]');

if (output('git', ['branch', '--show-current']) !== 'main') fail('A release is made on main.');
if (output('git', ['status', '--porcelain']) !== '') fail('Commit or take back what is changed first.');
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const entries = changelog.split(UNRELEASED)[1]?.split(/^## /m)[0]?.trim() ?? '';
if (entries === '') fail('CHANGELOG.md says nothing under "Unreleased": write what users, operators and contributors notice.');

const files = ['package.json', 'package-lock.json', 'CHANGELOG.md'];
try {
  run('npm', ['version', step, '--no-git-tag-version']);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync('CHANGELOG.md', changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${today})\n`));
  run('npm', ['run', 'check']);
  run('npm', ['test']);
  const tarball = pack();
  tryOut(tarball, version);
  if (values['dry-run']) restore();
  else {
    run('git', ['commit', '-qm', `Release ${version}`, '--', ...files]);
    run('git', ['tag', '-a', `v${version}`, '-m', `Release ${version}\n\n${entries}`]);
  }
  console.log(
    `${tarball}: version ${version}${values['dry-run'] ? ' (dry run: no commit, no tag)' : `, committed and tagged v${version}`}`,
  );
} catch (error) {
  restore();
  fail(error.message);
}

/** Packs the program, without tests and sources. */
function pack() {
  mkdirSync(OUT, { recursive: true });
  const [{ filename }] = JSON.parse(output('npm', ['pack', '--json', '--pack-destination', OUT]));
  return join(OUT, filename);
}

/** Installs the tarball as an operator would, into an empty folder, and asks it who it is. */
function tryOut(tarball, version) {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-release-'));
  run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', resolve(tarball)]);
  const said = output(process.execPath, [join(folder, 'node_modules/tenor/dist/tenor.js'), '--version']);
  rmSync(folder, { recursive: true });
  if (said !== version) throw new Error(`The installed tarball says that it is ${said}.`);
}

function restore() {
  run('git', ['checkout', '-q', '--', ...files]);
}

function run(command, words) {
  const { status } = spawnSync(command, words, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} failed; nothing was released.`);
}

function output(command, words) {
  const { status, stdout } = spawnSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} failed; nothing was released.`);
  return stdout.trim();
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
