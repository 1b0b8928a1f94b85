import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { dayAt, type Day, isKnownReturnCode, parseDay } from '../../../engine/index.js';
import { type BankDayReport, SimulatedBank } from '../../bank/simulated-bank.js';
import { CardProcessor } from '../../bank/card-processor.js';
import { newServerKey, SftpFolder } from '../../bank/sftp-folder.js';
import { connectionFault } from '../connection-faults.js';
import { UsageError } from '../lookups.js';
import { withExample } from './running-service.js';

interface BankFlags {
  readonly folder: string;
  readonly day?: string;
  readonly every?: string;
  readonly sftp?: string;
  readonly username: string;
  readonly share: readonly string[];
  readonly lose: string;
  readonly repeat: string;
  readonly seed: string;
  readonly cards?: string;
  readonly decline: readonly string[];
  readonly dispute: readonly string[];
  readonly win: string;
  readonly cardFee: string;
  readonly callbacks?: string;
  readonly account?: string;
  readonly booking: 'sums' | 'entries';
  readonly json?: boolean;
}

const ZONE = 'America/New_York';

/** `tenor bank`: a bank for demonstrations and tests. It moves no money. */
export function addBank(program: Command): void {
  program
    .command('bank')
    .description('A simulated bank: takes ACH files from a folder, settles them by the calendar, and answers with returns')
    .requiredOption('--folder <folder>', 'has `out`, which the service writes by SFTP, and `in`, which it reads')
    .option('--day <date>', 'the day to play; absent: today in New York')
    .option('--every <seconds>', 'play again and again, until it is stopped')
    .option('--sftp <port>', 'serve the folder by SFTP on 127.0.0.1, until it is stopped; 0: a free port. The password is in BANK_PASSWORD')
    .option('--username <name>', 'who may log in by SFTP', 'lender')
    .option('--share <code=share>', 'share of entries that come back or change: R01=0.05, C01=0.01', collect, [])
    .option('--cards <port>', 'be a processor of cards on 127.0.0.1, until it is stopped; 0: a free port. CARDS_API_KEY has its key')
    .option('--decline <code=share>', 'share of authorizations that are declined: 51=0.05, 54=0.01', collect, [])
    .option(
      '--dispute <code=share>',
      'share of payments by card that are disputed, by the reason code of a network: 10.4=0.01',
      collect,
      [],
    )
    .option('--win <share>', 'share of disputes that the lender wins', '0.3')
    .option('--card-fee <cents>', 'what a payment by card costs the lender', '0')
    .option('--callbacks <url>', 'where disputes are reported, signed with CARDS_WEBHOOK_SECRET')
    .option('--lose <share>', 'share of files, confirmations, answers and callbacks that are lost', '0')
    .option('--repeat <share>', 'share of return files and callbacks that arrive twice', '0')
    .option('--account <number>', 'write a statement of this account for the day into `statements`, as BAI2 and as camt.053')
    .addOption(new Option('--booking <how>', 'a line of the statement is').choices(['sums', 'entries']).default('sums'))
    .option('--seed <number>', 'the same seed does the same to the same files', '1')
    .option('--json', 'print JSON')
    .addHelpText('after', withExample('tenor bank --folder ./bank --day 2026-03-03 --share R01=0.05', 'Exit codes: 0 done, 2 wrong usage.'))
    .action(play);
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

async function play(flags: BankFlags): Promise<void> {
  if (flags.sftp !== undefined) await serve(flags, flags.sftp);
  const cards = flags.cards === undefined ? null : await serveCards(flags, flags.cards);
  if ((flags.sftp !== undefined || cards !== null) && flags.every === undefined) return;
  const bank = new SimulatedBank({
    folder: flags.folder,
    seed: numberOf('--seed', flags.seed, Number.MAX_SAFE_INTEGER),
    shares: new Map(flags.share.map(shareOf)),
    losing: numberOf('--lose', flags.lose, 1),
    repeating: numberOf('--repeat', flags.repeat, 1),
    ...(flags.account === undefined ? {} : { account: flags.account }),
    booking: flags.booking,
  });
  const everyMs = flags.every === undefined ? null : numberOf('--every', flags.every, 86_400) * 1_000;
  do {
    const day = dayOf(flags.day);
    const ofCards = await cards?.run(day);
    for (const { cents, reference } of ofCards?.fundings ?? []) bank.book(day, { cents, reference, text: 'CARDS' });
    const report = bank.run(day);
    process.stdout.write(flags.json ? `${JSON.stringify({ ...report, balanceCents: bank.balanceCents })}\n` : `${textOf(report)}\n`);
    if (everyMs !== null) await pause(everyMs);
  } while (everyMs !== null);
}

/** The server keeps the process running. */
async function serveCards(flags: BankFlags, port: string): Promise<CardProcessor> {
  const apiKey = process.env['CARDS_API_KEY'];
  const webhookSecret = process.env['CARDS_WEBHOOK_SECRET'];
  if (apiKey === undefined || apiKey === '') throw new UsageError('CARDS_API_KEY must have the key of the processor of cards.');
  if (flags.callbacks !== undefined && (webhookSecret === undefined || webhookSecret === ''))
    throw new UsageError('CARDS_WEBHOOK_SECRET must have the secret with which callbacks are signed.');
  const cards = new CardProcessor({
    folder: flags.folder,
    seed: numberOf('--seed', flags.seed, Number.MAX_SAFE_INTEGER),
    declines: new Map(flags.decline.map((text) => cardShareOf('--decline', text))),
    disputes: new Map(flags.dispute.map((text) => cardShareOf('--dispute', text))),
    winning: numberOf('--win', flags.win, 1),
    feeCents: Math.floor(numberOf('--card-fee', flags.cardFee, 10_000)),
    apiKey,
    webhookSecret: webhookSecret ?? '',
    callbackUrl: flags.callbacks ?? null,
    losing: numberOf('--lose', flags.lose, 1),
    repeating: numberOf('--repeat', flags.repeat, 1),
  });
  const server = await cards.serve(numberOf('--cards', port, 65_535)).catch((cause: unknown) => {
    throw portUnusable(port, cause);
  });
  process.stdout.write(`The processor of cards is at ${server.url}\n`);
  return cards;
}

function portUnusable(port: string, cause: unknown): UsageError {
  const fault = connectionFault(cause) ?? (cause instanceof Error ? cause.message : String(cause));
  return new UsageError(`Port ${port} of 127.0.0.1 cannot be used: ${fault}. Name another port.`, { cause });
}

function cardShareOf(flag: string, text: string): readonly [string, number] {
  const [, code, share] = /^([0-9A-Za-z.]{1,10})=(.+)$/.exec(text) ?? [];
  if (code === undefined || share === undefined) throw new UsageError(`${flag} must name a code and a share, such as 51=0.05: ${text}`);
  return [code, numberOf(flag, share, 1)];
}

/** The server keeps the process running. */
async function serve({ folder, username }: BankFlags, port: string): Promise<void> {
  const password = process.env['BANK_PASSWORD'];
  if (password === undefined || password === '') throw new UsageError('BANK_PASSWORD must have the password of the SFTP server.');
  for (const name of ['out', 'in']) mkdirSync(join(folder, name), { recursive: true });
  const login = { username, password };
  const opened = await SftpFolder.open(folder, login, numberOf('--sftp', port, 65_535), keptServerKey(folder)).catch((cause: unknown) => {
    throw portUnusable(port, cause);
  });
  process.stdout.write(
    `The bank serves ${folder} by SFTP on 127.0.0.1:${opened.port} for ${username}, host key SHA256:${opened.hostKey}\n`,
  );
}

/** The same at each start, since a service knows the bank by it. */
function keptServerKey(folder: string): string {
  const file = join(folder, 'server.key');
  if (!existsSync(file)) writeFileSync(file, newServerKey(), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

function dayOf(text: string | undefined): Day {
  if (text === undefined) return dayAt(ZONE, Date.now());
  const day = parseDay(text);
  if (day === undefined) throw new UsageError(`--day must be a date such as 2026-03-03: ${text}`);
  return day;
}

function numberOf(flag: string, text: string, most: number): number {
  const value = Number(text);
  if (!(value >= 0 && value <= most)) throw new UsageError(`${flag} must be a number from 0 to ${most}: ${text}`);
  return value;
}

function shareOf(text: string): readonly [string, number] {
  const [code = '', share = ''] = text.split('=');
  if (!isKnownReturnCode(code) && !/^C0[1-7]$/.test(code)) throw new UsageError(`--share must name a return or change code: ${text}`);
  return [code, numberOf('--share', share, 1)];
}

const textOf = ({ taken, rejected, lost, returned, changed }: BankDayReport): string =>
  `files taken ${taken.length}, rejected ${rejected.length}, lost ${lost.length}; entries returned ${returned}, changed ${changed}`;
