import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { FORMER_NAMES, readSettings, SETTINGS, unknownVariables } from '../../bench/cli/settings.js';
import { tempFolder } from '../temp-folder.js';

test('a variable is accepted under its former name, and the current name wins', async (t) => {
  const former = { TENOR_RESIDENT_ACTORS: '500' };
  t.match(readSettings({}, former), { faults: [], settings: { cachedActors: 500 } });
  for (const both of [
    { ...former, TENOR_CACHED_ACTORS: '700' },
    { TENOR_CACHED_ACTORS: '700', ...former },
  ])
    t.match(readSettings({}, both).settings, { cachedActors: 700 });
  t.match(readSettings({ cachedActors: 900 }, former).settings, { cachedActors: 900 });
  t.strictSame(unknownVariables({ ...former, TENOR_MISSPELT: '1' }), ['TENOR_MISSPELT']);
});

test('a wrong value under a former name is a fault of the setting', async (t) => {
  const { faults } = readSettings({}, { TENOR_RESIDENT_ACTORS: 'many' });
  t.strictSame(faults, [{ name: 'cachedActors (TENOR_CACHED_ACTORS)', message: 'must be a number from 100 to 10000000' }]);
});

test('the file of settings accepts former names, too', async (t) => {
  const file = join(tempFolder(t), 'tenor.config.json');
  writeFileSync(file, JSON.stringify({ residentActors: 500 }));
  t.match(readSettings({}, { TENOR_CONFIG: file }), { faults: [], settings: { cachedActors: 500 } });
  writeFileSync(file, JSON.stringify({ cachedActors: 700, residentActors: 500 }));
  t.match(readSettings({}, { TENOR_CONFIG: file }), { faults: [], settings: { cachedActors: 700 } });
});

test('each former name stands for a setting', async (t) => {
  const current = new Set<string>(SETTINGS.flatMap(({ name, environment }) => [name, environment]));
  for (const [former, name] of Object.entries(FORMER_NAMES)) {
    t.ok(current.has(name), `${former}: ${name}`);
    t.notOk(current.has(former), former);
  }
});
