import { join } from 'node:path';
import { newTestKey, startService } from '../cli/service-client.js';
import type { BenchContext, Benchmark, Measure } from './benchmark.js';
import { startPostgres } from './compare/postgres.js';
import { startPosting } from './compare/posting-process.js';
import { offerRates, wireRequest } from './machine.js';
import { makePortfolio, PAYMENT } from './make-portfolio.js';

const RATES = [500, 1_000, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 16_000, 20_000, 25_000];
/** As `npm start` does. */
const AS_STARTED = ['--max-semi-space-size=64'];
const BUDGET = { atLeast: 20_000 };

/** Payments over REST at rising fixed rates, and the same posting written with Fastify and PostgreSQL. */
export const restBenchmark: Benchmark = {
  name: 'rest',
  title: 'Payments a second over REST, durable, at fixed rates (open loop, 64 connections), beside Fastify and PostgreSQL',
  size: { standard: 2_000, unit: 'loans' },
  async run(context) {
    return [...(await payTenor(context)), ...(await payPosting(context))];
  },
};

async function payTenor({ access, folder, size, report }: BenchContext): Promise<readonly Measure[]> {
  const dataFolder = join(folder, 'data');
  const testKey = newTestKey();
  const local = await access.open({ dataFolder, testKey, logLevel: 'warn' });
  const { loans } = await makePortfolio(local, size ?? 2_000, report);
  await local.close();
  const service = await startService({ dataFolder, testKey, nodeOptions: AS_STARTED });
  try {
    const headers = { Authorization: `Bearer ${testKey}` };
    const requests = loans.map(({ personId, loanId }) =>
      wireRequest('POST', `/api/people/${personId}/loans/${loanId}/transactions`, headers, PAYMENT),
    );
    return await offerRates({ label: 'Tenor', port: service.port, requests, rates: RATES, budget: BUDGET, report });
  } finally {
    await service.stop();
  }
}

async function payPosting({ folder, size, report }: BenchContext): Promise<readonly Measure[]> {
  const postgres = await startPostgres(join(folder, 'postgres'));
  try {
    const posting = await startPosting(postgres.port, size ?? 2_000);
    try {
      const requests = Array.from({ length: size ?? 2_000 }, (_, index) =>
        wireRequest('POST', `/loans/${index + 1}/payments`, {}, { amountCents: 100 }),
      );
      return await offerRates({ label: 'Fastify and PostgreSQL', port: posting.port, requests, rates: RATES, report });
    } finally {
      await posting.stop();
    }
  } finally {
    await postgres.stop();
  }
}
