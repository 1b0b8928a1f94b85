import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { newTestKey, startService } from '../cli/service-client.js';
import type { BenchContext, Benchmark, Measure } from './benchmark.js';
import { generateLoadApart } from './load/generator-process.js';
import { hostileApart } from './load/hostile-process.js';
import type { LoadResult } from './load/open-loop.js';
import { latenciesOf, wireRequest } from './machine.js';
import { makePortfolio, PAYMENT } from './make-portfolio.js';

const READS_A_SECOND = 100;
const WRITES_A_SECOND = 40;
const SECONDS = 10;
/** The two clients of which the latencies are measured start before the attack: their own start takes the processors, too. */
const WARM_UP_SECONDS = 2;
const CONNECTIONS = 8;
const PARALLEL = 64;
const SLOW = 60;
const SEED = 11;
/** The priority of the hostile client below that of the service: a client has a machine of its own. */
const HOSTILE_NICE = 10;

/** The effect of a hostile client on another one: the same reads and writes alone, and beside it. */
export const hostileBenchmark: Benchmark = {
  name: 'hostile',
  title:
    `Reads and writes of one client (${READS_A_SECOND} and ${WRITES_A_SECOND} a second), ` +
    `alone and beside a hostile client (${PARALLEL} requests at once, ${SLOW} slow connections)`,
  size: { standard: 500, unit: 'loans' },
  async run({ access, folder, size, report }: BenchContext): Promise<readonly Measure[]> {
    const dataFolder = join(folder, 'data');
    const [testKey, liveKey] = [newTestKey(), `live_${randomBytes(32).toString('base64url')}`];
    const local = await access.open({ dataFolder, testKey, liveKey, logLevel: 'warn' });
    const { loans } = await makePortfolio(local, size ?? 500, report);
    await local.close();
    const service = await startService({ dataFolder, testKey, nodeOptions: ['--max-semi-space-size=64'] });
    try {
      const headers = { Authorization: `Bearer ${testKey}` };
      const paths = loans.map(({ personId, loanId }) => `/api/people/${personId}/loans/${loanId}`);
      const reads = paths.map((path) => `GET ${path}/balances HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${testKey}\r\n\r\n`);
      const writes = paths.map((path) => wireRequest('POST', `${path}/transactions`, headers, PAYMENT));
      const offered = async (label: string, onMeasured: () => void = () => undefined): Promise<readonly Measure[]> => {
        const plan = { port: service.port, connections: CONNECTIONS, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS };
        const [read, written] = await Promise.all([
          generateLoadApart({ ...plan, ratePerSecond: READS_A_SECOND, requests: reads }, onMeasured),
          generateLoadApart({ ...plan, ratePerSecond: WRITES_A_SECOND, requests: writes }),
        ]);
        return [...measuresOf(`${label}, reads`, read), ...measuresOf(`${label}, writes`, written)];
      };
      await offered('warm-up');
      const alone = await offered('alone');
      const plan = { port: service.port, key: liveKey, parallel: PARALLEL, slow: SLOW, seed: SEED };
      const hostile = await hostileApart(plan, HOSTILE_NICE);
      const beside = await offered('beside the hostile client', () => hostile.attack());
      const { sent, statuses, byKind, requested, operations, failures, missed } = await hostile.stop();
      report(
        `the hostile client, ${requested} of ${operations} operations: ${JSON.stringify(byKind)} ${[...failures, ...missed].join('\n')}`,
      );
      return [
        ...alone,
        ...beside,
        { name: 'requests of the hostile client', value: sent, unit: '' },
        { name: 'answers that say that the service has failed', value: statuses['500'] ?? 0, unit: '', budget: { atMost: 0 } },
        { name: 'attacks that have missed their target', value: missed.length, unit: '', budget: { atMost: 0 } },
      ];
    } finally {
      await service.stop();
    }
  },
};

function measuresOf(name: string, { latenciesMs, sent, answered, failed }: LoadResult): readonly Measure[] {
  const { p50Ms, p99Ms, worstMs } = latenciesOf(latenciesMs);
  const isRead = name.endsWith('reads');
  return [
    { name: `${name}, p50`, value: p50Ms, unit: 'ms' },
    { name: `${name}, p99`, value: p99Ms, unit: 'ms', ...(isRead ? { budget: { atMost: 50 } } : {}) },
    { name: `${name}, longest`, value: worstMs, unit: 'ms' },
    { name: `${name}, without success`, value: failed + sent - answered, unit: '', budget: { atMost: 0 } },
  ];
}
