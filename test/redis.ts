import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { tempFolder } from './temp-folder.js';

type Test = { teardown(run: () => void | Promise<void>): void };

export interface RedisServer {
  readonly url: string;
  /** Answers no requests until `resume`, like a machine that hangs. */
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  restart(): Promise<void>;
}

/** Longest wait for its start, in milliseconds: a busy machine takes long. */
const START_MS = 60_000;
const PORT_TRIES = 5;
/** Where servers may be: on the machine, or where `npm test` has unpacked missing ones. */
const SERVERS = resolve(import.meta.dirname, '../../.servers/usr');
const SEARCHED = [process.env['PATH'], '/usr/sbin', join(SERVERS, 'sbin'), join(SERVERS, 'bin')].join(':');

/** Starts a redis-server on a free port of this machine, and stops it after the test. */
export async function redisServer(t: Test): Promise<RedisServer> {
  const folder = tempFolder(t);
  const { port, server: first } = await startAnywhere(folder);
  let server = first;
  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  t.teardown(kill);
  return {
    url: `redis://127.0.0.1:${port}`,
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    kill,
    async restart() {
      server = start(folder, port);
      if (!(await listens(server, port))) throw new Error(`somebody else has taken port ${port} of redis-server`);
    },
  };
}

/** Another process may take a free port before the server does. */
async function startAnywhere(folder: string): Promise<{ readonly port: number; readonly server: ReturnType<typeof spawn> }> {
  for (let tried = 0; tried < PORT_TRIES; tried += 1) {
    const port = await freePort();
    const server = start(folder, port);
    if (await listens(server, port)) return { port, server };
  }
  throw new Error(`redis-server has ended ${PORT_TRIES} times`);
}

function start(folder: string, port: number): ReturnType<typeof spawn> {
  return spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder], {
    stdio: 'ignore',
    env: { ...process.env, PATH: SEARCHED, LD_LIBRARY_PATH: libraries() },
  });
}

/** Of the unpacked servers: `usr/lib/<triplet>`. */
function libraries(): string {
  try {
    return readdirSync(join(SERVERS, 'lib'))
      .map((name) => join(SERVERS, 'lib', name))
      .join(':');
  } catch {
    return ''; // there are none: the machine has the server itself
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** False if it has ended because the port was in use. */
async function listens(server: ReturnType<typeof spawn>, port: number): Promise<boolean> {
  let cause: unknown = null;
  server.once('error', (missing) => (cause = missing));
  for (const until = performance.now() + START_MS; performance.now() < until && cause === null; ) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => socket.once('connect', () => resolve(true)).once('error', () => resolve(false)));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (server.exitCode !== null) return false;
    if (isOpen) return true;
  }
  throw new Error('redis-server does not start', { cause });
}
