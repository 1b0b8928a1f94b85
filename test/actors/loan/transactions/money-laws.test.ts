import { type Test, test } from 'tap';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { type Data, itemsOf } from '../../harness.js';
import { type AutopaySetting, openAutopay, openLineAutopay } from '../autopay/setting.js';
import { MoneyLife, type Step } from './money-life.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 3);
const STEPS = 40;

const centsOf = (value: unknown): number => Math.round(Number(value) * 100);

type Row = Readonly<Record<string, unknown>>;

const partOf = (row: Row, name: string): Row => row[name] as Row;

/** All that a law asks of a loan. */
interface Seen {
  readonly transactions: readonly Data[];
  readonly balances: Row;
}

async function look(s: AutopaySetting): Promise<Seen> {
  const transactions: Data[] = [];
  for (let startingAfter: string | undefined; ; startingAfter = transactions.at(-1)?.id) {
    const page = itemsOf(
      await s.h.query('transaction.list', s.loanId, { limit: 100, ...(startingAfter === undefined ? {} : { startingAfter }) }),
    );
    transactions.push(...page);
    if (page.length < 100) return { transactions, balances: await s.h.query('loan.balances', s.loanId, { isRounded: true }) };
  }
}

const MOVED = ['initiated', 'pending', 'succeeded', 'inDispute'];
const PAID = ['payment', 'downPayment'];

/** What was charged minus what was returned by reversals and chargebacks. */
const keptCents = (transactions: readonly Data[]): number =>
  transactions.reduce((sum, one) => {
    if (!PAID.includes(String(one['transactionType'])) || !MOVED.includes(String(one['status'])) || one['reversedByTransactionId'] !== null)
      return sum;
    return sum + centsOf(one['actualAmount']) - centsOf(partOf(one, 'chargebackDetails')['amount']);
  }, 0);

const sumOf = (transactions: readonly Data[], isCounted: (one: Data) => boolean, field: string): number =>
  transactions.reduce((sum, one) => (isCounted(one) ? sum + centsOf(one[field]) : sum), 0);

const isAutopay = (one: Data): boolean => one['autopayPlanId'] !== null;
const isReimbursed = (one: Data): boolean => one['transactionType'] === 'reimbursement' && one['status'] !== 'failed';

/** The money of a loan, looked at after each step. */
class Laws {
  #before: Seen = { transactions: [], balances: {} };
  readonly #published = new Map<string, number>();

  constructor(
    private readonly t: Test,
    private readonly s: AutopaySetting,
  ) {}

  async check(step: Step): Promise<void> {
    const before = this.#before;
    const seen = await look(this.s);
    this.#before = seen;
    const { transactions, balances } = seen;
    const paid = partOf(balances, 'paidBalances');
    this.#is(
      keptCents(transactions),
      centsOf(paid['paidPaymentsAmount']),
      'what was charged minus what was returned is what the ledger counts',
    );
    this.#is(
      sumOf(transactions, isReimbursed, 'actualAmount'),
      centsOf(paid['paidReimbursementsAmount']),
      'what was reimbursed is what the balances say',
    );
    for (const one of transactions)
      this.#checkOne(
        one,
        before.transactions.find(({ id }) => id === one.id),
      );
    if (step === 'days') {
      const over = (all: readonly Data[]): number => sumOf(all, isAutopay, 'paidOverAmount');
      const newlyOver = over(transactions) - over(before.transactions);
      const news = transactions.filter(
        (one) =>
          isAutopay(one) &&
          MOVED.includes(String(one['status'])) &&
          !MOVED.includes(String(before.transactions.find(({ id }) => id === one.id)?.['status'])),
      );
      if (newlyOver > 0 && news.length > 0) {
        const payments = news.map(({ id, actualAmount, paidOverAmount }) => ({ id, actualAmount, paidOverAmount }));
        this.t.fail(`autopay has collected ${newlyOver} more than was owed: ${JSON.stringify(payments)}`);
      }
    }
    await this.#listen(transactions);
  }

  #checkOne(one: Data, before: Data | undefined): void {
    const { id, status } = one;
    if (before !== undefined && ['failed', 'canceled'].includes(String(before['status'])) && status !== before['status'])
      this.t.fail(`${id} was ${String(before['status'])} and is ${String(status)}`);
    const split = ['paidPrincipalAmount', 'paidInterestAmount', 'paidFeesAmount', 'paidOverAmount'].reduce(
      (sum, name) => sum + centsOf(one[name]),
      0,
    );
    const rest = centsOf(one['actualAmount']) - centsOf(partOf(one, 'chargebackDetails')['amount']);
    if (split !== 0 && split !== rest) this.t.fail(`${id} splits ${rest} into ${split}`);
    const { fromInstrumentId } = partOf(one, 'paymentDetails');
    if (fromInstrumentId === 'PT-GONE-GONE' && !['scheduled', 'canceled'].includes(String(status)) && one['isExternal'] !== true)
      this.t.fail(`${id} was charged to an account that cannot be charged`);
  }

  /** Each move is published once, with the amount that moved. */
  async #listen(transactions: readonly Data[]): Promise<void> {
    for (const { eventType, data } of await this.s.events()) {
      const id = data['transactionId'] ?? data['refundId'];
      const one = transactions.find((candidate) => candidate.id === id);
      if (one === undefined || !ONCE.includes(eventType)) continue;
      const count = (this.#published.get(`${eventType} ${one.id}`) ?? 0) + 1;
      this.#published.set(`${eventType} ${one.id}`, count);
      if (count > 1) this.t.fail(`${eventType} of ${one.id} is published ${count} times`);
    }
    for (const one of transactions) {
      const times = partOf(one, 'timestamps');
      for (const [name, eventType] of Object.entries(TIMED)) {
        const isPublished = this.#published.has(`${eventType} ${one.id}`);
        if (one['transactionType'] !== 'chargeback' && one['transactionType'] !== 'refund' && (times[name] !== null) !== isPublished)
          this.t.fail(`${one.id}: ${name} is ${String(times[name])}, ${eventType} ${isPublished ? 'was' : 'was not'} published`);
      }
    }
  }

  #is(found: number, wanted: number, law: string): void {
    if (found !== wanted) this.t.fail(`${law}: ${found} is not ${wanted}`);
  }
}

