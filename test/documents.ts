import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Test } from 'tap';
import { ROOT } from './shared.js';

/**
 * Compares a page of the documents with what it is made from. `TENOR_WRITE_DOCS=1 npm test -- NAME` writes it anew
 * instead.
 */
export function checkDocument(t: Test, name: string, text: string): void {
  const file = path.join(ROOT, name);
  if (process.env['TENOR_WRITE_DOCS'] === '1') writeFileSync(file, text);
  const committed = existsSync(file) ? readFileSync(file, 'utf8') : '';
  t.equal(committed, text, `${name} is up to date (else: TENOR_WRITE_DOCS=1 npm test)`);
}
