import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { IdKeyMissing } from './errors.js';
import { loadMasterKey } from './master-key.js';

/** The key of the permutation of ids: made once, before the journal, and as old as the data. Throws `IdKeyMissing`. */
export function loadIdKey(dataFolder: string): Uint8Array {
  const file = join(dataFolder, 'id.key');
  if (!existsSync(file) && existsSync(join(dataFolder, 'journal'))) throw new IdKeyMissing(file);
  return loadMasterKey({ text: null, file });
}
