// Installs and builds what is missing, so that `npm start` and `npm test` need no other step before them.
// `--packages` only installs, which `npm run check` needs; `--test` also fetches the servers that tests need.
// Without a network it uses what is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
process.chdir(root);

/** Debian's redis-server is a link to a program of another package, with the libraries that it is linked to. */
const REDIS = ['redis-server', 'redis-tools', 'liblzf1', 'libjemalloc2', 'libatomic1'];

install();
if (!process.argv.includes('--packages')) {
  if (!isSupported(process.versions.node)) installNode();
  const { build } = await import('./packaging/build/index.mjs');
  await build();
}
if (process.argv.includes('--test')) installServers();

/** `npm ci` when the lockfile is not the one that was installed from. */
function install() {
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  const mark = 'node_modules/.tenor-lock';
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  console.log('Installing packages ...');
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(mark, lock);
}

/** As in `wiring/supported-node.ts`, which says why. */
function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return (major === 20 && minor >= 19) || major === 22;
}

/** Node.js 22 from the package registry, below `.node/`. */
function installNode() {
  const [platform, arch] = [process.platform, process.arch];
  const lock = readFileSync('packaging/node/package-lock.json', 'utf8');
  const mark = '.node/.lock';
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  console.log(`Fetching Node.js 22, since this is ${process.versions.node} ...`);
  cpSync('packaging/node', '.node', { recursive: true });
  run('npm', ['ci', '--prefix', '.node', '--no-audit', '--no-fund', '--loglevel=error']);
  if (!existsSync(`.node/node_modules/node-${platform}-${arch}/bin/node`)) {
    console.error(`There is no Node.js 22 for ${platform} on ${arch} in the package registry: install it by hand, or 20.19.`);
    process.exit(1);
  }
  writeFileSync(mark, lock);
}

/**
 * The real servers that tests need, unpacked below `.servers/` where the machine has none: nothing is installed, and no service
 * starts. What is missing afterwards makes the tests that need it fail, by name.
 */
function installServers() {
  const needed = [
    { command: 'nats-server', debian: ['nats-server'] },
    { command: 'redis-server', debian: REDIS },
  ];
  process.env.PATH += `:/usr/sbin:${join(root, '.servers/usr/sbin')}:${join(root, '.servers/usr/bin')}`;
  const missing = needed
    .filter(({ command }) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0)
    .flatMap(({ debian }) => debian);
  if (missing.length === 0) return;
  console.log(`Fetching ${missing.join(', ')} for the tests ...`);
  mkdirSync('.servers', { recursive: true });
  const download = () =>
    spawnSync('apt-get', ['-o', 'APT::Sandbox::User=root', 'download', ...missing], {
      cwd: '.servers',
      stdio: ['ignore', 'ignore', 'inherit'],
    }).status === 0;
  if (!download() && process.getuid?.() === 0) {
    spawnSync('apt-get', ['update'], { stdio: ['ignore', 'ignore', 'inherit'] });
    download();
  }
  for (const file of readdirSync('.servers').filter((name) => name.endsWith('.deb')))
    spawnSync('dpkg', ['-x', file, '.'], { cwd: '.servers', stdio: 'inherit' });
}

function run(command, parameters) {
  const result = spawnSync(command, parameters, { stdio: 'inherit' });
  if (result.status !== 0) {
    console.error(`${command} ${parameters[0] ?? ''} failed.`);
    process.exit(result.status ?? 1);
  }
}
