import type { Command } from 'commander';
import { UNITS } from '../../../actors/index.js';
import { ClusterSnapshots, type SnapshotFinding, type StoredUnit } from '../../../persistence/index.js';
import { EXIT } from '../exit-codes.js';
import { readSettings } from '../settings.js';
import { textTable } from '../loan-views.js';
import { UsageError } from '../lookups.js';
import { withExample } from './running-service.js';

interface Flags {
  readonly nats?: string;
  readonly cluster?: string;
  readonly json?: boolean;
}

/** Runs on the snapshots of each unit; returns the findings. */
type Doing = (snapshots: ClusterSnapshots, unit: string) => Promise<readonly SnapshotFinding[]>;

/** `tenor snapshot`: the copies of a cluster's snapshots in the object store, from which units are taken over. */
export function addSnapshot(program: Command): void {
  const snapshot = program
    .command('snapshot')
    .description('The snapshots of a cluster in the object store, from which the next owner of a unit starts');
  add(snapshot, 'make', 'Have the owners store theirs now', async (snapshots, unit) => {
    await snapshots.make(unit);
    return [];
  });
  add(snapshot, 'list', 'What is stored, when, and by which process', async () => []);
  add(snapshot, 'verify', 'Fetch each and read every record of it', (snapshots, unit) => snapshots.verify(unit));
  add(snapshot, 'drop', 'Remove them: a takeover reads the journal from its start then', async (snapshots, unit) => {
    await snapshots.drop(unit);
    return [];
  });
}

function add(parent: Command, name: string, description: string, run: Doing): void {
  parent
    .command(`${name} [units...]`)
    .description(`${description}; all units where none is named`)
    .option('--nats <url>', 'address of the NATS server, else TENOR_NATS')
    .option('--cluster <name>', 'name of the cluster')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      withExample(
        `tenor snapshot ${name} u03 --nats nats://127.0.0.1:4222`,
        'Exit codes: 0 done, 1 something is damaged or nobody answers, 2 wrong usage.',
      ),
    )
    .action(async (units: readonly string[], { json, ...flags }: Flags) => {
      const unknown = units.find((unit) => !UNITS.some(({ name: known }) => known === unit));
      if (unknown !== undefined)
        throw new UsageError(`${unknown} is no unit: they are ${UNITS.map(({ name: known }) => known).join(', ')}.`);
      const { settings, faults } = readSettings({ ...flags }, process.env);
      if (faults.length > 0 || settings.nats === null)
        throw new UsageError(
          faults.map(({ name: setting, message }) => `${setting}: ${message}`).join('\n') ||
            'nats (TENOR_NATS): a cluster needs the address of its server',
        );
      const snapshots = await ClusterSnapshots.open(settings.nats, settings.cluster);
      try {
        const stored: StoredUnit[] = [];
        const findings: SnapshotFinding[] = [];
        for (const unit of units.length > 0 ? units : UNITS.map(({ name: known }) => known)) {
          findings.push(...(await run(snapshots, unit)));
          stored.push(...[await snapshots.describe(unit)].flatMap((one) => one ?? []));
        }
        process.stdout.write(json ? `${JSON.stringify({ stored, findings }, null, 2)}\n` : textOf(stored, findings));
        process.exitCode = findings.length > 0 ? EXIT.finding : EXIT.done;
      } finally {
        await snapshots.close();
      }
    });
}

const textOf = (stored: readonly StoredUnit[], findings: readonly SnapshotFinding[]): string =>
  [
    textTable(
      ['unit', 'stored at', 'by', 'records', 'bytes'],
      stored.map(({ unit, storedAt, takenBy, records, bytes }) => [unit, storedAt, takenBy, records, bytes]),
    ),
    ...findings.map(({ unit, environment, message }) => `${unit}, ${environment}: ${message}`),
    '',
  ].join('\n');
