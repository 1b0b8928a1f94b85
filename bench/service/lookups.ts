import { type Lookups, OWN_LOOKUPS, localNames, parseIndexRates, parseNames, systemNames } from '../../gateway/index.js';
import type { Settings } from '../settings.js';
import { readTextFile } from '../text-file.js';
import { UsageError } from '../usage-error.js';

/** What the operator's files tell of the world outside. */
export function lookupsOf({ indexRatesFile, nameRecords }: Settings): Lookups {
  return {
    ...OWN_LOOKUPS,
    ...(indexRatesFile === null ? {} : { indexRates: read(indexRatesFile, parseIndexRates) }),
    ...(nameRecords === null ? {} : { names: nameRecords === 'system' ? systemNames() : localNames(read(nameRecords, parseNames)) }),
  };
}

function read<Read>(file: string, parse: (text: string) => Read): Read {
  try {
    return parse(readTextFile(file));
  } catch (cause) {
    throw new UsageError(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
