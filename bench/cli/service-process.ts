import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';

/** The compiled front door, from where the compiled tools lie. */
export const FRONT_DOOR = resolve(import.meta.dirname, '../../tenor.js');

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
  /** SIGKILL: nothing is finished, nothing is stored any more. */
  kill(): Promise<void>;
}

export interface ServiceOptions {
  readonly dataFolder: string;
  /** Key of the test mode; made when absent. */
  readonly testKey?: string;
  /** For node itself: `--cpu-prof`. */
  readonly nodeOptions?: readonly string[];
}

/** Starts `tenor serve` in a process of its own, on a free port of this machine. */
export async function startService({ dataFolder, testKey = newTestKey(), nodeOptions = [] }: ServiceOptions): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [...nodeOptions, FRONT_DOOR, 'serve', '--port', '0', '--data', dataFolder], {
    env: { ...process.env, TENOR_TEST_KEY: testKey, TENOR_LOG: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
    process.stderr.write(chunk); // warnings and errors of the service are for whoever looks
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
