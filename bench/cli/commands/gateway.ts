import type { Command } from 'commander';
import type { Door } from '../../house.js';
import { withExample } from './running-service.js';
import { serveUntilStopped } from './serve.js';
import { SERVING_EXITS, stopSignal } from './stop-signal.js';

/** `tenor gateway`: serves the REST interface of a cluster until SIGTERM or SIGINT. */
export function addGateway(program: Command, door: Door): void {
  program
    .command('gateway')
    .description('Serve the REST interface of a cluster')
    .option('--nats <url>', 'address of the NATS server')
    .option('--cluster <name>', 'name of the cluster')
    .option('--node <name>', 'name of this gateway, the same at each start')
    .option('--host <address>', 'address to listen on')
    .option('--port <number>', 'port to listen on; 0 takes a free one')
    .option('--data <folder>', 'data folder')
    .addHelpText('after', withExample('tenor gateway --nats nats://127.0.0.1:4222 --node gateway-1 --port 8080', SERVING_EXITS))
    .action(async ({ data, ...flags }: { data?: string; nats?: string; cluster?: string; node?: string; host?: string; port?: string }) => {
      const stopped = stopSignal();
      await serveUntilStopped(await door.openGateway({ ...flags, dataFolder: data }), stopped);
    });
}
