import { test } from 'tap';
import { Service } from '../service/service.js';
import { type Ask, endOf, eventNumbersOf, makeSpreadLoans, monthsAgo, orderRate, paymentsOf } from '../service/spread-loans.js';
import { Random } from '../random.js';
import { SEED } from '../seed.js';
import { scratchFolder } from '../temp-folder.js';

const LOANS = 160;
/** Kills of one run. */
const KILLS = 4;

test('mass work goes on after each kill -9 and ends with each loan computed and its event emitted once', async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  const folder = scratchFolder();
  let service = await Service.start(folder);
  t.teardown(() => service.kill());
  const ask: Ask = (...asked) => service.ask(...asked);
  const { loanTypeId, paths } = await makeSpreadLoans(ask, LOANS, () => 12_000);

  const operations: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    // Work ordered before may still be running.
    operations.push(await orderRate(ask, loanTypeId, { annualRate: (40 + kill) / 1000, startDate: monthsAgo(12 - kill) }, `kill-${kill}`));
    await new Promise((resolve) => setTimeout(resolve, random.below(60)));
    await service.kill();
    service = await Service.start(folder);
  }
  for (const operationId of operations) {
    const { counts, progress } = await endOf(ask, operationId);
    t.same(counts.changed + counts.unchanged, LOANS, `all had their turn: ${JSON.stringify(counts)}`);
    t.same(counts.failed, 0);
    t.same(progress, { done: LOANS, total: LOANS });
  }
  const [first = ''] = paths;
  const level = await paymentsOf(ask, first);
  for (const path of paths.slice(0, 40)) {
    t.same(await paymentsOf(ask, path), level, 'the same loans come to the same payments');
    const numbers = await eventNumbersOf(ask, path);
    t.same(
      numbers,
      numbers.map((_, at) => at + 1),
      'events are numbered without a gap or a repetition',
    );
  }
  t.equal(await service.stop(), 0);
});
