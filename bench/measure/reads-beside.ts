import { must } from '../../engine/index.js';
import type { Client } from '../cli/service-client.js';
import type { Measure } from './benchmark.js';
import { latenciesOf } from './machine.js';
import { processorSeconds, type ServedPortfolio } from './served-portfolio.js';

/** Reads a second beside the work, at a fixed rate. */
const READS_PER_SECOND = 100;
/** A number without a common factor with usual sizes, so that all loans are read. */
const STRIDE = 7919;

/** What reads beside a piece of work met. */
export interface ReadsBeside<Result> {
  readonly result: Result;
  readonly seconds: number;
  /** Of each process. */
  readonly processorSeconds: readonly number[];
  readonly latenciesMs: readonly number[];
  /** Reads that were not answered with success. */
  readonly refused: number;
}

/** Does a piece of work, with reads of balances at a fixed rate meanwhile: a latency counts from the moment at which a read was due. */
export async function readsBeside<Result>(
  client: Client,
  { portfolio: { loans }, processes }: ServedPortfolio,
  work: () => Promise<Result>,
): Promise<ReadsBeside<Result>> {
  const latenciesMs: number[] = [];
  let refused = 0;
  const before = processorSeconds(processes);
  const begun = performance.now();
  const working = work();
  let isRunning = true;
  const reading = (async () => {
    for (let sent = 0; isRunning; sent += 1) {
      const due = begun + (sent * 1000) / READS_PER_SECOND;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      const { personId, loanId } = must(loans[(sent * STRIDE) % loans.length], 'a loan');
      void client.data('GET', `/people/${personId}/loans/${loanId}/balances`).then(
        () => latenciesMs.push(performance.now() - due),
        () => (refused += 1),
      );
    }
  })();
  try {
    const result = await working;
    const seconds = (performance.now() - begun) / 1000;
    const taken = processorSeconds(processes).map((after, at) => after - (before[at] ?? 0));
    return { result, seconds, processorSeconds: taken, latenciesMs, refused };
  } finally {
    isRunning = false;
    await reading;
  }
}

/** The figures of the reads, whose p99 has the budget that mass work must leave to others. */
export function measuresOfReads(
  what: string,
  { latenciesMs, refused }: Pick<ReadsBeside<unknown>, 'latenciesMs' | 'refused'>,
): readonly Measure[] {
  const { p50Ms, p99Ms } = latenciesOf(latenciesMs);
  return [
    { name: `${what}: reads meanwhile, p50`, value: p50Ms, unit: 'ms' },
    { name: `${what}: reads meanwhile, p99`, value: p99Ms, unit: 'ms', budget: { atMost: 50 } },
    { name: `${what}: reads meanwhile`, value: latenciesMs.length, unit: '' },
    { name: `${what}: reads refused`, value: refused, unit: '', budget: { atMost: 0 } },
  ];
}
