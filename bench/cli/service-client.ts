import { fieldsOf, recordsIn } from '../../engine/index.js';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { endsWithUs } from './children.js';

export type Json = Readonly<Record<string, unknown>>;

/** A reply that was no success. */
export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    method: string,
    path: string,
    text: string,
  ) {
    super(`${method} ${path} answered ${status}: ${text.slice(0, 500)}`);
  }
}

/** A connection that has rested so long is not used again, in milliseconds: after ten seconds the service closes it. */
const RESTED_MS = 5_000;

/** A plain client of the REST interface: JSON both ways, over a bounded number of kept connections. */
export class Client {
  readonly #agent: Agent;
  requests = 0;

  constructor(
    private readonly port: number,
    private readonly key: string,
    connections: number,
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: RESTED_MS });
  }

  /** The body of a success; throws `HttpFailure` for anything else. */
  async ask(method: string, path: string, body?: object): Promise<Json> {
    const { status, text } = await this.#send(method, `/api${path}`, body);
    if (status < 200 || status > 299) throw new HttpFailure(status, method, path, text);
    return text === '' ? {} : fieldsOf(JSON.parse(text));
  }

  /** `data` of a reply about one object. */
  async data(method: string, path: string, body?: object): Promise<Json> {
    return fieldsOf((await this.ask(method, path, body))['data']);
  }

  /** `data` of a page of a list. */
  async list(path: string): Promise<readonly Json[]> {
    return recordsIn(await this.ask('GET', path), 'data');
  }

  /** The body of a success at a path of the service itself, beside the interface. */
  async text(method: string, path: string): Promise<string> {
    const { status, text } = await this.#send(method, path, undefined);
    if (status !== 200) throw new HttpFailure(status, method, path, text);
    return text;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, body: object | undefined): Promise<{ readonly status: number; readonly text: string }> {
    const sent = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      Authorization: `Bearer ${this.key}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(sent) }),
    };
    this.requests += 1;
    return new Promise((answer, reject) => {
      const asked = httpRequest({ host: '127.0.0.1', port: this.port, path, method, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => answer({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }));
      });
      asked.on('error', reject);
      asked.end(sent);
    });
  }
}

/** Runs work on all items, a bounded number at a time, and keeps the order of the results. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}

/** The compiled entry point of the program, relative to this compiled file. */
export const ENTRY_POINT = resolve(import.meta.dirname, '../../tenor.js');

/** Longest wait for a service that starts, and for one that ends, in milliseconds. */
const START_MS = 120_000;
const STOP_MS = 30_000;

export interface ServiceProcess {
  readonly url: string;
  readonly port: number;
  readonly testKey: string;
  readonly pid: number;
  /** As a supervisor does: SIGTERM, and the exit code of a service that has drained. */
  stop(): Promise<number | null>;
  /** SIGKILL: nothing is finished or stored. */
  kill(): Promise<void>;
}

export interface ServiceOptions {
  readonly dataFolder: string;
  /** Key of the test mode; made when absent. */
  readonly testKey?: string;
  /** For node itself: `--cpu-prof`. */
  readonly nodeOptions?: readonly string[];
  /** Settings beside those of this process. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** Starts `tenor serve` in a process of its own, on a free port of this machine. */
export async function startService({
  dataFolder,
  testKey = newTestKey(),
  nodeOptions = [],
  environment = {},
}: ServiceOptions): Promise<ServiceProcess> {
  const child = endsWithUs(
    spawn(process.execPath, [...nodeOptions, ENTRY_POINT, 'serve', '--port', '0', '--data', dataFolder], {
      env: { ...process.env, ...environment, TENOR_TEST_KEY: testKey, TENOR_LOG: 'warn' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const url = await addressOf(child);
  return {
    url,
    port: Number(new URL(url).port),
    testKey,
    pid: child.pid ?? 0,
    stop: () => end(child, 'SIGTERM'),
    async kill() {
      await end(child, 'SIGKILL');
    },
  };
}

export const newTestKey = (): string => `test_${randomBytes(32).toString('base64url')}`;

async function addressOf(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => {
    said.push(chunk.toString('utf8'));
    process.stderr.write(chunk); // warnings and errors of the service are shown as they come
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS);
  try {
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      const [, url] = /^Tenor serves (\S+)\/api$/.exec(line) ?? [];
      if (url === undefined) continue;
      child.stdout?.resume();
      return url;
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error(`The service did not start.\n${said.join('')}`);
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(timer);
  return child.exitCode;
}
