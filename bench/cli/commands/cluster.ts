import type { Command } from 'commander';
import { runCluster } from '../run-cluster.js';
import { UsageError } from '../usage-error.js';
import { withExample } from './running-service.js';
import { SERVING_EXITS, stopSignal } from './stop-signal.js';

/** `tenor cluster`: a whole cluster on this machine, for trying it out. */
export function addCluster(program: Command): void {
  program
    .command('cluster')
    .description('Run a whole cluster on this machine: workers and gateways as processes of their own')
    .option('--workers <number>', 'how many workers', '2')
    .option('--gateways <number>', 'how many gateways', '1')
    .option('--nats <url>', 'address of a NATS server; absent: one of its own')
    .option('--port <number>', 'port of the first gateway; the others take the next ones', '8080')
    .option('--data <folder>', 'data folder', './data-cluster')
    .addHelpText('after', withExample('tenor cluster --workers 3 --gateways 2', SERVING_EXITS))
    .action(
      async ({ workers, gateways, port, ...rest }: { workers: string; gateways: string; port: string; nats?: string; data: string }) => {
        const cluster = await runCluster({
          workers: wholeNumber('--workers', workers),
          gateways: wholeNumber('--gateways', gateways),
          port: wholeNumber('--port', port),
          ...rest,
        });
        for (const line of cluster.lines) process.stdout.write(`${line}\n`);
        await stopSignal();
        await cluster.stop();
      },
    );
}

function wholeNumber(flag: string, text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`${flag} must be a whole number: ${text}`);
  return Number(text);
}
