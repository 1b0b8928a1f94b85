import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'tap';
import { TEMPLATE_FILTERS, TEMPLATE_LIMITS } from '../../engine/index.js';

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/templates.md'), 'utf8');

test('the page of templates names each filter and each limit', async (t) => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `')).map((line) => line.split('|')[1] ?? '');
  const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)/g)].map(([, name = '']) => name));
  t.same([...new Set(named)].sort(), [...TEMPLATE_FILTERS.keys()].sort());
  const { sourceLength, tagTokens, nesting, includeDepth, blockDepth, loopTurns, outputLength, steps } = TEMPLATE_LIMITS;
  for (const limit of [sourceLength, tagTokens, nesting, includeDepth, blockDepth, loopTurns, outputLength, steps]) t.match(page, `| ${limit} |`);
});
