import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endsWithUs } from './children.js';
import { ENTRY_POINT } from './service-client.js';
import { startNats } from './nats-server.js';

/** Longest wait for a process that starts, and for one that ends, in milliseconds. */
const START_MS = 120_000;
const STOP_MS = 30_000;

export interface ClusterOptions {
  readonly workers: number;
  readonly gateways: number;
  /** Address of a server; absent: one of its own under the data folder. */
  readonly nats?: string;
  /** Of the first gateway; 0 takes free ones. */
  readonly port: number;
  readonly data: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Longest wait for a process that ends, in milliseconds: an orderly end stores a last snapshot. */
  readonly stopMs?: number;
  /** How members of these names are started, where they need another command or environment. */
  readonly launches?: Readonly<Record<string, Launch>>;
}

/** A command in front of a process (`ip netns exec …`), and additions to its environment. */
export interface Launch {
  readonly command: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** A process of the cluster. */
export interface Member {
  readonly name: string;
  readonly pid: number;
  /** Where a gateway serves, or a worker its operators' pages. */
  readonly url: string | null;
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal, and resolves when the process is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** The NATS server of a cluster, where it is one of its own. */
interface ClusterServer {
  /** 0 for a server that this cluster did not start. */
  readonly pid: number;
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Starts it again on the same port, with its stored data. */
  start(): Promise<void>;
}

export interface RunningCluster {
  readonly nats: string;
  readonly server: ClusterServer;
  readonly workers: readonly Member[];
  readonly gateways: readonly Member[];
  /** The output of the first gateway at its start, with the keys of a new company, and the members. */
  readonly lines: readonly string[];
  addWorker(name: string): Promise<Member>;
  /** Ends gateways, then workers, then the server. */
  stop(): Promise<void>;
}

/** Starts the processes of a cluster, one after the other, on loopback addresses. */
export async function runCluster({
  workers,
  gateways,
  nats,
  port,
  data,
  environment = {},
  stopMs = STOP_MS,
  launches = {},
}: ClusterOptions): Promise<RunningCluster> {
  const folder = natsFolder(data);
  let server = nats === undefined ? await startNats({ folder }) : null;
  const url = nats ?? server?.url ?? '';
  const env = { TENOR_LOG: 'warn', TENOR_OPERATOR_PORT: '0', ...process.env, ...environment, TENOR_NATS: url, TENOR_DATA: data };
  const run = (name: string, args: readonly string[]): Promise<Started> =>
    start(name, [...args, '--node', name], { env, stopMs, launch: launches[name] });
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
  const startedWorkers = await Promise.all(numbers(workers).map((number) => run(`worker-${number}`, ['worker'])));
  const gateway = (number: number): Promise<Started> =>
    run(`gateway-${number}`, ['gateway', '--port', String(port === 0 ? 0 : port + number - 1)]);
  const [first, ...others] = numbers(gateways);
  const startedGateways = first === undefined ? [] : [await gateway(first)]; // alone, since it creates what must be created only once
  startedGateways.push(...(await Promise.all(others.map(gateway))));
  const lines = [
    ...startedGateways.flatMap(({ said }) => said),
    `  NATS          ${url}`,
    ...[...startedWorkers, ...startedGateways].map(
      ({ member }) => `  ${member.name.padEnd(12)}  process ${member.pid}${member.url === null ? '' : `, ${member.url}/metrics`}`,
    ),
  ];
  return {
    nats: url,
    server: {
      get pid() {
        return server?.pid ?? 0;
      },
      stop: async (signal) => server?.stop(signal),
      async start() {
        server = await startNats({ folder, port: Number(new URL(url).port) });
      },
    },
    async addWorker(name) {
      const added = await run(name, ['worker']);
      startedWorkers.push(added);
      return added.member;
    },
    workers: startedWorkers.map(({ member }) => member),
    gateways: startedGateways.map(({ member }) => member),
    lines,
    async stop() {
      for (const members of [startedGateways, startedWorkers]) await Promise.all(members.map(({ member }) => member.end('SIGTERM')));
      await server?.stop('SIGTERM');
    },
  };
}

/** Data folder of the cluster's own NATS server. */
export const natsFolder = (data: string): string => join(data, 'nats');

const HERE: Launch = { command: [], environment: {} };

interface Started {
  readonly member: Member;
  readonly said: readonly string[];
}

interface StartOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly stopMs: number;
  readonly launch: Launch | undefined;
}

async function start(name: string, args: readonly string[], { env, stopMs, launch = HERE }: StartOptions): Promise<Started> {
  const [program = '', ...rest] = [...launch.command, process.execPath, ENTRY_POINT, ...args];
  const child = endsWithUs(spawn(program, rest, { env: { ...env, ...launch.environment }, stdio: ['ignore', 'pipe', 'inherit'] }));
  const said = await untilServing(name, child);
  const url = said.map(urlIn).find((found) => found !== undefined) ?? null;
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit').then(() => undefined) : Promise.resolve();
  const member: Member = {
    name,
    pid: child.pid ?? 0,
    url,
    ended,
    signal: (signal) => void child.kill(signal),
    end: (signal) => end(child, signal, stopMs),
  };
  return { member, said: said.filter((line) => !line.startsWith('Worker ')) };
}

const urlIn = (line: string): string | undefined => /^(?:Tenor serves|Worker \S+ serves, health at) (http:\/\/[^/\s]+)/.exec(line)?.[1];

/** The lines that the process prints until it serves. */
async function untilServing(name: string, child: ChildProcess): Promise<readonly string[]> {
  const said: string[] = [];
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS);
  try {
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      said.push(line);
      if (!/^Worker \S+ serves|^ {2}Health /.test(line)) continue;
      child.stdout?.resume();
      return said;
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error(`${name} did not start.`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals, stopMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
  await exited;
  clearTimeout(timer);
}
