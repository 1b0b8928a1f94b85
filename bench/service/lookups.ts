import { readFileSync } from 'node:fs';
import { type Lookups, OWN_LOOKUPS, parseIndexRates } from '../../gateway/index.js';
import type { Settings } from '../settings.js';
import { UsageError } from '../usage-error.js';

/** What the operator's files tell of the world outside. */
export function lookupsOf({ indexRatesFile: file }: Settings): Lookups {
  if (file === null) return OWN_LOOKUPS;
  try {
    return { ...OWN_LOOKUPS, indexRates: parseIndexRates(readFileSync(file, 'utf8')) };
  } catch (cause) {
    throw new UsageError(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
