import type { Command } from 'commander';
import { parseDay } from '../../../engine/index.js';
import type { Access } from '../../access.js';
import { EXIT } from '../exit-codes.js';
import { asOf, diff, findLoans, ledger, type LoanAnswer, type LoanQuestion, replay, show } from '../loan-views.js';
import { withExample } from './running-service.js';

type Answering = (loan: Parameters<typeof show>[0], question: LoanQuestion) => LoanAnswer;

/** `--flag <value>` and what it means. */
type Option = readonly [flag: string, meaning: string, isRequired?: 'required'];

const DAY: Option = ['--day <YYYY-MM-DD>', 'the last day that counts; default the last finished day'];
const KNOWN: Option = ['--known <date-time>', "only what was recorded until then by the company's clock, which a test clock sets"];
const KNOWN_EARLIER: Option = ['--known <date-time>', "the earlier moment, by the company's clock, which a test clock sets", 'required'];
const KNOWN_LATER: Option = ['--known-later <date-time>', 'the later moment; default now'];

/** One row for each subcommand. */
const QUESTIONS: Readonly<
  Record<string, { readonly description: string; readonly answer: Answering; readonly options: readonly Option[] }>
> = {
  show: { description: 'What the loan is, and its balances; with --json as the interface answers it', answer: show, options: [DAY, KNOWN] },
  ledger: { description: 'Every change of its balances: which fact, which rule, which buckets', answer: ledger, options: [DAY, KNOWN] },
  replay: { description: 'The running ledger beside one computed from all facts; a difference exits with 1', answer: replay, options: [] },
  'as-of': { description: 'The balances at the end of a day, as they were known at a moment', answer: asOf, options: [DAY, KNOWN] },
  diff: {
    description: 'What the ledger says otherwise at a later moment than at an earlier one',
    answer: diff,
    options: [DAY, KNOWN_EARLIER, KNOWN_LATER],
  },
};

interface Flags {
  readonly day?: string;
  readonly known?: string;
  readonly knownLater?: string;
  readonly data?: string;
  readonly json?: boolean;
}

/** `tenor loan …`: one loan of a data folder on which no service runs. Nothing is written. */
export function addLoan(program: Command, access: Access): void {
  const loan = program
    .command('loan')
    .description('Explain one loan: show, ledger, replay, as-of, diff; the service must not run meanwhile');
  for (const [name, { description, answer, options }] of Object.entries(QUESTIONS)) {
    const command = loan.command(`${name} <loanId>`).description(description);
    for (const [flag, meaning, isRequired] of options) command[isRequired === undefined ? 'option' : 'requiredOption'](flag, meaning);
    command
      .option('--data <folder>', 'data folder')
      .option('--json', 'print JSON')
      .addHelpText(
        'after',
        `${withExample(`tenor loan ${name} ext-12345 --json`, 'Exit codes: 0 done, 1 a finding or no such loan, 2 wrong usage.')}\n` +
          'The id is a service id or `ext-` and an external id.',
      )
      .action(async (anyId: string, flags: Flags) => {
        process.exitCode = await ask(access, anyId, flags, answer);
      });
  }
}

async function ask(access: Access, anyId: string, flags: Flags, answer: Answering): Promise<number> {
  const question = read(flags);
  if (typeof question === 'string') {
    process.stderr.write(`${question}\n`);
    return EXIT.usage;
  }
  const store = await access.openOfflineStore({ dataFolder: flags.data }, { checkRecords: false });
  try {
    const found = findLoans(await store.recompute('served'), anyId);
    if (found.length === 0) {
      process.stderr.write(`There is no loan ${anyId} in ${store.settings.dataFolder}.\n`);
      return EXIT.finding;
    }
    const answers = found.map((loan) => ({ loan, ...answer(loan, question) }));
    for (const {
      loan: { tenant, state },
      json,
      text,
    } of answers) {
      process.stdout.write(flags.json ? `${json}\n` : `${state.id} of ${tenant.company} in ${tenant.mode} mode\n${text}\n`);
    }
    return answers.some(({ isFinding }) => isFinding) ? EXIT.finding : EXIT.done;
  } finally {
    await store.close();
  }
}

/** The question, or what is wrong with it. */
function read({ day, known, knownLater }: Flags): LoanQuestion | string {
  const onDay = day === undefined ? null : parseDay(day);
  if (onDay === undefined) return `--day must be a date, YYYY-MM-DD: ${day ?? ''}`;
  const moments: (number | null)[] = [];
  for (const text of [known, knownLater]) {
    const moment = text === undefined ? null : Date.parse(text);
    if (moment !== null && Number.isNaN(moment)) return `not a date-time: ${text ?? ''}`;
    moments.push(moment);
  }
  const [knownAt = null, knownAtLater = null] = moments;
  return { day: onDay, knownAt, knownAtLater };
}
