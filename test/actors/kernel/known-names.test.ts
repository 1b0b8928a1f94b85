import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'tap';
import { actorModules } from '../../../actors/index.js';

const kernel = resolve(import.meta.dirname, '../../../../actors/kernel');

test('the kernel has the names of kinds of actors in one file', async (t) => {
  const kinds = actorModules().map(({ definition }) => definition.kind);
  // A query is `on` a company, which is no kind; a name in a union is that of a property.
  const named = new RegExp(`(?<!\\bon: |\\bcase |\\| )'(?:${kinds.join('|')})'(?! \\|)`, 'g');
  const found = readdirSync(kernel, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && path !== 'known-names.ts')
    .flatMap((path) => [...readFileSync(join(kernel, path), 'utf8').matchAll(named)].map(([name]) => `${path}: ${name}`));
  t.strictSame(found, []);
});
