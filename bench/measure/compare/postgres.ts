import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { endsWithUs } from '../../cli/children.js';

const VERSIONS = '/usr/lib/postgresql';
/** Longest wait for a server that starts, in milliseconds. */
const START_MS = 60_000;

export interface Postgres {
  readonly port: number;
  readonly version: string;
  /** Folder of its programs: pgbench, psql. */
  readonly programs: string;
  stop(): Promise<void>;
}

/** The programs of Debian's PostgreSQL; installed when they are missing and the user has the right to. */
function findPostgres(): string {
  const found = programsOf();
  if (found !== null) return found;
  if (process.getuid?.() === 0) {
    spawnSync('apt-get', ['update'], { stdio: 'inherit' });
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql'], { stdio: 'inherit' });
  }
  const installed = programsOf();
  if (installed !== null) return installed;
  throw new Error('PostgreSQL is not installed. Install it with: apt-get install postgresql');
}

function programsOf(): string | null {
  if (!existsSync(VERSIONS)) return null;
  const [newest] = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a));
  const folder = join(VERSIONS, newest ?? '', 'bin');
  return existsSync(join(folder, 'initdb')) ? folder : null;
}

/** A fresh cluster with the settings that it ships with (durable commits), on a free port of this machine. */
export async function startPostgres(folder: string): Promise<Postgres> {
  const programs = findPostgres();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const user = otherUser(folder);
  const data = join(folder, 'data');
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'bench', '--auth=trust', '-E', 'UTF8', '--no-sync'], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
  const server = endsWithUs(spawn(join(programs, 'postgres'), args, { ...user, cwd: folder, stdio: 'ignore' }));
  const deadline = Date.now() + START_MS;
  while (spawnSync(join(programs, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' }).status !== 0) {
    if (Date.now() > deadline || server.exitCode !== null) throw new Error('PostgreSQL did not start.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    port,
    programs,
    version: execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' }).trim(),
    async stop() {
      const exited = once(server, 'exit');
      server.kill('SIGINT'); // the fast shutdown
      await exited;
    },
  };
}

/** PostgreSQL refuses to run as root; the package creates a user for it. */
function otherUser(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const number = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const user = { uid: number('-u'), gid: number('-g') };
  chownSync(folder, user.uid, user.gid);
  chownSync(join(folder, '..'), user.uid, user.gid);
  return user;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
