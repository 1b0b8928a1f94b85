import type { Command } from 'commander';
import type { Door } from '../../house.js';
import { withExample } from './running-service.js';
import { SERVING_EXITS, stopSignal } from './stop-signal.js';

/** `tenor worker`: serves a part of a cluster until SIGTERM or SIGINT. */
export function addWorker(program: Command, door: Door): void {
  program
    .command('worker')
    .description('Serve a part of a cluster: loans, borrowers and their journal, over NATS')
    .option('--nats <url>', 'address of the NATS server')
    .option('--cluster <name>', 'name of the cluster')
    .option('--node <name>', 'name of this worker, the same at each start')
    .option('--operator-port <number>', 'port of its metrics and health; 0 takes a free one')
    .option('--data <folder>', 'data folder')
    .addHelpText('after', withExample('tenor worker --nats nats://127.0.0.1:4222 --node worker-1 --data ./data', SERVING_EXITS))
    .action(async ({ data, ...flags }: { data?: string; nats?: string; cluster?: string; node?: string; operatorPort?: string }) => {
      const house = await door.openWorker({ ...flags, dataFolder: data });
      process.stdout.write(
        `Worker ${house.name} serves${house.operatorUrl === null ? '' : `, health at ${house.operatorUrl}/health/ready`}.\n`,
      );
      const end = await Promise.race([stopSignal().then(() => 'asked'), house.ended.then(() => 'lost')]);
      await house.close();
      if (end === 'lost') throw new Error('The others have taken this worker for dead and own its units now. Start it again.');
    });
}