const TIMED = { initiatedAt: 'payment.initiated', pendingAt: 'payment.pending', failedAt: 'payment.failed' };
const ONCE = [...Object.values(TIMED), 'loan.reimbursement.initiated', 'loan.reimbursement.processed', 'payment.reversed'];

async function live(t: Test, s: AutopaySetting, random: Random, own: readonly (() => Promise<unknown>)[] = []): Promise<void> {
  const { h } = s;
  t.teardown(() => h.engine.close());
  const type = (body: object): Promise<unknown> =>
    h.data(
      'feeType.create',
      h.company,
      { amountLogic: 'fixed', amount: 15, chargeLogic: 'immediate', ...body },
      { params: { loanTypeId: s.loanTypeId } },
    );
  await type({ name: { displayName: 'Returned', apiName: 'nsf' }, feeType: 'nsfFee', trigger: 'paymentFailed' });
  await type({ name: { displayName: 'Paper', apiName: 'paper' }, feeType: 'adHoc' });
  const life = new MoneyLife(s, random, own);
  const laws = new Laws(t, s);
  for (let step = 0; step < STEPS; step += 1) await laws.check(await life.step());
  const shown = await look(s);
  h.forgetSnapshots();
  await h.restart();
  t.same(await look(s), shown, 'the same from the journal alone');
  t.same(h.reports, []);
}

const product = (random: Random): object => ({
  autopay: {
    includeOverdue: random.below(4) > 0,
    retry: { maxAttempts: random.below(3), daysBetween: 1 + random.below(4) },
    maxConsecutiveFailures: 3,
  },
  payments: { enablePrepayments: random.below(2) === 0 },
  paymentAllowedWhenChargedOff: true,
});

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`money is collected and returned once, and the ledger counts it (TENOR_SEED=${seed})`, async (t) => {
    const random = new Random(seed);
    const atOrigination = { amountFinanced: 50 + random.below(100_000) / 100, duration: 2 + random.below(10) };
    await live(t, await openAutopay(product(random), { atOrigination }), random);
  });
  test(`money of a line is collected and returned once, and the ledger counts it (TENOR_SEED=${seed})`, async (t) => {
    const random = new Random(seed);
    const s = await openLineAutopay(product(random));
    const buy = (): Promise<unknown> => s.buy(1 + random.below(60_000) / 100);
    await live(t, s, random, [
      buy,
      buy,
      () => s.create({ amountType: ['minimumDueAmount', 'statementBalance', 'outstandingBalance'][random.below(3)] }),
    ]);
  });
}
