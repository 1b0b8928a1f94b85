import type { Command } from 'commander';
import { type Door, EXIT } from '../../house.js';
import { NEW_KEY_VARIABLE, nextFileOf, RotationRefused, rotateMasterKey } from '../../backup/rotate-master-key.js';
import { addApiKeys } from './api-keys.js';
import { addGiveUp } from './give-up-keys.js';
import { withExample } from './running-service.js';

/** `tenor keys`: API keys, and with `rotate` another master key for the data keys of persons. */
export function addKeys(program: Command, door: Door): void {
  const keys = program.command('keys').description('API keys of a running service, and the keys of personal data');
  addApiKeys(keys);
  addGiveUp(keys);
  keys
    .command('rotate')
    .description(`Wrap all data keys with a new master key: of ${NEW_KEY_VARIABLE}, else a random one in the key file`)
    .option('--data <folder>', 'data folder')
    .option('--nats <url>', 'of a cluster, which may run: address of the NATS server')
    .option('--cluster <name>', 'name of the cluster')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `${withExample('tenor keys rotate', 'Exit codes: 0 done, 2 wrong usage.')}\nShould it be interrupted and the service not open the data keys, put ${nextFileOf('master.key')} in the place of master.key.`,
    )
    .action(
      async ({
        data,
        nats,
        cluster,
        ...flags
      }: {
        readonly data?: string;
        readonly nats?: string;
        readonly cluster?: string;
        readonly json?: boolean;
      }) => {
        const workshop = await door.openWorkshop({ dataFolder: data, nats, cluster }, { checkRecords: true });
        try {
          const rotated = await rotateMasterKey(workshop, process.env);
          const words =
            rotated.file === null
              ? `The data keys are wrapped with the key of ${NEW_KEY_VARIABLE}: start the service with it as TENOR_MASTER_KEY.`
              : `The data keys are wrapped with a new key, which lies in ${rotated.file}.`;
          process.stdout.write(flags.json ? `${JSON.stringify(rotated)}\n` : `${words}\n`);
        } catch (cause) {
          if (!(cause instanceof RotationRefused)) throw cause;
          process.stderr.write(`${cause.message}\n`);
          process.exitCode = EXIT.usage;
        } finally {
          await workshop.close();
        }
      },
    );
}
