import { createHash } from 'node:crypto';
import { test } from 'tap';
import { GUARD_VERSION, GUARD_VERSIONS, SEED_RULES } from '../../../engine/index.js';

/** Hashes of the rules of each version, without names, descriptions and readings. */
const PRINTS: Readonly<Record<number, string>> = { 9: 'e956f5c1400c49b7' };

test('a changed rule is a new version of the rules, with a row about the change', async (t) => {
  const said = SEED_RULES.map(({ name: _name, description: _description, basis: _basis, test: tested, ...rest }) => [tested.type, rest]);
  const print = createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16);
  t.equal(print, PRINTS[GUARD_VERSION], 'GUARD_VERSION goes up by one, and judge.ts says what changed');
  t.same(
    GUARD_VERSIONS.map(({ version }) => version),
    Array.from({ length: GUARD_VERSION }, (_, index) => index + 1),
  );
});
