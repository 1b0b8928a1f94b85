import type { Command } from 'commander';
import type { Door } from '../house.js';
import { stopSignal } from './stop-signal.js';

/** `tenor worker`: serves a part of a cluster until SIGTERM or SIGINT. */
export function addWorker(program: Command, door: Door): void {
  program
    .command('worker')
    .description('Serve a part of a cluster: loans, borrowers and their journal, over NATS')
    .option('--nats <url>', 'address of the NATS server')
    .option('--cluster <name>', 'name of the cluster')
    .option('--node <name>', 'name of this worker, the same at each start')
    .option('--data <folder>', 'data folder')
    .requiredOption('--worker <number>', 'which of the workers it is, counted from 1', Number)
    .requiredOption('--workers <number>', 'how many there are', Number)
    .action(async ({ data, worker, workers, ...flags }: { data?: string; worker: number; workers: number; nats?: string; cluster?: string; node?: string }) => {
      const house = await door.openWorker({ ...flags, dataFolder: data }, { worker, workers });
      process.stdout.write(`Worker ${house.name} serves.\n`);
      await stopSignal();
      await house.close();
    });
}
