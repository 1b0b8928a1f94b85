import { readFileSync } from 'node:fs';
import { must } from '../../engine/index.js';
import { type Client, inParallel } from '../cli/service-client.js';
import { answered, cents, type Loan, type ServedPortfolio } from './served-portfolio.js';
import type { BenchContext, Measure } from './benchmark.js';
import { PAYMENT } from './make-portfolio.js';

const CONNECTIONS = 32;

/** Memory of the processes without what is mapped from files. */
export const memoryOf = ({ name, processes, portfolio }: ServedPortfolio): readonly Measure[] =>
  processes.flatMap((process) => {
    const kilobytes = Number(must(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8')), 'RssAnon')[1]);
    return [
      { name: `${name}: memory of ${process.name}`, value: Math.round(kilobytes / 1024), unit: 'MB' },
      { name: `${name}: memory of ${process.name}, a loan`, value: rounded(kilobytes / portfolio.loans.length), unit: 'KB' },
    ];
  });

/** Kills the first worker, and waits until the others answer for each loan of the sample, with the payment that was acknowledged before. */
export async function takeover(
  { name, processes }: ServedPortfolio,
  client: Client,
  sample: readonly Loan[],
  report: BenchContext['report'],
): Promise<readonly Measure[]> {
  const [victim, ...heirs] = processes.filter((process) => process.name.startsWith('worker'));
  if (!victim || heirs.length === 0) return [];
  const before: number[] = [];
  await answered(client, sample, (paidCents, at) => void (before[at] = paidCents));
  await inParallel(sample, CONNECTIONS, ({ personId, loanId }) =>
    client.data('POST', `/people/${personId}/loans/${loanId}/transactions`, PAYMENT),
  );
  process.kill(victim.pid, 'SIGKILL');
  const waits = await answered(client, sample, (paidCents, at) => {
    if (paidCents !== (before[at] ?? 0) + cents(PAYMENT.amount))
      throw new Error(`${sample[at]?.loanId ?? ''} has lost an acknowledged payment.`);
  });
  const seconds = Math.max(...waits) / 1000;
  report(`${name}: all loans of ${victim.name} were answered for ${seconds.toFixed(1)} s after its kill`);
  return [
    {
      name: `${name}: takeover of a killed worker, to the answers of all units`,
      value: rounded(seconds),
      unit: 's',
      budget: { atMost: 5, forLoans: 1_000_000 },
    },
  ];
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
