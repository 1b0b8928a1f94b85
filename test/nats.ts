import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectSocket, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import type { SharedKeyValue } from '../actors/index.js';
import { startNats } from '../bench/index.js';
import { openStreamJournal, openStreamKeyValue } from '../persistence/index.js';

type Test = { teardown(run: () => void | Promise<void>): void };

/** Longest wait for a running server, in milliseconds: on a busy machine it answers late. */
export const PATIENT_MS = 30_000;

/** Opens a journal in JetStream that tolerates a slow server. */
export const openPatiently: typeof openStreamJournal = (options) => openStreamJournal({ ackMs: PATIENT_MS, ...options });

export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** The folder in which it stores its data. */
  readonly folder: string;
  connect(options?: Partial<ConnectionOptions>): Promise<NatsConnection>;
  /** Opens a bucket of shared records over a new connection. */
  records(bucket?: string): Promise<SharedKeyValue>;
  /** Kills it and starts it again on the same port, with what is on its disk then. */
  restart(meanwhile?: () => void): Promise<void>;
  /** Kill and start separately, for a longer outage. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a nats-server with JetStream on a free port of this machine, and stops it after the test. */
export async function natsServer(
  t: Test,
  settings: { readonly maxPayload?: number; readonly storeBytes?: number; readonly host?: string; readonly within?: string } = {},
): Promise<NatsServer> {
  const folder = mkdtempSync(join(settings.within ?? tmpdir(), 'tenor-nats-'));
  let server = await startNats({ folder, ...settings });
  const { url } = server;
  const port = Number(new URL(url).port);
  const connections: NatsConnection[] = [];
  const newConnection = async (options: Partial<ConnectionOptions> = {}): Promise<NatsConnection> => {
    const connection = await connect({ servers: url, ...options });
    connections.push(connection);
    return connection;
  };
  t.teardown(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await server.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url,
    port,
    folder,
    connect: newConnection,
    records: async (bucket = 'tenor') => openStreamKeyValue({ connection: await newConnection(), bucket, timeoutMs: PATIENT_MS }),
    async restart(meanwhile) {
      await server.stop('SIGKILL');
      meanwhile?.();
      server = await startNats({ folder, port, ...settings });
    },
    async stop() {
      await server.stop('SIGKILL');
    },
    async start() {
      server = await startNats({ folder, port, ...settings });
    },
  };
}

export interface Wire {
  readonly url: string;
  /** While true, data from the server is lost. */
  isDeaf: boolean;
  /** Resolves when data has been lost since the call. */
  loses(): Promise<void>;
  /** Ends all connections and accepts no new ones until `mend`. */
  cut(): void;
  mend(): void;
}

/** A proxy to the server that can lose its answers. */
export async function lossyWire(t: Test, port: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let isCut = false;
  const wire = {
    url: '',
    isDeaf: false,
    loses: () => new Promise<void>((resolve) => waiting.add(resolve)),
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
      else for (const resolve of waiting) resolve(); // once more does no harm
    });
    far.on('end', () => near.end());
    far.on('error', () => near.destroy()); // the server is gone: close the client's connection
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
