import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import type { SftpRequest } from '../../../bench/bank/sftp-folder.js';
import { type SftpServer, sftpServerFor } from '../../persistence/sftp-server.js';
import type { Random } from '../../random.js';
import { unlessBroken } from '../../service/patience.js';
import { Service } from '../../service/service.js';
import type { Ask } from '../../service/spread-loans.js';
import { tempFolder } from '../../temp-folder.js';
import { dataOf, FOLDERS, listOf, makeMoneyLender, type MoneyLender, renewAccount } from './lender.js';
import { BankMail } from './mail.js';

const ENTRY_POINT = resolve(import.meta.dirname, '../../../tenor.js');

/** A kill that waits for a request of the service comes after so many milliseconds without one. */
const KILL_MS = 2_500;
/** After some time, with one of the next requests to the SFTP server, or while a file gets its name. */
const KILL_MOMENTS = ['time', 'request', 'rename', 'rename'] as const;
const MOST_REQUESTS = 30;
/** Longest wait for work that nothing disturbs, in milliseconds: after a fault of a bank's server the work rests for a minute. */
const QUIET_MS = 180_000;
/** Lines of the service's log that a failure shows. */
const SHOWN_LINES = 10;

/** What the simulated bank does: shares of codes, of lost files and confirmations, of repeated files. */
const BANK_FAULTS = ['--lose', '0.1', '--repeat', '0.3'];
const RETURNS = ['R01=0.15', 'R09=0.08', 'R10=0.02', 'C01=0.05', 'C05=0.05'].flatMap((share) => ['--share', share]);

/** A file that the service has put under its name. */
export interface Delivered {
  readonly path: string;
  readonly sha256: string;
}

/** An entry that the bank has taken, and what it has done with it. */
export interface BankEntry {
  readonly fileName: string;
  readonly trace: string;
  readonly reference: string;
  /** Of the lender's account: a debit of a borrower adds to it. */
  readonly cents: number;
  readonly code: string | null;
  readonly isSettled: boolean;
  readonly isAnswered: boolean;
}

export interface BankLedger {
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
  readonly entries: readonly BankEntry[];
  readonly balanceCents: number;
}

/** `tenor serve` and `tenor bank` as processes, an SFTP server between them, and the days of a lender. */
export class MoneyWalk {
  readonly delivered: Delivered[] = [];
  readonly log: string[] = [];
  readonly counts = { kills: 0, cuts: 0, payments: 0, reversals: 0, resent: 0, asked: 0 };
  readonly mail: BankMail;
  /** Asked about each request; true: the connection is cut there. */
  #killing: ((request: SftpRequest) => boolean) | null = null;
  #cutting: ((request: SftpRequest) => boolean) | null = null;
  #accounts = 8_800_000;

  private constructor(
    readonly lender: MoneyLender,
    readonly folders: { readonly data: string; readonly bank: string },
    private service: Service,
    sftp: SftpServer,
    private readonly random: Random,
  ) {
    this.mail = new BankMail(folders.bank, random);
    sftp.onRequest = (request) => {
      this.delivered.push(...deliveredBy(request, folders.bank));
      return this.#killing?.(request) === true || this.#cutting?.(request) === true;
    };
  }

  static async begin(t: Test, random: Random): Promise<MoneyWalk> {
    const folders = { data: tempFolder(t), bank: tempFolder(t) };
    for (const name of FOLDERS) mkdirSync(join(folders.bank, name));
    const sftp = await sftpServerFor(t, folders.bank);
    const service = await started(folders.data);
    const lender = await makeMoneyLender((...asked) => service.ask(...asked), sftp);
    const walk = new MoneyWalk(lender, folders, service, sftp, random);
    t.teardown(() => walk.service.kill());
    return walk;
  }

  readonly ask: Ask = (...asked) => this.service.ask(...asked);

  stop(): Promise<number | null> {
    return this.service.stop();
  }

  bankLedger(): BankLedger {
    return ledgerOfBank(this.folders.bank);
  }

  /** Moves the clock to a moment, from wherever a kill has left it. */
  goTo(moment: string): Promise<void> {
    return moveClock(this.ask, this.lender.clock, moment);
  }

