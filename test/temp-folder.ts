import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that is removed after the test. */
export function tempFolder(t: { teardown(run: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
