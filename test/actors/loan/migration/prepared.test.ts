import { test } from 'tap';
import { PREPARABLE, READABLE } from '../../../../actors/loan/migration/prepared.js';
import { loanModule } from '../../../../actors/loan/index.js';

test('what may be recorded and read of a loan in preparation names commands and queries that there are', (t) => {
  const { commands, queries } = loanModule();
  const missing = (names: ReadonlySet<string>, known: readonly { readonly type: string }[]): readonly string[] =>
    [...names].filter((name) => known.every(({ type }) => type !== name));
  t.same(missing(PREPARABLE, commands), []);
  t.same(missing(READABLE, queries), []);
  t.end();
});
