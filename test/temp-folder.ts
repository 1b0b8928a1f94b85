import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that is removed after the test. */
export function tempFolder(t: { teardown(run: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A new folder that is removed when the test's process ends, for what outlives one test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Copies a folder without subfolders, such as a journal's, while an engine writes to it. Skips the segment that is being prepared, which
 * is empty.
 */
export function copyLiveFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) if (!name.startsWith('next.')) copyFileSync(join(from, name), join(to, name));
}
