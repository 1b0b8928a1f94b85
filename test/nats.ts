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

/** Longest wait for a server that is there, in milliseconds: on a busy machine it answers late. */
export const PATIENT_MS = 30_000;

/** A journal in JetStream, where a server that answers late is no failure. */
export const openPatiently: typeof openStreamJournal = (options) => openStreamJournal({ ackMs: PATIENT_MS, ...options });

export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** What it stores lies below. */
  readonly folder: string;
  connect(options?: Partial<ConnectionOptions>): Promise<NatsConnection>;
  /** A bucket of shared records, over a connection of its own. */
  records(bucket?: string): Promise<SharedKeyValue>;
  /** Kills it and starts it again with what it has on the disk then, where its clients look for it. */
  restart(meanwhile?: () => void): Promise<void>;
  /** The two halves of it, for an outage of some length. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A nats-server of its own with JetStream, on a free port of this machine, gone after the test. */
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
  /** While true, what the server says is lost on the way. */
  isDeaf: boolean;
  /** Resolves when something has been lost since it was asked. */
  loses(): Promise<void>;
  /** Ends all connections and takes no more, until it is mended. */
  cut(): void;
  mend(): void;
}

/** A way to the server that can lose what the server answers. */
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
