import { test } from 'tap';
import { directionsOf } from '../../../../actors/money/ach/inbox-names.js';

const patterns = [
  { direction: 'return', pattern: /^RET_\d+\.ach$/u },
  { direction: 'confirmation', pattern: /^CONF_/u },
] as const;

test('a file is a return, a confirmation or nothing by the first pattern that its name fits', (t) => {
  t.strictSame([...directionsOf(['RET_12.ach', 'CONF_1.txt', 'RET_.ach', ''], patterns)], ['return', 'confirmation', undefined, undefined]);
  t.strictSame([...directionsOf([], patterns)], []);
  t.end();
});

test('a pattern that takes hours on a name is ended, and named as the fault', (t) => {
  const slow = [{ direction: 'return', pattern: /a*a*a*a*b/u }] as const;
  const begunMs = performance.now();
  t.throws(() => directionsOf(['a'.repeat(2_000)], slow), { message: /use fewer \* and \+/ });
  t.ok(performance.now() - begunMs < 5_000);
  t.end();
});
