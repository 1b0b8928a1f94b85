import { test } from 'tap';
import { CreationOrder } from '../../../../actors/kernel/lists/sorted-page.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';

test('ids that come in any order are listed by their stamps, and what comes between two steps of sorting follows', (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  for (const count of [0, 1, 2, 3, 1_000, 20_011]) {
    const order = new CreationOrder();
    const stamps = Array.from({ length: count }, (_, n) => n + 1);
    const shuffled = stamps.map((stamp) => ({ stamp, at: random.below(1_000_000) })).sort((a, b) => a.at - b.at);
    for (const { stamp } of shuffled) order.append(`id-${stamp}`, stamp);
    let newest = count;
    let steps = 0;
    for (const _step of order.sort()) {
      steps += 1;
      newest += 1;
      order.append(`id-${newest}`, newest);
    }
    t.same(
      order.ids(),
      Array.from({ length: newest }, (_, n) => `id-${n + 1}`),
    );
    if (count > 10_000) t.ok(steps > 10, 'in steps');
  }
  t.end();
});
