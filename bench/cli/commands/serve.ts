import type { Command } from 'commander';
import type { Access, GatewayService, Serving } from '../../access.js';
import { EXIT } from '../exit-codes.js';
import { foundCompany, UsageError } from '../lookups.js';
import { runCluster } from '../run-cluster.js';
import { readSettings, type Setting, type Settings, SETTINGS, unknownVariables } from '../settings.js';
import { withExample } from './running-service.js';

/** Exit codes of commands that serve until they are stopped. */
const SERVING_EXITS = 'Exit codes: 0 it was asked to end and has ended in order, 1 it could not start or go on, 2 wrong usage.';

/** Resolves when the operator, or whatever supervises the process, asks it to end. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

/** `tenor serve`: opens the data folder and serves until SIGTERM or SIGINT. */
export function addServe(program: Command, access: Access): void {
  program
    .command('serve')
    .description('Serve the REST interface from one process')
    .option('--host <address>', 'address to listen on')
    .option('--port <number>', 'port to listen on; 0 takes a free one')
    .option('--data <folder>', 'data folder')
    .addHelpText('after', withExample('tenor serve --port 8080 --data ./data', SERVING_EXITS))
    .action(async (flags: { host?: string; port?: string; data?: string }) => {
      const stopped = stopSignal();
      const service = await access.open({ host: flags.host, port: flags.port, dataFolder: flags.data });
      await serveUntilStopped({ ...service, companies: service.engine }, stopped);
    });
}

/**
 * An empty data folder gets a company, whose keys are printed once: before anything else can fail, since they cannot be read again.
 * A process that is asked to stop while it starts (`stopped`) completes its start first, and then ends in order.
 */
async function serveUntilStopped(service: GatewayService, stopped: Promise<void>): Promise<void> {
  const serving = await begin(service).catch(async (cause: unknown) => {
    await service.close();
    throw cause;
  });
  printServing(serving);
  await stopped;
  await serving.close();
  await service.close();
}

async function begin(service: GatewayService): Promise<Serving> {
  const founded = await foundCompany(service.companies, service.settings);
  if (founded) printKeys(founded);
  return service.serve();
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

/** `tenor gateway`: serves the REST interface of a cluster until SIGTERM or SIGINT. */
export function addGateway(program: Command, access: Access): void {
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
      await serveUntilStopped(await access.openGateway({ ...flags, dataFolder: data }), stopped);
    });
}

/** `tenor worker`: serves a unit of a cluster until SIGTERM or SIGINT. */
export function addWorker(program: Command, access: Access): void {
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
      const service = await access.openWorker({ ...flags, dataFolder: data });
      process.stdout.write(
        `Worker ${service.name} serves${service.operatorUrl === null ? '' : `, health at ${service.operatorUrl}/health/ready`}.\n`,
      );
      const end = await Promise.race([stopSignal().then(() => 'asked'), service.ended.then(() => 'lost')]);
      await service.close();
      if (end === 'lost') throw new Error('The other workers believed this worker dead and have taken over its units. Start it again.');
    });
}

/** `tenor check-config`: prints every setting with its value, all faults, and variables that are no settings. Secrets are never printed. */
export function addCheckConfig(program: Command): void {
  program
    .command('check-config')
    .description('Check the settings and print what is in force')
    .option('--json', 'print JSON')
    .addHelpText('after', withExample('tenor check-config', 'Exit codes: 0 all is well, 1 settings are wrong, 2 wrong usage.'))
    .action(({ json }: { readonly json?: boolean }) => {
      const { settings, faults } = readSettings({}, process.env);
      const unknown = unknownVariables(process.env);
      if (json) {
        process.stdout.write(
          `${JSON.stringify(
            { settings: Object.fromEntries(SETTINGS.map((setting) => [setting.name, shown(setting, settings)])), faults, unknown },
            null,
            2,
          )}\n`,
        );
      } else {
        for (const setting of SETTINGS)
          process.stdout.write(
            `${setting.environment.padEnd(22)} ${(shown(setting, settings) ?? '(not set)').padEnd(24)} ${setting.meaning}\n`,
          );
        for (const fault of faults) process.stderr.write(`${fault.name}: ${fault.message}\n`);
        for (const name of unknown) process.stderr.write(`${name}: no setting has this name\n`);
      }
      process.exitCode = faults.length > 0 ? EXIT.finding : EXIT.done;
    });
}

function shown({ name, secret }: Setting, settings: Settings): string | null {
  const value = settings[name];
  return value === null ? null : secret ? '(set)' : String(value);
}

/** `tenor cluster`: runs a whole cluster on this machine, to try it out. */
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
