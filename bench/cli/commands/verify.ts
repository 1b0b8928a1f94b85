import type { Command } from 'commander';
import type { Access } from '../../access.js';
import { EXIT } from '../exit-codes.js';
import { type Progress, showProgress } from '../operation-views.js';
import { STEPS, type Verification, verifyData } from '../../backup/verify-data.js';
import { withExample } from './running-service.js';

/** Findings that are printed; the JSON has all. */
const PRINTED = 50;

/** `tenor verify`: checks that the data folder is whole, and that what is served follows from its facts. */
export function addVerify(program: Command, access: Access): void {
  program
    .command('verify')
    .description('Check journal, chains and snapshots, and recompute every loan; the service must not run meanwhile')
    .option('--data <folder>', 'data folder')
    .option('--nats <url>', 'of a cluster, which may run: address of the NATS server')
    .option('--cluster <name>', 'name of the cluster')
    .option('--json', 'print JSON')
    .addHelpText('after', withExample('tenor verify --data ./data', 'Exit codes: 0 all is well, 1 there are findings, 2 wrong usage.'))
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
        const store = await access.openOfflineStore({ dataFolder: data, nats, cluster }, { checkRecords: true });
        try {
          const { dataFolder } = store.settings;
          const progress = flags.json ? null : progressOf();
          const verifying = verifyData(store, (step, done, total) =>
            progress?.update(STEPS.indexOf(step) + done / Math.max(1, total), {
              step,
              of: total === 0 ? '' : ` ${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`,
            }),
          );
          const verification = await verifying.finally(() => progress?.stop());
          process.stdout.write(
            flags.json
              ? `${JSON.stringify(verification, null, 2)}\n`
              : textOf(verification, nats === undefined ? dataFolder : `The cluster ${store.settings.cluster}`),
          );
          process.exitCode = verification.findings.length > 0 ? EXIT.finding : EXIT.done;
        } finally {
          await store.close();
        }
      },
    );
}

interface Shown {
  readonly step: string;
  readonly of: string;
}

const progressOf = (): Progress<Shown> =>
  showProgress<Shown>({
    total: STEPS.length,
    first: { step: STEPS[0], of: '' },
    format: '{bar} {percentage}% | {step}{of}',
    line: (percent, { step, of }) => `${percent}%  ${step}${of}`,
  });

const count = (value: number, noun: string): string => `${value.toLocaleString('en-US')} ${noun}${value === 1 ? '' : 's'}`;

function textOf({ segments, batches, records, shards, actors, loans, replayed, findings, seconds }: Verification, folder: string): string {
  const lines = [
    `${folder} in ${seconds} s`,
    `  journal    ${count(segments, 'segment')}, ${batches.toLocaleString('en-US')} batches, ` +
      `${count(records, 'record')}, ${count(shards, 'chain')}`,
    `  snapshots  ${count(actors, 'object')} as the journal gives them`,
    `  loans      ${loans.toLocaleString('en-US')}, of which ${replayed.toLocaleString('en-US')} were replayed from all their facts`,
    findings.length === 0 ? '  All is well.' : `  ${count(findings.length, 'finding')}:`,
    ...findings.slice(0, PRINTED).map(({ part, where, message }) => `    ${part}, ${where}: ${message}`),
  ];
  if (findings.length > PRINTED) lines.push(`    and ${findings.length - PRINTED} more, see --json`);
  return `${lines.join('\n')}\n`;
}
