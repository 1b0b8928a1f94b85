import type { Command } from 'commander';
import type { ShardsLine, ShardsReport } from '../../../actors/index.js';
import type { Access } from '../../access.js';
import { EXIT } from '../exit-codes.js';
import { durationText } from '../operation-views.js';
import { textTable } from '../loan-views.js';
import { askProcess, withExample } from './running-service.js';

interface Flags {
  readonly url?: string;
  readonly nats?: string;
  readonly cluster?: string;
  readonly json?: boolean;
}

/** `tenor shards`: owners and state of the shards of a running process or cluster. */
export function addShards(program: Command, access: Access): void {
  program
    .command('shards')
    .description('Who owns the shards of a running process or cluster, and how they stand')
    .option('--url <address>', 'of a process or a gateway; else TENOR_URL, else http://127.0.0.1:8080')
    .option('--nats <url>', 'address of the NATS server of a cluster, which is asked instead: also while no gateway answers')
    .option('--cluster <name>', 'with --nats: name of the cluster')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      withExample(
        'tenor shards --nats nats://127.0.0.1:4222',
        'Exit codes: 0 all are served or being opened, 1 one has no owner or is not served, or nobody answers, 2 wrong usage.',
      ),
    )
    .action(async (flags: Flags) => {
      const report =
        flags.nats === undefined
          ? await askProcess<ShardsReport>(flags, '/health/shards')
          : await access.askShards({ nats: flags.nats, cluster: flags.cluster });
      process.stdout.write(flags.json ? `${JSON.stringify(report, null, 2)}\n` : textOf(report));
      process.exitCode = report.units.every(isWell) ? EXIT.done : EXIT.finding;
    });
}

/** Whether a unit is healthy; one that is being opened is, too. */
const isWell = ({ state }: ShardsLine): boolean => state === 'serving' || state === 'recovering';

const HEAD = ['unit', 'shards', 'owner', 'epoch', 'state', 'journal', 'not in snapshot', 'snapshot', 'loans', 'awake'];

function textOf({ units, processes }: ShardsReport): string {
  const lines = [textTable(HEAD, units.map(lineOf)), ''];
  lines.push(
    textTable(
      ['process', 'pid', 'up', 'memory', 'heap', 'last beat'],
      processes.map(({ name, pid, upSeconds, rssBytes, heapBytes, beatAgeSeconds }) => [
        name,
        String(pid),
        durationText(upSeconds),
        megabytes(rssBytes),
        megabytes(heapBytes),
        beatAgeSeconds === null ? '' : `${beatAgeSeconds.toFixed(1)} s ago`,
      ]),
    ),
  );
  const faults = units
    .filter(({ reason }) => reason !== null)
    .map(({ unit, state, reason }) => `${unit} is ${STATE_TEXTS[state]}: ${reason}`);
  return `${[...lines, ...(faults.length === 0 ? [] : ['', ...faults])].join('\n')}\n`;
}

const STATE_TEXTS: Readonly<Record<ShardsLine['state'], string>> = {
  serving: 'serving',
  recovering: 'recovering',
  readOnly: 'read-only',
  rebuilding: 'rebuilding',
  over: 'over',
  closed: 'closed',
  stopped: 'stopped',
  unowned: 'without an owner',
  silent: 'silent',
};

function lineOf({
  unit,
  shards,
  owner,
  epoch,
  state,
  unstoredRecords,
  snapshotAgeSeconds,
  loans,
  awake,
}: ShardsLine): readonly (string | number)[] {
  const journal = shards.reduce<number | null>((sum, shard) => (sum === null || shard.journal === null ? null : sum + shard.journal), 0);
  return [
    unit,
    spanOf(shards.map(({ shard }) => shard)),
    owner ?? 'nobody',
    epoch ?? '',
    STATE_TEXTS[state],
    journal ?? '',
    journal === null ? '' : unstoredRecords,
    unstoredRecords === 0 ? '' : durationText(snapshotAgeSeconds),
    loans ?? '',
    journal === null ? '' : awake,
  ];
}

/** `4-7` */
function spanOf(shards: readonly number[]): string {
  const [first, last] = [shards[0], shards.at(-1)];
  return first === undefined || last === undefined ? '' : first === last ? String(first) : `${first}-${last}`;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2).toLocaleString('en-US')} MB`;
