import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { limits } from '../limits.js';
import type { KeyValue } from '../ports.js';
import { DamagedRecord } from './lmdb-store.js';

/** Sorts behind every key: none begins with the last code point of Unicode. */
const BEHIND_ALL = '\u{10ffff}';

/** Reads every record; returns the first whose checksum is wrong, or null. */
export function firstDamage(store: KeyValue): DamagedRecord | null {
  try {
    for (const record of store.range({ start: '', end: BEHIND_ALL })) void record;
    return null;
  } catch (cause) {
    if (cause instanceof DamagedRecord) return cause;
    throw cause;
  }
}

/**
 * Checks the environments at these paths in a process of its own, since a damaged one may end the process that reads it. Returns the
 * damaged ones. The thread waits for it.
 */
export function damageSeenFromOutside(paths: readonly string[]): ReadonlyMap<string, string> {
  // Starting a process costs more than the check of a small environment: each gets a process of its own only when one of them is damaged.
  if (paths.length === 0 || checkOutside(paths) === null) return new Map();
  return namedOf(paths.map((path) => [path, checkOutside([path])]));
}

/** The same while the thread does other work. Throws the reason of the signal when the signal ends it. */
export async function damageSeenBeside(paths: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0 || (await checkBeside(paths, signal)) === null) return new Map();
  const found: Found[] = [];
  for (const path of paths) found.push([path, await checkBeside([path], signal)]);
  return namedOf(found);
}

type Found = readonly [path: string, damage: string | null];

const namedOf = (found: readonly Found[]): ReadonlyMap<string, string> =>
  new Map(found.flatMap(([path, damage]) => (damage === null ? [] : [[path, damage] as const])));

function checkOutside(paths: readonly string[]): string | null {
  const { status, signal, error } = spawnSync(process.execPath, [SCRIPT, ...paths], { stdio: 'ignore', timeout: longestMs(paths) });
  if (error !== undefined && signal === null) throw error;
  return verdictOf(status, signal);
}

async function checkBeside(paths: readonly string[], ending?: AbortSignal): Promise<string | null> {
  ending?.throwIfAborted();
  const child = spawn(process.execPath, [SCRIPT, ...paths], { stdio: 'ignore', timeout: longestMs(paths) });
  const end = (): void => void child.kill('SIGKILL');
  ending?.addEventListener('abort', end, { once: true });
  try {
    await once(child, 'exit');
    ending?.throwIfAborted();
    return verdictOf(child.exitCode, child.signalCode);
  } finally {
    ending?.removeEventListener('abort', end);
  }
}

const SCRIPT = fileURLToPath(new URL('./check-environment.js', import.meta.url));
const longestMs = (paths: readonly string[]): number => paths.length * limits.environmentCheckMs;

function verdictOf(status: number | null, signal: NodeJS.Signals | null): string | null {
  if (status === 0) return null;
  return signal === null ? 'a record is damaged' : `reading it ends a process with ${signal}`;
}
