import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import type { Budget, Measure } from './benchmark.js';
import { generateLoadApart } from './load/generator-process.js';

export interface Machine {
  readonly processor: string;
  readonly processors: number;
  readonly memoryGB: number;
  readonly system: string;
  readonly node: string;
  /** Load of the last minute before the run: above the number of processors, other programs were running. */
  readonly loadBefore: number;
  readonly commit: string | null;
}

export function machine(): Machine {
  const all = cpus();
  return {
    processor: all[0]?.model ?? 'unknown',
    processors: all.length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(1)),
    commit: commit(),
  };
}

/** The revision that was measured; null outside of a checkout. */
function commit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null; // no git, or an archive without its history
  }
}

/** The middle of several runs. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The value that `share` (0..1) of an ascending list does not exceed. */
function percentile(ascending: ArrayLike<number>, share: number): number {
  return ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? Number.NaN;
}

export interface Latencies {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly worstMs: number;
}

export function latenciesOf(milliseconds: ArrayLike<number>): Latencies {
  const sorted = Float64Array.from(milliseconds).sort();
  const round = (value: number): number => Number(value.toFixed(2));
  return {
    p50Ms: round(percentile(sorted, 0.5)),
    p99Ms: round(percentile(sorted, 0.99)),
    p999Ms: round(percentile(sorted, 0.999)),
    worstMs: round(percentile(sorted, 1)),
  };
}

export interface RatePlan {
  readonly label: string;
  readonly port: number;
  readonly requests: readonly string[];
  readonly rates: readonly number[];
  readonly budget?: Budget;
  readonly report: (line: string) => void;
}

const CONNECTIONS = 64;
const SECONDS = 5;
/** Before the first rate the code is warmed up with a realistic number of requests. */
const WARM_UP = { ratePerSecond: 2_000, seconds: 4 };
/** The rates end when less than this share is answered in time. */
const SUSTAINED = 0.95;

/** Offers rising rates, each for five seconds over 64 connections, until the service no longer keeps up. */
export async function offerRates({ label, port, requests, rates, budget, report }: RatePlan): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  await generateLoadApart({ port, connections: CONNECTIONS, ...WARM_UP, requests });
  let sustained = 0;
  for (const ratePerSecond of rates) {
    const { answered, failed, firstFailure, seconds, ownMicrosecondsEach, latenciesMs } = await generateLoadApart({
      port,
      connections: CONNECTIONS,
      ratePerSecond,
      seconds: SECONDS,
      requests,
    });
    const achieved = Math.round((answered - failed) / seconds); // a refused payment does not count
    const { p50Ms, p99Ms, p999Ms } = latenciesOf(latenciesMs);
    report(
      `${label}: offered ${ratePerSecond}/s, answered ${achieved}/s, p50 ${p50Ms} ms, p99 ${p99Ms} ms, p99.9 ${p999Ms} ms; ` +
        `the generator took ${ownMicrosecondsEach} us a request` +
        (failed > 0 ? `, ${failed} failed (${firstFailure ?? ''})` : ''),
    );
    const name = `${label} at ${ratePerSecond}/s`;
    measures.push(
      { name: `${name}, answered`, value: achieved, unit: '/s' },
      { name: `${name}, p50`, value: p50Ms, unit: 'ms' },
      { name: `${name}, p99`, value: p99Ms, unit: 'ms' },
      { name: `${name}, p99.9`, value: p999Ms, unit: 'ms' },
      { name: `${name}, processor time of the generator`, value: ownMicrosecondsEach, unit: 'us a request' },
    );
    if (failed > 0) measures.push({ name: `${name}, failed`, value: failed, unit: '' });
    sustained = Math.max(sustained, achieved);
    if (failed > 0 || achieved < ratePerSecond * SUSTAINED) break;
  }
  return [...measures, { name: `${label}, most answered`, value: sustained, unit: '/s', ...(budget === undefined ? {} : { budget }) }];
}

/** A request as it goes over the wire. */
export function wireRequest(method: string, path: string, headers: Readonly<Record<string, string>>, body: object): string {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    Host: '127.0.0.1',
    'Content-Type': 'application/json',
    ...headers,
    'Content-Length': String(Buffer.byteLength(text)),
  });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`;
}

/** Bytes on the disk of a folder and all below it. */
export function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).blocks * 512, 0);
}
