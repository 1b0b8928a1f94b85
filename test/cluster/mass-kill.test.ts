import { test } from 'tap';
import { must } from '../../engine/index.js';
import { Random } from '../random.js';
import { SEED } from '../seed.js';
import { Service } from '../service/service.js';
import { type Ask, endOf, eventNumbersOf, makeSpreadLoans, monthsAgo, orderRate, paymentsOf } from '../service/spread-loans.js';
import { scratchFolder } from '../temp-folder.js';
import { testCluster } from './test-cluster.js';

const LOANS = 160;
/** Each is ordered, and a worker dies in the middle of it. */
const RATES = [
  { annualRate: 0.04, startDate: monthsAgo(12) },
  { annualRate: 0.055, startDate: monthsAgo(9) },
];

test('an index rate goes on after kill -9 of any worker, and each loan ends as it does in one process', async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  const [cluster, alone] = await Promise.all([testCluster(t, { workers: 2 }), Service.start(scratchFolder())]);
  t.teardown(() => alone.kill());
  const ask: Ask = (method, path, body, headers) => cluster.ask(method, path, body, 0, headers);
  const askAlone: Ask = (...asked) => alone.ask(...asked);
  const [many, one] = await Promise.all([ask, askAlone].map((asked) => makeSpreadLoans(asked, LOANS, (number) => 4_000 + 10 * number)));
  const { loanTypeId, paths } = must(many, 'the loans of the cluster');
  const own = must(one, 'the loans of one process');

  let victim = must(cluster.workers[random.below(2)], 'a worker');
  const operations: string[] = [];
  for (const [at, rate] of RATES.entries()) {
    operations.push(await orderRate(ask, loanTypeId, rate, `rate-${at}`));
    await new Promise((resolve) => setTimeout(resolve, random.below(60)));
    await victim.end('SIGKILL');
    victim = must(
      cluster.workers.find((worker) => worker !== victim),
      'the other worker',
    );
    if (at === 0) await cluster.addWorker('worker-3');
    await endOf(askAlone, await orderRate(askAlone, own.loanTypeId, rate, `rate-${at}`));
  }
  for (const operationId of operations) {
    const { counts, progress } = await endOf(ask, operationId);
    t.same(counts.changed + counts.unchanged, LOANS, `all had their turn: ${JSON.stringify(counts)}`);
    t.same(counts.failed, 0);
    t.same(progress, { done: LOANS, total: LOANS });
  }
  for (const [at, path] of paths.entries()) {
    const payments = [await paymentsOf(ask, path), await paymentsOf(askAlone, must(own.paths[at], 'the same loan'))];
    if (JSON.stringify(payments[0]) !== JSON.stringify(payments[1]))
      t.same(payments[0], payments[1], `loan ${at} comes to the same payments`);
    const numbers = await eventNumbersOf(ask, path);
    if (numbers.some((number, place) => number !== place + 1)) t.fail(`the events of loan ${at} are numbered ${numbers.join()}`);
  }
});
