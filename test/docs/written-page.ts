import { mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Test } from 'tap';

const docs = resolve(import.meta.dirname, '../../../docs');

/**
 * Compares a page of the docs that is made from the code with the committed one. `npm run docs` writes the page.
 */
export function checkWrittenPage(t: Test, name: string, content: string): void {
  const path = join(docs, name);
  if (process.env['TENOR_WRITE_DOCS'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  const committed = existsSync(path) ? readFileSync(path, 'utf8') : '';
  t.ok(committed === content, `docs/${name} is what the code says; \`npm run docs\` writes it`);
}
