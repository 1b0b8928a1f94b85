import { test } from 'tap';
import { tapeFileDefinition } from '../../../actors/company/tapes/tape-file.js';
import type { Fact } from '../../../actors/kernel/fact.js';

const SECTION = { rowCount: 2, bytes: 20, content: null };
/** A file emits nothing and has no parts. */
const NOTHING = undefined as never;
const POSITION = { shard: 3, after: 'LN-1' };

test('a file that an earlier release began goes on from its one position', (t) => {
  const state = tapeFileDefinition.initial('TF-1', { company: 'CY-1', mode: 'test' });
  const recorded = (next: unknown): Fact =>
    ({ type: 'TapeSectionMade', body: { ...SECTION, next }, stamp: 1, businessAt: 1 }) as unknown as Fact;
  for (const next of [POSITION, [POSITION, { ...POSITION, through: 5 }], null])
    tapeFileDefinition.evolve(state, recorded(next), NOTHING, NOTHING);
  const expected = [[POSITION], [POSITION, { ...POSITION, through: 5 }], null];
  t.same(
    state.sections.map(({ next }) => next),
    expected,
  );
  const packed = { ...state, sections: [{ ...SECTION, next: POSITION }, ...state.sections.slice(1)] };
  t.same(
    tapeFileDefinition.unpack(packed, NOTHING).sections.map(({ next }) => next),
    expected,
  );
  const { sections: _, ...before } = state;
  t.same(tapeFileDefinition.unpack(before, NOTHING).sections, [], 'nor had it sections at first');
  t.end();
});
