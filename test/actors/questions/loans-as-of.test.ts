import { type Test, test } from 'tap';
import { Refusal } from '../../../actors/index.js';
import { loanModule } from '../../../actors/loan/index.js';
import type { FeedPage } from '../../../actors/questions/feed.js';
import { feedQueries, VIEWS } from '../../../actors/questions/index.js';
import { addDays, type Day, formatDay, must, parseDay } from '../../../engine/index.js';
import { Random } from '../../random.js';
import { SEED } from '../../seed.js';
import { external, openPaySetting, type PaySetting } from '../loan/transactions/setting.js';
import { rowsIn } from './rows-piece.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 6);
const STEPS = 24;
const START = must(parseDay('2024-01-15'), 'a date');

const NAMES = [
  'v_loans',
  'v_terms',
  'v_balances',
  'v_owners',
  'v_transactions',
  'v_periods',
  'v_ledger_entries',
  'v_balances_daily',
] as const;
/** In the order of the declaration. */
const SHOWN = VIEWS.filter(({ name }) => NAMES.some((shown) => shown === name));
const ASKED = { limit: 10, views: NAMES, seesPersonalData: true };
const SHARD = { params: { shard: '0' } };

/** Shown as of now, and dates of statuses that have ended: an order that reverses an acceleration leaves its date, a replay does not. */
const OF_NOW: ReadonlySet<string> = new Set([
  'v_loans.updated_at',
  'v_terms.accelerated_date',
  'v_terms.charged_off_date',
  'v_transactions.scheduled_date',
  'v_transactions.display_date',
  'v_transactions.changed_date',
  'v_transactions.succeeded_at',
  'v_transactions.processor_transaction_id',
]);

/** The rows of the loan in each view, by column. */
async function shown(s: PaySetting, type: 'rows.loan' | 'views.loanThen', more: object = {}): Promise<readonly unknown[]> {
  const { piece } = (await s.h.query(type, null, { ...ASKED, ...more }, SHARD)) as unknown as FeedPage;
  const widths = SHOWN.map(({ columns }) => columns.length);
  const rows = rowsIn(piece, s.loanId, widths);
  return SHOWN.map(({ name, columns }, at) =>
    (rows[at] ?? []).map((row) =>
      Object.fromEntries(columns.flatMap((column, of) => (OF_NOW.has(`${name}.${column.name}`) ? [] : [[column.name, row[of]]]))),
    ),
  );
}

interface Served {
  readonly asOf: { readonly day: Day; readonly knownAt: number };
  readonly rows: readonly unknown[];
}

/** A life in which much is recorded late, fails late and is taken back, and what the views showed on the way. */
class Life {
  readonly served: Served[] = [];
  #today = START;

  constructor(
    private readonly s: PaySetting,
    private readonly random: Random,
  ) {}

