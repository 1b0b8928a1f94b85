import { type Lookups, OWN_LOOKUPS, localNames, parseIndexRates, parseNames, systemNames } from '../../gateway/index.js';
import { atPath, PathUnusable } from '../../persistence/index.js';
import type { Settings } from './settings.js';
import { readTextFile } from './text-file.js';
import { UsageError } from './usage-error.js';

/** What the operator's files tell of the world outside. */
export function lookupsOf({ indexRatesFile, nameRecords }: Settings): Lookups {
  return {
    ...OWN_LOOKUPS,
    ...(indexRatesFile === null ? {} : { indexRates: read('the file of index values', indexRatesFile, parseIndexRates) }),
    ...(nameRecords === null
      ? {}
      : { names: nameRecords === 'system' ? systemNames() : localNames(read('the file of mail domains', nameRecords, parseNames)) }),
  };
}

function read<Read>(what: string, file: string, parse: (text: string) => Read): Read {
  try {
    return parse(atPath(what, file, () => readTextFile(file)));
  } catch (cause) {
    if (cause instanceof PathUnusable) throw cause;
    throw new UsageError(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
