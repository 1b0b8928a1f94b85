import { readFileSync } from 'node:fs';
import { test } from 'tap';
import { EVENT_TYPES } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { missing, sharedFile } from '../shared.js';

const CONTRACT = sharedFile('api', 'base.md');

test('every event of the contract exists under its name', {
  skip: CONTRACT === undefined ? missing('api', 'base.md') : false,
}, async (t) => {
  const table = readFileSync(must(CONTRACT, 'the contract'), 'utf8').split('\n## Events\n')[1]?.split('\n## ')[0] ?? '';
  const named = [...table.matchAll(/^\| ([a-z]+\.[a-z.]+) \| (.*?) \|/gm)].map(([, name, when]) => ({
    name,
    isDeprecated: when?.startsWith('deprecated'),
  }));
  t.ok(named.length > 90, `${named.length} names in the table`);
  const known = new Map(EVENT_TYPES.map((type) => [type.eventType, type]));
  for (const { name = '', isDeprecated } of named) t.equal(known.get(name)?.deprecated, isDeprecated, name);
  t.equal(known.size, EVENT_TYPES.length, 'each once');
});
