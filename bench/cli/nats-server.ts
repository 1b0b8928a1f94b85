import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fieldOf } from '../../engine/index.js';
import { endsWithUs } from './children.js';

/** Longest wait for its address, in milliseconds: a busy machine starts it slowly. */
const START_MS = 60_000;
/** Folders of server programs: those of the machine, and the one where `npm test` puts missing ones. */
const SERVERS = resolve(import.meta.dirname, '../../../.servers/usr');
const SEARCHED = [process.env['PATH'], '/usr/sbin', join(SERVERS, 'sbin'), join(SERVERS, 'bin')].join(':');

/** Whether a program is on this machine. */
export const isThere = (program: string): boolean =>
  SEARCHED.split(':').some((folder) => folder !== '' && existsSync(join(folder, program)));

export interface NatsProcess {
  readonly url: string;
  readonly pid: number;
  /** Resolves with what ended it, once it has ended. */
  readonly ended: Promise<void>;
  /** SIGTERM flushes what it holds; SIGKILL does not. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export interface NatsOptions {
  /** Its configuration and what it stores; made where it is missing. */
  readonly folder: string;
  /** 0 = any free one of this machine. */
  readonly port?: number;
  /** Address that it listens on; that of the loopback when absent. */
  readonly host?: string;
  /** Longest message, in bytes. */
  readonly maxPayload?: number;
  /** What all of its streams may take, in bytes; absent: three quarters of what the disk has free. */
  readonly storeBytes?: number;
}

/** Starts a nats-server with JetStream on a loopback port. */
export async function startNats({
  folder,
  host = '127.0.0.1',
  port = 0,
  maxPayload = 1_048_576,
  storeBytes,
}: NatsOptions): Promise<NatsProcess> {
  await mkdir(folder, { recursive: true });
  for (const file of portFiles(folder)) rmSync(join(folder, file)); // of a server that was killed
  const config = join(folder, 'nats.conf');
  const room = storeBytes === undefined ? '' : `, max_file_store: ${storeBytes}`;
  writeFileSync(config, `max_payload: ${maxPayload}\njetstream { store_dir: "${join(folder, 'store')}"${room} }\n`);
  const args = ['-c', config, '-a', host, '-p', port === 0 ? '-1' : String(port), '--ports_file_dir', folder];
  const server = endsWithUs(spawn('nats-server', args, { stdio: 'ignore', env: { ...process.env, PATH: SEARCHED } }));
  const ended = once(server, 'exit').then(() => undefined);
  ended.catch(() => undefined); // the failure is reported where its address is awaited
  const url = await Promise.race([urlIn(folder), ended.then(() => Promise.reject(new Error('nats-server ended at once')))]);
  return {
    url,
    pid: server.pid ?? 0,
    ended,
    async stop(signal) {
      server.kill(signal);
      await ended;
    },
  };
}

const portFiles = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name.endsWith('.ports'));

async function urlIn(folder: string): Promise<string> {
  for (const until = Date.now() + START_MS; Date.now() < until; ) {
    const [file] = portFiles(folder);
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
    const urls = text.endsWith('}') ? fieldOf(JSON.parse(text), 'nats') : undefined;
    const url: unknown = Array.isArray(urls) ? urls[0] : undefined;
    if (typeof url === 'string') return url;
    await new Promise((passed) => setTimeout(passed, 20));
  }
  throw new Error('nats-server does not start');
}
