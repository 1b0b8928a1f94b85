import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root: tests run as `dist/test/…`. */
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Data outside of the project: beside it, or in the folder of `TENOR_SHARED`. */
const SHARED = process.env['TENOR_SHARED'] ?? path.join(ROOT, '..', 'shared');

/** A file of the shared data; undefined if it does not exist. */
export function sharedFile(...parts: readonly string[]): string | undefined {
  const file = path.join(SHARED, ...parts);
  return existsSync(file) ? file : undefined;
}

/** The reason for which a test is skipped: the missing file. */
export const missing = (...parts: readonly string[]): string => `not found: ${path.join(SHARED, ...parts)} (set TENOR_SHARED)`;

/** The vectors of a published set whose `kind` is the wanted one; undefined if the data is missing. */
export function vectorsOf<Vector>(fileName: string, kind: string): readonly Vector[] | undefined {
  const file = sharedFile('domain', 'vectors', fileName);
  if (file === undefined) return undefined;
  const parsed = JSON.parse(readFileSync(file, 'utf8')) as { readonly vectors: readonly ({ readonly kind: string } & Vector)[] };
  return parsed.vectors.filter((vector) => vector.kind === kind);
}
