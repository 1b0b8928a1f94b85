import { join } from 'node:path';
import { test } from 'tap';
import { AchRunner, type CommandRequest } from '../../../../actors/index.js';
import { SimulatedBank } from '../../../../bench/bank/simulated-bank.js';
import { addDays, type Day, formatDay, isBusinessDay, must, parseDay } from '../../../../engine/index.js';
import { FILE_PGP } from '../../../../gateway/pgp/pgp.js';
import { ContentStore } from '../../../../gateway/documents/content-store.js';
import { FolderBlobs } from '../../../../persistence/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { dataOf, listOf } from '../http-lender.js';
import { type AchOverHttp, bankSftpOf, openAch } from './ach-over-http.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 1);
const FIRST = must(parseDay('2026-03-02'), 'a day');
const PAYING_DAYS = 20;
/** Longer than the last return can take. */
const ALL_DAYS = 50;

class Dead extends Error {
  override readonly name = 'Dead';
}

/** A process that dies at one of its steps, before it or after it: nothing of it is done from then on. */
class Mortal {
  constructor(
    private left: number,
    private readonly random: Random,
  ) {}

  async step<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    if (this.left <= 0) throw new Dead();
    this.left -= 1;
    if (this.left > 0) return work();
    // The answer to what was done is lost.
    if (this.random.below(2) === 0) await work();
    throw new Dead();
  }
}

function runnerOf({ h }: AchOverHttp, mortal: Mortal): AchRunner {
  const { engine } = h;
  const contents = new ContentStore(new FolderBlobs(join(h.folder, 'documents')));
  const banks = bankSftpOf(h);
  return new AchRunner({
    engine,
    asked: {
      execute: (command: CommandRequest) => mortal.step(() => engine.execute(command)),
      query: (request) => mortal.step(() => engine.query(request)),
    },
    contents: {
      put: (content) => mortal.step(() => contents.put(content)),
      get: (content) => mortal.step(() => contents.get(content)),
    },
    pgp: FILE_PGP,
    banks: {
      put: (access, name, content) => mortal.step(() => banks.put(access, name, content)),
      look: (access, name, sha256) => mortal.step(() => banks.look(access, name, sha256)),
      list: (access) => mortal.step(() => banks.list(access)),
      get: (access, name, mostBytes) => mortal.step(() => banks.get(access, name, mostBytes)),
    },
    report: () => undefined,
  });
}

/** Runs once, with a death after so many steps. */
async function runs(lender: AchOverHttp, steps: number, random: Random): Promise<void> {
  const runner = runnerOf(lender, new Mortal(steps, random));
  await runner.settled();
  await runner.close();
}

/** What an operator does about files that have failed: asks the bank, which confirms again or gets the file again. */
async function operate({ ask }: AchOverHttp, bank: SimulatedBank): Promise<void> {
  for (const { id, fileName } of listOf(await ask('GET', '/ach-files?direction=outgoing&status=failed&limit=100'))) {
    if (bank.has(String(fileName))) bank.confirm(String(fileName));
    else await ask('POST', `/ach-files/${String(id)}/resend`);
  }
}

test('whenever the service dies, and whatever the bank loses or sends twice, every cent ends in one place', {
  timeout: 600_000,
}, async (t) => {
  for (let run = 0; run < RUNS; run += 1) {
    const random = new Random(SEED + run);
    const lender = await openAch(t);
    await lender.h.ach.close(); // the runners of this test are the only ones
    const bank = new SimulatedBank({
      folder: lender.bank,
      seed: SEED + run,
      shares: new Map([
        ['R01', 0.2],
        ['R09', 0.1],
        ['C01', 0.1],
        ['C05', 0.1],
      ]),
      losing: 0.2,
      repeating: 0.3,
    });
    const made: string[] = [];
    for (let ahead = 0; ahead < ALL_DAYS; ahead += 1) {
      const day: Day = addDays(FIRST, ahead);
      await lender.goTo(formatDay(day));
      const payments = ahead < PAYING_DAYS ? random.below(3) : 0;
      for (let count = 0; count < payments; count += 1) made.push(await lender.pay((1 + random.below(3000)) / 100));
      lender.h.nowMs = Date.parse(`${formatDay(day)}T21:30:00Z`); // after the cut-off
      for (let death = 0; death < 3; death += 1) await runs(lender, 1 + random.below(60), random);
      if (isBusinessDay(day)) bank.run(day);
      await runs(lender, 1 + random.below(60), random);
      await operate(lender, bank);
      if (ahead % 3 === 2 || ahead >= PAYING_DAYS) await runs(lender, Infinity, random);
    }
    await runs(lender, Infinity, random);
    const label = `run ${run} of seed ${SEED}`;
    let keptCents = 0;
    let principalCents = 0;
    for (const id of made) {
      const transaction = await lender.transaction(id);
      const entries = bank.entries.filter(({ reference }) => reference === id);
      t.equal(entries.length, 1, `${label}: ${id} is in one file`);
      const [entry] = entries;
      const wanted = entry?.code?.startsWith('R') === true ? 'failed' : 'succeeded';
      t.match(
        transaction,
        { status: wanted, processorTransactionId: entry?.trace },
        `${label}: ${id}, which the bank has ${entry?.code ?? 'kept'}`,
      );
      principalCents += Math.round(Number(transaction['paidPrincipalAmount']) * 100);
      if (wanted === 'succeeded') keptCents += Math.round(Number(transaction['actualAmount']) * 100);
    }
    t.equal(bank.balanceCents, keptCents, `${label}: the bank has what the ledger has`);
    t.ok(bank.entries.length >= 10, `${label}: ${bank.entries.length} entries`);
    const { outstandingBalances } = dataOf(await lender.ask('GET', `${lender.loan}/balances`));
    t.match(outstandingBalances, { outstandingPrincipalAmount: (120_000 - principalCents) / 100 }, `${label}: the ledger has it, too`);
  }
});
