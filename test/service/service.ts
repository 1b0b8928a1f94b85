import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { must } from '../../engine/index.js';

export const TEST_KEY = `test_${randomBytes(24).toString('base64url')}`;
export const LIVE_KEY = `live_${randomBytes(24).toString('base64url')}`;

const entry = resolve(import.meta.dirname, '../../tenor.js');

/** Longest wait for a start, in milliseconds; a start takes about a second. */
const START_MS = 120_000;

export interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
  readonly replayed: boolean;
  readonly retryAfterSeconds: number | null;
}

/** Runs `tenor serve` as a process, on a free port and a folder of the test. */
export class Service {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    readonly lines: readonly string[],
  ) {}

  get pid(): number {
    return must(this.child.pid, 'a process that serves has an id');
  }

  static start(folder: string, environment: Readonly<Record<string, string>> = {}): Promise<Service> {
    const child = spawn(process.execPath, [entry, 'serve'], {
      env: {
        PATH: process.env['PATH'],
        TENOR_PORT: '0',
        TENOR_DATA: folder,
        TENOR_TEST_KEY: TEST_KEY,
        TENOR_LIVE_KEY: LIVE_KEY,
        TENOR_LOG: 'warn',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lines: string[] = [];
    return new Promise((found, failed) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        failed(new Error(`no start within ${START_MS} ms: ${lines.join('\n')}`));
      }, START_MS);
      createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(line);
        const url = /Tenor serves (http:\S+)\/api/.exec(line)?.[1];
        if (url === undefined) return;
        clearTimeout(timer);
        found(new Service(child, url, lines));
      });
      child.once('exit', (code) => {
        clearTimeout(timer);
        failed(new Error(`ended with ${code} before it served: ${lines.join('\n')}`));
      });
    });
  }

  ask(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return askAt(this.url, method, path, body, headers);
  }

  /** The id of the company that the first start has created. */
  async company(): Promise<string> {
    const { json } = await this.ask('GET', '/companies');
    return String((json['data'] as readonly { readonly id: string }[])[0]?.id);
  }

  /** Kills the process and waits until it is gone. */
  kill(): Promise<void> {
    return this.#end('SIGKILL').then(() => undefined);
  }

  /** Stops it as an operator does; returns its exit code. */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  #end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return Promise.resolve(this.child.exitCode);
    return new Promise((done) => {
      this.child.once('exit', (code) => done(code));
      this.child.kill(signal);
    });
  }
}

/** Sends a request with the key of the test mode and a JSON body. */
export async function askAt(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const reply = await fetch(`${url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${TEST_KEY}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return {
    status: reply.status,
    json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    replayed: reply.headers.get('idempotent-replayed') === 'true',
    retryAfterSeconds: reply.headers.has('retry-after') ? Number(reply.headers.get('retry-after')) : null,
  };
}
