import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { limits } from '../limits.js';
import type { KeyValue } from '../ports.js';
import { DamagedRecord } from './errors.js';

/** Behind every key: none begins with the last code point of Unicode. */
const BEHIND_ALL = '\u{10ffff}';

/** Touches every record; the first whose checksum is wrong, or null. */
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
 * What the check in a process of its own found in each of the environments at these paths, for those that may end the process that reads
 * them; the sound ones are not named.
 */
export function damageSeenFromOutside(paths: readonly string[]): ReadonlyMap<string, string> {
  // A process costs more than the check of a small environment: each has one of its own only when something is wrong with one of them.
  if (paths.length === 0 || checkOutside(paths) === null) return new Map();
  return new Map(
    paths.flatMap((path) => {
      const damage = checkOutside([path]);
      return damage === null ? [] : [[path, damage] as const];
    }),
  );
}

function checkOutside(paths: readonly string[]): string | null {
  const script = fileURLToPath(new URL('./check-environment.js', import.meta.url));
  const { status, signal, error } = spawnSync(process.execPath, [script, ...paths], {
    stdio: 'ignore',
    timeout: paths.length * limits.environmentCheckMs,
  });
  if (error !== undefined && signal === null) throw error;
  if (status === 0) return null;
  return signal === null ? 'a record is damaged' : `reading it ends a process with ${signal}`;
}
