import { test } from 'tap';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { Listener } from '../listener.js';
import { LineLife } from './life.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 4);
const STEPS = 40;

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`events of a line lead to the statuses that it shows, and each order publishes one change (TENOR_SEED=${seed})`, async (t) => {
    const life = await LineLife.open(new Random(seed));
    const { h, loanId } = life.s;
    t.teardown(() => h.engine.close());
    const listener = new Listener(h, loanId);
    t.same(await listener.faults(false), []);
    for (let step = 0; step < STEPS; step += 1) {
      if (life.random.below(3) === 0) await life.pass();
      t.same(await listener.faults(false), []);
      const order = await life.order();
      if (order === null) continue;
      await life.ask(order, { isPreview: false });
      const faults = await listener.faults(true);
      if (faults.length > 0) t.fail(`${JSON.stringify(order)}: ${faults.join('; ')}`);
    }
    t.same(h.reports, []);
  });
}