  /** One-time payments, and refunds of payments. */
  async payments(): Promise<void> {
    for (let count = this.random.below(3); count > 0; count -= 1) {
      const loan = this.random.pick(this.lender.loans);
      const plan = await this.ask('GET', `${loan}/autopay`);
      const instrument =
        plan.status === 200 ? (dataOf(plan)['paymentInstrumentId'] as string) : await renewAccount(this.ask, loan, (this.#accounts += 1));
      const body = { type: 'oneTime', amount: (1 + this.random.below(3_000)) / 100, paymentInstrumentId: instrument };
      dataOf(await this.ask('POST', `${loan}/transactions`, body));
      this.counts.payments += 1;
    }
    if (this.random.below(4) === 0) await this.reverse();
  }

  private async reverse(): Promise<void> {
    const loan = this.random.pick(this.lender.loans);
    const [paid] = (await listOf(this.ask, `${loan}/transactions?status=succeeded`)).filter(
      (each) => each['transactionType'] === 'payment' && each['reversedByTransactionId'] == null,
    );
    if (paid === undefined) return;
    const { status } = await this.ask('POST', `${loan}/transactions/${String(paid['id'])}/reverse`, {});
    if (status < 300) this.counts.reversals += 1;
  }

  /** The service is killed at a random moment of what follows, and started again. */
  async killDuring(work: () => Promise<void>): Promise<void> {
    const dead = this.#killSometime();
    await work().catch(unlessGone);
    await dead;
    await this.#start();
    await work();
  }

  /** Cuts the connection of the next upload, in its middle or while the file gets its name, before it happened or after. */
  cutNext(): void {
    const name = this.random.pick(['WRITE', 'RENAME'] as const);
    const isDone = this.random.below(2) === 0;
    this.#cutting = (request) => {
      if (request.name !== name || request.isDone !== isDone) return false;
      this.#cutting = null;
      this.counts.cuts += 1;
      return true;
    };
  }

  noFaults(): void {
    this.#cutting = null;
  }

  async bankDay(day: string, faults: readonly string[] = BANK_FAULTS): Promise<void> {
    const { bank: folder } = this.folders;
    const parameters = ['bank', '--folder', folder, '--day', day, '--seed', String(this.random.seed), ...RETURNS, ...faults];
    await promisify(execFile)(process.execPath, [ENTRY_POINT, ...parameters]);
  }

  /** What an operator does about files that have failed: asks the bank, which confirms again or gets the file again. */
  async operate(): Promise<void> {
    const taken = new Set(this.bankLedger().files.map(({ name }) => name));
    for (const { id, fileName } of await listOf(this.ask, '/ach-files?direction=outgoing&status=failed')) {
      const name = String(fileName);
      if (taken.has(name)) {
        this.counts.asked += 1;
        this.mail.give(`CONF_again_${name}_${this.counts.asked}.txt`, `${name} ACCEPTED\n`);
      } else {
        this.counts.resent += 1;
        dataOf(await this.ask('POST', `/ach-files/${String(id)}/resend`));
      }
    }
  }

  /** Waits until nothing is missing, while nothing disturbs the service. */
  readonly until = async (missing: () => Promise<readonly unknown[]>): Promise<void> => {
    try {
      await untilNothing(missing);
    } catch (cause) {
      const said = this.service.lines.filter((line) => /"level":[456]0/.test(line)).slice(-SHOWN_LINES);
      throw new Error(`${String(cause)}\n${said.join('\n')}`, { cause });
    }
  };

  #killSometime(): Promise<void> {
    const { random, service } = this;
    return new Promise((dead) => {
      const kill = (): void => {
        this.#killing = null;
        clearTimeout(timer);
        this.counts.kills += 1;
        void service.kill().then(dead);
      };
      const moment = random.pick(KILL_MOMENTS);
      const timer = setTimeout(kill, moment === 'time' ? random.below(KILL_MS / 2) : KILL_MS);
      if (moment === 'time') return;
      let left = moment === 'request' ? random.below(MOST_REQUESTS) : 0;
      const [isDone, isLost] = [random.below(2) === 0, random.below(2) === 0];
      this.#killing = (request) => {
        if (moment === 'rename' && (request.name !== 'RENAME' || request.isDone !== isDone)) return false;
        left -= 1;
        if (left >= 0) return false;
        kill();
        return isLost; // the request dies with the process, or is carried out all the same
      };
    });
  }

  async #start(): Promise<void> {
    this.log.push(...this.service.lines);
    this.service = await started(this.folders.data);
  }
}

/** A file that has got its name. */
export function deliveredBy({ name, to = '', isDone }: SftpRequest, folder: string): readonly Delivered[] {
  if (name !== 'RENAME' || !isDone) return [];
  return [
    {
      path: to,
      sha256: createHash('sha256')
        .update(readFileSync(join(folder, to)))
        .digest('hex'),
    },
  ];
}

export function ledgerOfBank(folder: string): BankLedger {
  const path = join(folder, 'bank.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as BankLedger) : { files: [], entries: [], balanceCents: 0 };
}

export async function moveClock(ask: Ask, clock: string, moment: string): Promise<void> {
  await untilNothing(async () => {
    const { status, now } = dataOf(await ask('GET', `/test-clocks/${clock}`));
    if (status === 'ready' && Date.parse(String(now)) >= Date.parse(moment)) return [];
    if (status === 'ready') await ask('POST', `/test-clocks/${clock}/advance?sync=true`, { to: moment });
    return [{ status, now, moment }];
  });
}

export async function untilNothing(missing: () => Promise<readonly unknown[]>): Promise<void> {
  for (const end = performance.now() + QUIET_MS; ; await pause(100)) {
    const found = await missing();
    if (found.length === 0) return;
    if (performance.now() > end) throw new Error(`missing after ${QUIET_MS} ms: ${JSON.stringify(found)}`);
  }
}

const started = (data: string): Promise<Service> => Service.start(data, { TENOR_OUTGOING_ALLOW: '127.0.0.0/8' });

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

/** The process has been killed while it was asked, or does not serve yet. */
function unlessGone(cause: unknown): void {
  unlessBroken(cause);
}