  async step(): Promise<void> {
    const { s, random } = this;
    const amount = random.below(60_000) / 100 + 0.01;
    const orders = [
      () => s.post(external({ amount, effectiveDate: this.#back(40), status: 'succeeded' })),
      () => s.post(external({ amount, effectiveDate: this.#back(10), status: 'pending' })),
      () => s.pay({ amount }),
      () => s.pay({ amount, paymentInstrumentId: 'PT-LATE-BACK' }),
      () => this.#onNewest('reverse', {}),
      () => this.#onNewest('backdate', { effectiveDate: this.#back(20) }),
      () => this.#order('loanRate.add', { interestRate: { annualRate: random.below(12) / 100 + 0.01, startDate: this.#back(30) } }),
      () => this.#order('loan.freeze', {}),
      () => this.#order('loan.unfreeze', { shiftDueDates: random.below(2) === 0 }),
      () => this.#order('autopay.create', { paymentInstrumentId: 'PT-CHEC-KING' }),
      () => this.#order('autopay.cancel', {}),
    ];
    const order = orders[random.below(orders.length + 5)];
    if (order !== undefined) return allowed(order);
    this.#today = addDays(this.#today, 1 + random.below(25));
    await s.pass(formatDay(this.#today));
  }

  /** What the views show now; the next thing is recorded a minute later. */
  async look(): Promise<void> {
    const { h } = this.s;
    h.nowMs += 1_000;
    this.served.push({ asOf: { day: this.#today, knownAt: h.nowMs }, rows: await shown(this.s, 'rows.loan') });
    h.nowMs += 60_000;
  }

  async #order(type: string, body: object): Promise<void> {
    await this.s.h.command(type, this.s.loanId, body, { permissions: ['*'], params: { personId: this.s.personId } });
  }

  async #onNewest(act: string, body: object): Promise<void> {
    const { items } = (await this.s.h.query(
      'transaction.list',
      this.s.loanId,
      {},
      { params: { personId: this.s.personId } },
    )) as unknown as {
      readonly items: readonly { readonly id: string }[];
    };
    const [newest] = items;
    if (newest !== undefined) await this.s.act(act, newest.id, body);
  }

  #back(within: number): string {
    return formatDay(Math.max(START, this.#today - this.random.below(within + 1)) as Day);
  }
}

async function allowed(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (cause) {
    if (!(cause instanceof Refusal) || ![400, 404, 409, 422].includes(cause.statusCode)) throw cause;
  }
}

async function check(t: Test, s: PaySetting, served: readonly Served[], when: string): Promise<void> {
  for (const { asOf, rows } of served)
    t.strictSame(await shown(s, 'views.loanThen', { asOf }), rows, `${when}: ${formatDay(asOf.day)} as known at ${asOf.knownAt}`);
}

const viewedLoans = (): ReturnType<typeof loanModule> => {
  const module = loanModule();
  return { ...module, queries: [...module.queries, ...feedQueries('loan')] };
};

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`views of loans show at a later time what they showed at a moment (TENOR_SEED=${seed})`, async (t) => {
    const s = await openPaySetting({}, {}, viewedLoans());
    const life = new Life(s, new Random(seed));
    for (let step = 0; step < STEPS; step += 1) {
      await life.step();
      await life.look();
    }
    await check(t, s, life.served, 'later');
    t.same(s.h.reports, []);
    await s.h.engine.close();
  });
}

test('a loan is in no view before the day on which it was made, nor before anybody knew of it', async (t) => {
  const s = await openPaySetting({}, {}, viewedLoans());
  const madeAt = s.h.nowMs;
  await s.pass('2024-02-20');
  const isThere = async (day: Day, knownAt: number): Promise<boolean> => {
    const [loans] = (await shown(s, 'views.loanThen', { asOf: { day, knownAt } })) as readonly (readonly unknown[])[];
    return loans !== undefined && loans.length > 0;
  };
  t.equal(await isThere(START, madeAt), true);
  t.equal(await isThere(addDays(START, -1), s.h.nowMs), false, 'the day before');
  t.equal(await isThere(START, madeAt - 1), false, 'the moment before');
  await s.h.engine.close();
});

test('views of the past have the columns that are wanted alone', async (t) => {
  const s = await openPaySetting({}, {}, viewedLoans());
  const asOf = { day: START, knownAt: s.h.nowMs };
  const query = {
    limit: 10,
    views: ['v_terms', 'v_borrowers'],
    columns: { v_terms: ['merchant_id', 'loan_id'], v_borrowers: ['external_id'] },
  };
  const { piece } = (await s.h.query('views.loanThen', null, { ...query, seesPersonalData: false, asOf }, SHARD)) as unknown as FeedPage;
  t.strictSame(rowsIn(piece, s.loanId, [2, 1]), [[[s.loanId, null]], [['bea']]], 'in the order of the declaration');
  await s.h.engine.close();
});

test('balances of views have the interest of the days on which nothing happens', async (t) => {
  const s = await openPaySetting({}, {}, viewedLoans());
  await s.pass('2024-01-30');
  const views = (await shown(s, 'rows.loan')) as readonly (readonly Readonly<Record<string, number>>[])[];
  const [balances] = views[SHOWN.findIndex(({ name }) => name === 'v_balances')] ?? [];
  const { outstandingBalances } = (await s.h.query('loan.balances', s.loanId)) as unknown as {
    readonly outstandingBalances: Readonly<Record<string, number>>;
  };
  t.equal(balances?.['outstanding_interest'], Math.round((outstandingBalances['outstandingInterestAmount'] ?? 0) * 100));
  t.equal(balances?.['outstanding_interest'], 2_055, '10,000.00 at 5 % for 15 days of 365');
  await s.h.engine.close();
});
