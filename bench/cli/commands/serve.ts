import type { Command } from 'commander';
import { foundCompany } from '../found-company.js';
import type { Door, GatewayHouse, Serving } from '../../house.js';
import { withExample } from './running-service.js';
import { SERVING_EXITS, stopSignal } from './stop-signal.js';

/** `tenor serve`: opens the data folder and serves until SIGTERM or SIGINT. */
export function addServe(program: Command, door: Door): void {
  program
    .command('serve')
    .description('Serve the REST interface from one process')
    .option('--host <address>', 'address to listen on')
    .option('--port <number>', 'port to listen on; 0 takes a free one')
    .option('--data <folder>', 'data folder')
    .addHelpText('after', withExample('tenor serve --port 8080 --data ./data', SERVING_EXITS))
    .action(async (flags: { host?: string; port?: string; data?: string }) => {
      const stopped = stopSignal();
      const house = await door.open({ host: flags.host, port: flags.port, dataFolder: flags.data });
      await serveUntilStopped({ ...house, companies: house.engine }, stopped);
    });
}

/**
 * With a company on an empty data folder, whose keys are printed once: before anything else can fail, since nobody could find them out
 * again. Who is asked to end while it starts (`stopped`) starts to the end, and ends in order then.
 */
export async function serveUntilStopped(house: GatewayHouse, stopped: Promise<void>): Promise<void> {
  const serving = await begin(house).catch(async (cause: unknown) => {
    await house.close();
    throw cause;
  });
  printServing(serving);
  await stopped;
  await serving.close();
  await house.close();
}

async function begin(house: GatewayHouse): Promise<Serving> {
  const founded = await foundCompany(house.companies, house.settings);
  if (founded) printKeys(founded);
  return house.serve();
}

function printServing({ url }: Serving): void {
  process.stdout.write(`Tenor serves ${url}/api\n  API document  ${url}/api/docs\n  Health        ${url}/health/ready\n`);
}

function printKeys(founded: { readonly companyId: string; readonly testKey: string | null; readonly liveKey: string | null }): void {
  process.stdout.write(`Company ${founded.companyId} was made.\n`);
  if (founded.testKey) process.stdout.write(`  TENOR_TEST_KEY=${founded.testKey}\n`);
  if (founded.liveKey) process.stdout.write(`  TENOR_LIVE_KEY=${founded.liveKey}\n`);
  if (founded.testKey || founded.liveKey) process.stdout.write('These keys are shown once; only their hashes are kept.\n');
}
