import type { Command } from 'commander';
import { FolderLocked, MasterKeyError, openExport, LocationMissing, LocationTaken } from '../../../persistence/index.js';
import { openKeysFolders, restoreJournal, RestoreRefused, type RestoreSummary } from '../../backup/restore-journal.js';
import { recordsProgress } from '../../backup/rotate-master-key.js';
import type { Access } from '../../access.js';
import { UsageError } from '../lookups.js';
import { withExample } from './running-service.js';

/** Runs a command; errors of these kinds are wrong usage. */
export async function usageOf(kinds: readonly (abstract new (...parameters: never[]) => Error)[], run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (cause) {
    if (!(cause instanceof Error) || !kinds.some((kind) => cause instanceof kind)) throw cause;
    throw new UsageError(cause.message, { cause });
  }
}

interface Flags {
  readonly data?: string;
  readonly nats?: string;
  readonly cluster?: string;
  readonly keys?: readonly string[];
  readonly until?: string;
  readonly reseal?: boolean;
  readonly json?: boolean;
}

/** `tenor restore`: restores an export, all of it or up to a moment, into an empty folder or cluster. */
export function addRestore(program: Command, access: Access): void {
  program
    .command('restore <folder>')
    .description('Put an export back into an empty data folder or cluster, all of it or up to a moment')
    .option('--data <folder>', 'data folder to be; it may hold master.key')
    .option('--nats <url>', 'of a cluster: address of the NATS server')
    .option('--cluster <name>', 'name of the cluster')
    .option(
      '--keys <folder...>',
      'data keys of persons, of export --keys; several, the newest first: who was erased in one of them stays erased',
    )
    .option('--until <moment>', 'leave out what was recorded after it: 2026-03-01T00:00:00Z')
    .option('--reseal', 'seal personal data that an earlier release recorded unencrypted')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `${withExample(
        'tenor restore ./export --keys ./export-keys --data ./new-data',
        'Exit codes: 0 done, 1 the export is damaged and nothing was restored, 2 wrong usage.',
      )}\nThe master key is that of the export: TENOR_MASTER_KEY, TENOR_MASTER_KEY_FILE or master.key in the data folder.`,
    )
    .action(async (folder: string, { keys = [], until, reseal = false, json, data, ...cluster }: Flags) => {
      await usageOf([LocationTaken, LocationMissing, MasterKeyError, RestoreRefused, FolderLocked], async () => {
        const begun = performance.now();
        const untilMs = until === undefined ? null : momentOf(until);
        const from = await openExport(folder);
        const target = await access.openTarget({ ...cluster, dataFolder: data });
        const stores = await openKeysFolders(keys, target.masterKey).catch(async (cause: unknown) => {
          await target.abandon();
          throw cause;
        });
        const progress = recordsProgress(from.contents.records * 2);
        try {
          const restored = await restoreJournal({
            from,
            target,
            keys: stores,
            untilMs,
            isResealing: reseal,
            onProgress: progress.update,
          });
          progress.stop();
          const seconds = Number(((performance.now() - begun) / 1000).toFixed(2));
          if (json) process.stdout.write(`${JSON.stringify({ folder, into: target.kind, until: until ?? null, ...restored, seconds })}\n`);
          else process.stdout.write(`${textOf(restored, reseal)} ${seconds} s.\n`);
        } finally {
          progress.stop();
          for (const store of stores) await store.close();
        }
      });
    });
}

function textOf({ records, leftOut, resealed, keys, destroyed }: RestoreSummary, isResealing: boolean): string {
  const many = (count: number): string => count.toLocaleString('en-US');
  return [
    `${many(records)} records are restored${leftOut === 0 ? '' : `; ${many(leftOut)} that were recorded later are not`}.`,
    ...(isResealing ? [`In ${many(resealed)} of them personal data was sealed.`] : []),
    `${many(keys)} data keys, ${many(destroyed)} destroyed.`,
  ].join(' ');
}

/** Milliseconds. The moment must name its zone: otherwise it would be another one on each machine. */
function momentOf(text: string): number {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(ms)) throw new RestoreRefused(`--until ${text} is no moment with a zone: 2026-03-01T00:00:00Z`);
  return ms;
}
