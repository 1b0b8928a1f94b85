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

/** The same in a process of its own, for an environment that may end the process that reads it; what happened, or null. */
export function damageSeenFromOutside(path: string): string | null {
  const script = fileURLToPath(new URL('./check-environment.js', import.meta.url));
  const { status, signal, error } = spawnSync(process.execPath, [script, path], { stdio: 'ignore', timeout: limits.environmentCheckMs });
  if (error !== undefined && signal === null) throw error;
  if (status === 0) return null;
  return signal === null ? 'a record is damaged' : `reading it ends a process with ${signal}`;
}
