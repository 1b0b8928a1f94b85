import type { Command } from 'commander';
import { LocationMissing, LocationTaken } from '../../../persistence/index.js';
import type { Access } from '../../access.js';
import { exportJournal } from '../../backup/restore-journal.js';
import { recordsProgress } from '../../backup/rotate-master-key.js';
import { withExample } from './running-service.js';
import { usageOf } from './restore.js';

interface Flags {
  readonly data?: string;
  readonly nats?: string;
  readonly cluster?: string;
  readonly keys?: string;
  readonly json?: boolean;
}

/** `tenor export`: the whole journal with its chains, to be restored into another folder or cluster. */
export function addExport(program: Command, access: Access): void {
  program
    .command('export <folder>')
    .description('Write the whole journal with its hash chains, of a data folder while no service runs on it, or of a cluster that may run')
    .option('--data <folder>', 'data folder')
    .option('--nats <url>', 'of a cluster: address of the NATS server')
    .option('--cluster <name>', 'name of the cluster')
    .option('--keys <folder>', 'where the data keys of persons go, apart from the export')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `${withExample(
        'tenor export ./export --keys ./export-keys --data ./data',
        'Exit codes: 0 done, 1 something in the journal is damaged, 2 wrong usage.',
      )}\nWithout --keys no data key leaves its store; a restore asks for them.`,
    )
    .action(async (folder: string, { keys, json, data, ...cluster }: Flags) => {
      await usageOf([LocationTaken, LocationMissing], async () => {
        const begun = performance.now();
        const source = await access.openSource({ ...cluster, dataFolder: data });
        const progress = recordsProgress(source.records);
        try {
          const {
            records,
            heads,
            parts,
            newestStamp,
            keys: counted,
            madeAt,
          } = await exportJournal({ source, folder, keysFolder: keys ?? null, onProgress: progress.update });
          progress.stop();
          const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
          const seconds = Number(((performance.now() - begun) / 1000).toFixed(2));
          const through = new Date(newestStamp / 1000).toISOString();
          if (json)
            process.stdout.write(
              `${JSON.stringify({
                folder,
                madeAt,
                from: source.kind,
                records,
                shards: heads.length,
                bytes,
                through,
                keys: { ...counted, folder: keys ?? null },
                seconds,
              })}\n`,
            );
          else
            process.stdout.write(
              `${records.toLocaleString('en-US')} records of ${heads.length} shards up to ${through} lie in ${folder}: ` +
                `${bytes.toLocaleString('en-US')} bytes in ${seconds} s.\n${keysText(counted.keys, keys)}\n`,
            );
        } finally {
          progress.stop();
          await source.close();
        }
      });
    });
}

const keysText = (count: number, folder: string | undefined): string =>
  folder === undefined
    ? `None of the ${count.toLocaleString('en-US')} data keys was exported.`
    : `${count.toLocaleString('en-US')} data keys lie in ${folder}, under the same master key: keep them apart from the export.`;
