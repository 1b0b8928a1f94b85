import { assert } from '../../engine/index.js';

const KEY = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

export function assertKey(key: string): void {
  assert(KEY.test(key), `${key} is a key of words joined by dots`);
}

/** Whether a key lies below a prefix: its first words, or none. */
export function isBelow(prefix: string, key: string): boolean {
  return prefix === '' || key.startsWith(`${prefix}.`);
}
