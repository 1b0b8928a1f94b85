import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a folder and all below it take of the disk. */
export function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).blocks * 512, 0);
}
