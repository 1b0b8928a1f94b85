import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';

type Test = { teardown(run: () => void | Promise<void>): void };

export interface NatsServer {
  readonly url: string;
  readonly port: number;
  connect(): Promise<NatsConnection>;
}

const START_MS = 10_000;
/** Where servers may lie: on the machine, or where `npm test` has put those that it lacks. */
const SERVERS = resolve(import.meta.dirname, '../../.servers/usr');
const SEARCHED = [process.env['PATH'], '/usr/sbin', join(SERVERS, 'sbin'), join(SERVERS, 'bin')].join(':');

/** A nats-server of its own with JetStream, on a free port of this machine, gone after the test. */
export async function natsServer(t: Test, settings: { readonly maxPayload?: number } = {}): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-nats-'));
  const config = join(folder, 'nats.conf');
  writeFileSync(config, `max_payload: ${settings.maxPayload ?? 1_048_576}\njetstream { store_dir: "${join(folder, 'store')}" }\n`);
  const server = spawn('nats-server', ['-c', config, '-a', '127.0.0.1', '-p', '-1', '--ports_file_dir', folder], { stdio: 'ignore', env: { ...process.env, PATH: SEARCHED } });
  const ended = once(server, 'exit');
  ended.catch(() => undefined); // told by `urlIn`
  const connections: NatsConnection[] = [];
  t.teardown(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    server.kill('SIGKILL');
    await ended.catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  });
  const url = await Promise.race([urlIn(folder), ended.then(() => Promise.reject(new Error('nats-server ended at once')))]);
  return {
    url,
    port: Number(new URL(url).port),
    async connect() {
      const connection = await connect({ servers: url });
      connections.push(connection);
      return connection;
    },
  };
}

async function urlIn(folder: string): Promise<string> {
  for (const until = Date.now() + START_MS; Date.now() < until; ) {
    const file = readdirSync(folder).find((name) => name.endsWith('.ports'));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
    const [url] = text.endsWith('}') ? (JSON.parse(text) as { readonly nats: readonly string[] }).nats : [];
    if (url !== undefined) return url;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('nats-server does not start');
}

export interface Wire {
  readonly url: string;
  /** While true, what the server says is lost on the way. */
  isDeaf: boolean;
  /** Ends all connections and takes no more, until it is mended. */
  cut(): void;
  mend(): void;
}

/** A way to the server that can lose what the server answers. */
export async function lossyWire(t: Test, port: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const wire = {
    url: '',
    isDeaf: false,
    cut(): void {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend(): void {
      isCut = false;
    },
  };
  const proxy = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connectSocket(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    near.pipe(far);
    far.on('data', (bytes) => {
      if (!wire.isDeaf) near.write(bytes);
    });
    far.on('end', () => near.end());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const address = proxy.address();
  wire.url = `nats://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return wire;
}
