import { type Test, test } from 'tap';
import { Refusal } from '../../../actors/index.js';
import { addDays, type Day, formatDay, must, parseDay } from '../../../engine/index.js';
import { Random } from '../../random.js';
import { SEED } from '../../seed.js';
import type { Data } from '../harness.js';
import { external, openPaySetting, type PaySetting } from './transactions/setting.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 6);
const STEPS = 24;

const START = must(parseDay('2024-01-15'), 'a date');

/** The answer that a reader got at a moment. */
interface Served {
  readonly at: string;
  readonly query: Readonly<Record<string, string>>;
  readonly balances: Data;
}

/** Orders that stop most others, and what ends them. */
const UNDONE = ['loan.freeze', 'loan.accelerate'];
const UNDOING: Readonly<Record<string, string>> = { frozen: 'loan.unfreeze', accelerated: 'loan.reverseAccelerate' };

/** A life of a loan in which much is recorded late, and what was served on the way. */
class Life {
  readonly served: Served[] = [];
  #today = START;

  constructor(
    private readonly s: PaySetting,
    private readonly random: Random,
  ) {}

  async step(): Promise<void> {
    const { s, random } = this;
    const amount = random.below(40_000) / 100 + 0.01;
    const orders = [
      () => s.post(external({ amount, effectiveDate: this.#back(40), status: 'succeeded' })),
      () => s.post(external({ amount, effectiveDate: this.#back(5), status: 'succeeded' })),
      () => this.#order('loanRate.add', { interestRate: { annualRate: random.below(12) / 100 + 0.01, startDate: this.#back(30) } }),
      () => this.#order('loan.deferDueDate', { existingDueDate: formatDay(this.#nextDueDay()) }),
      () => this.#order('refund.create', { refundAmount: amount, atFaultParty: 'merchant', refundDate: this.#back(20) }),
      () => this.#order(UNDONE[random.below(UNDONE.length)] ?? '', {}),
    ];
    const undo = UNDOING[String((await s.loan())['status'])];
    if (undo !== undefined && random.below(3) > 0) return allowed(() => this.#order(undo, { shiftDueDates: random.below(2) === 0 }));
    const order = orders[random.below(orders.length + 4)];
    if (order !== undefined) return allowed(order);
    this.#today = addDays(this.#today, 1 + random.below(20));
    await s.pass(formatDay(this.#today));
  }

  /** Asks for today and for a day before, as known now; the next thing is recorded a minute later. */
  async look(): Promise<void> {
    const { h, loanId } = this.s;
    h.nowMs += 1_000;
    const at = new Date(h.nowMs).toISOString();
    const queries: readonly Served['query'][] = [
      {},
      { toEffectiveDate: this.#back(30) },
      { toEffectiveDate: formatDay(addDays(this.#today, 40)) },
    ];
    for (const query of queries) {
      this.served.push({ at, query, balances: await h.query('loan.balances', loanId, query) });
    }
    h.nowMs += 60_000;
  }

  async #order(type: string, body: object): Promise<void> {
    await this.s.h.command(type, this.s.loanId, body, { permissions: ['*'], params: { personId: this.s.personId } });
  }

  #back(within: number): string {
    return formatDay(Math.max(START, this.#today - this.random.below(within + 1)) as Day);
  }

  #nextDueDay(): Day {
    let day = this.#today;
    while (!formatDay(day).endsWith('-15')) day = addDays(day, 1);
    return day;
  }
}

async function allowed(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (cause) {
    if (!(cause instanceof Refusal) || ![400, 404, 409, 422].includes(cause.statusCode)) throw cause;
  }
}

async function check(t: Test, { h, loanId }: PaySetting, served: readonly Served[], when: string): Promise<void> {
  for (const { at, query, balances } of served) {
    t.same(
      await h.query('loan.balances', loanId, { ...query, recordedAsOf: at }),
      balances,
      `${when}: ${JSON.stringify(query)} as it was known at ${at}`,
    );
  }
}

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`what was known at a moment stays what was served at it, on both time axes (TENOR_SEED=${seed})`, async (t) => {
    const setting = await openPaySetting();
    const life = new Life(setting, new Random(seed));
    for (let step = 0; step < STEPS; step += 1) {
      await life.step();
      await life.look();
    }
    await check(t, setting, life.served, 'later');
    await setting.h.restart();
    await check(t, setting, life.served, 'in a later process');
    t.same(setting.h.reports, []);
    await setting.h.engine.close();
  });
}
