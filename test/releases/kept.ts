import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Test } from 'tap';
import { tempFolder } from '../temp-folder.js';

/** Data of an earlier release that `npm run keep-release` has stored. */
export interface Release {
  readonly commit: string;
  readonly version: string;
  /** The key of the test mode. */
  readonly key: string;
  readonly answers: Readonly<Record<string, unknown>>;
}

const FOLDER = resolve(import.meta.dirname, '../../../test/releases');
export const RELEASES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

export const releaseOf = (name: string): Release =>
  JSON.parse(brotliDecompressSync(readFileSync(join(FOLDER, name, 'answers.json.br'))).toString()) as Release;

export function kept(t: Test, name: string, file: string): string {
  const folder = join(tempFolder(t), 'unpacked');
  mkdirSync(folder);
  execFileSync('tar', ['-C', folder, '-x'], { input: brotliDecompressSync(readFileSync(join(FOLDER, name, file))) });
  return folder;
}
