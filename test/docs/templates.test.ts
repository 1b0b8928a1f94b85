import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'tap';
import { TEMPLATE_FILTERS, TEMPLATE_LIMITS } from '../../engine/index.js';

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/templates.md'), 'utf8');

/** The others are inner costs. */
const LIMITS_OF_THE_PAGE = [
  'sourceLength',
  'tags',
  'tagLength',
  'brackets',
  'parts',
  'nesting',
  'includeDepth',
  'loopTurns',
  'listLength',
  'rangeEnd',
  'outputLength',
  'cost',
  'messageCost',
] as const;

test('the page of templates names each filter and each limit', async (t) => {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1] ?? '');
  const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)/g)].map(([, name = '']) => name));
  const filters = [...TEMPLATE_FILTERS].filter(([, { isInner }]) => isInner !== true).map(([name]) => name);
  t.same([...new Set(named)].sort(), filters.sort());
  for (const limit of LIMITS_OF_THE_PAGE) t.match(page, `| ${TEMPLATE_LIMITS[limit]} |`, limit);
});
