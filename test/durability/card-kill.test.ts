import { test, type Test } from 'tap';
import { CardServer } from '../../bench/bank/card-server.js';
import { SimulatedCards } from '../../bench/bank/simulated-cards.js';
import { addDays, type Day, formatDay, must, parseDay } from '../../engine/index.js';
import { loanBody } from '../actors/loan/setting.js';
import { API_KEY, CARD, cardProcessorBody } from '../gateway/routes/card-payments/cards-over-http.js';
import { Random } from '../random.js';
import { SEED } from '../seed.js';
import { unlessBroken } from '../service/patience.js';
import { Service } from '../service/service.js';
import type { Ask } from '../service/spread-loans.js';
import { tempFolder } from '../temp-folder.js';
import { nextDay } from './money/days.js';
import { type Data, dataOf, FIRST_DAY, idOf, listOf, signed } from './money/lender.js';
import { moveClock, untilNothing } from './money/walk.js';

/** Kills of one run, one on each business day. */
const KILLS = Number(process.env['TENOR_KILLS'] ?? 12);
/** A kill that waits for a call comes after so many milliseconds without one. */
const KILL_MS = 2_500;
/** Days after which holders may dispute a payment: what is refunded is younger. */
const DISPUTED_AFTER = 8;
/** Numbers of test cards with valid check digits. */
const NUMBERS = ['4111111111111111', '4012888888881881', '5555555555554444'];

const DECLINES = new Map([
  ['51', 0.12],
  ['05', 0.04],
]);

/** `tenor serve` as a process, a processor of cards, and the days of a lender. */
class CardWalk {
  readonly cards: SimulatedCards;
  readonly log: string[] = [];
  readonly counts = { kills: 0, lost: 0, payments: 0, reversals: 0 };
  loans: readonly string[] = [];
  clock = '';
  #service: Service | null = null;
  /** Asked about each answer; true: the answer is lost. */
  #killing: (() => boolean) | null = null;
  #instruments = new Map<string, string>();

  private constructor(
    private readonly folder: string,
    readonly random: Random,
  ) {
    const disputes = new Map([['13.1', 0.1]]);
    this.cards = new SimulatedCards({ seed: random.seed, declines: DECLINES, disputes, winning: 0.5, feeCents: 30 });
  }

  static async begin(t: Test, random: Random): Promise<CardWalk> {
    const walk = new CardWalk(tempFolder(t), random);
    const server = await CardServer.start(() => walk.cards, { port: 0, apiKey: API_KEY, afterAnswer: () => !walk.#isLost() });
    t.teardown(() => server.close());
    await walk.#start();
    t.teardown(() => walk.#service?.kill());
    await walk.#makeLender(server.url);
    return walk;
  }

  readonly ask: Ask = (...asked) => must(this.#service, 'the service runs').ask(...asked);

  goTo(moment: string): Promise<void> {
    return moveClock(this.ask, this.clock, moment);
  }

  stop(): Promise<number | null> {
    return must(this.#service, 'the service runs').stop();
  }

  async pay(day: Day): Promise<void> {
    for (let count = this.random.below(3); count > 0; count -= 1) {
      const loan = this.random.pick(this.loans);
      const paymentInstrumentId = must(this.#instruments.get(loan), 'a card');
      const body = { type: 'oneTime', amount: (100 + this.random.below(5_000)) / 100, paymentInstrumentId };
      dataOf(await this.ask('POST', `${loan}/transactions`, body));
      this.counts.payments += 1;
    }
    if (this.random.below(3) > 0) return;
    const loan = this.random.pick(this.loans);
    const paid = (await listOf(this.ask, `${loan}/transactions?status=succeeded`)).find(
      (each) =>
        each['transactionType'] === 'payment' &&
        each['reversedByTransactionId'] == null &&
        String((each['timestamps'] as Data)['effectiveDate']) > formatDay(addDays(day, -DISPUTED_AFTER)),
    );
    if (paid === undefined) return;
    const { status } = await this.ask('POST', `${loan}/transactions/${String(paid['id'])}/reverse`, {});
    if (status < 300) this.counts.reversals += 1;
  }

  /** The service is killed at a random moment of what follows, and started again. */
  async killDuring(work: () => Promise<void>): Promise<void> {
    const dead = this.#killSometime();
    await work().catch(unlessBroken);
    await dead;
    await this.#start();
    await work();
  }

  /** Payments that no answer has ended yet. */
  readonly underWay = async (): Promise<readonly unknown[]> => {
    const all = await Promise.all(this.loans.map((loan) => listOf(this.ask, `${loan}/transactions`)));
    return all.flat().filter(({ status }) => status === 'initiated' || status === 'pending');
  };

  #isLost(): boolean {
    return this.#killing?.() === true;
  }

  #killSometime(): Promise<void> {
    const { random } = this;
    const service = must(this.#service, 'the service runs');
    return new Promise((dead) => {
      const kill = (): void => {
        this.#killing = null;
        clearTimeout(timer);
        this.counts.kills += 1;
        void service.kill().then(dead);
      };
      const isByTime = random.below(4) === 0;
      const timer = setTimeout(kill, isByTime ? random.below(KILL_MS / 2) : KILL_MS);
      if (isByTime) return;
      let left = random.below(4);
      // The processor has done what it was asked: its answer dies with the service, or has left.
      const isLost = random.below(2) === 0;
      this.#killing = () => {
        left -= 1;
        if (left >= 0) return false;
        kill();
        if (isLost) this.counts.lost += 1;
        return isLost;
      };
    });
  }

  async #start(): Promise<void> {
    this.log.push(...(this.#service?.lines ?? []));
    this.#service = await Service.start(this.folder, { TENOR_OUTGOING_ALLOW: '127.0.0.0/8' });
  }

  async #makeLender(url: string): Promise<void> {
    const { ask } = this;
    const [company] = dataOf(await ask('GET', '/companies')) as unknown as readonly [{ readonly id: string }];
    this.clock = idOf(await ask('POST', '/test-clocks', { startDate: FIRST_DAY }));
    dataOf(await ask('POST', '/payment-processors', cardProcessorBody(url)));
    const loanTypeId = idOf(
      await ask('POST', `/companies/${company.id}/loan-types`, {
        name: 'Weekly',
        type: 'installment',
        autopay: { retry: { maxAttempts: 2, daysBetween: 1 }, maxConsecutiveFailures: 50 },
      }),
    );
    const loans: string[] = [];
    for (const [number, cardNumber] of NUMBERS.entries()) loans.push(await this.#makeLoan(loanTypeId, number, cardNumber));
    this.loans = loans;
  }

  async #makeLoan(loanTypeId: string, number: number, cardNumber: string): Promise<string> {
    const { ask } = this;
    const name = { firstName: 'Ann', lastName: `Quimby ${'ABC'[number] ?? ''}` };
    const person = idOf(await ask('POST', '/people', { name, identity: { identityType: 'SSN', value: `900-11-22${number}3` } }));
    const terms = { amountFinanced: 5_000, duration: 104, paymentFrequency: 'weekly', specificDays: [number + 1] };
    const atOrigination = { ...terms, interestRates: [{ interestType: 'absolute', days: null, rate: 0.18 }] };
    const loan = `/people/${person}/loans/${idOf(await ask('POST', `/people/${person}/loans`, loanBody(loanTypeId, { atOrigination })))}`;
    dataOf(await ask('POST', `${loan}/activate`, {}));
    const card = { ...CARD, cardNumber, verified: true };
    const [made] = dataOf(await ask('POST', `/people/${person}/payment-instruments?force=true`, card)) as unknown as readonly [
      { readonly id: string },
    ];
    this.#instruments.set(loan, made.id);
    dataOf(await ask('POST', `${loan}/autopay`, { paymentInstrumentId: made.id, agreementDocumentId: await signed(ask, loan) }));
    return loan;
  }
}

const centsOf = (value: unknown): number => Math.round(Number(value ?? 0) * 100);

/** What the processor has kept of a loan's payments is what the ledger has kept. */
async function checkMoney(t: Test, { ask, loans, cards }: CardWalk): Promise<void> {
  const { payments, items } = cards.ledger;
  t.equal(new Set(payments.map(({ reference }) => reference)).size, payments.length, 'each payment was authorized once');
  const all = Object.values(items).flat();
  const captures = all.filter(({ type }) => type === 'capture').map(({ reference }) => reference);
  t.equal(new Set(captures).size, captures.length, 'each payment was captured once');
  const refunds = all.filter(({ type }) => type === 'refund').map(({ reference }) => reference);
  t.equal(new Set(refunds).size, refunds.length, 'each refund was made once');
  const known = new Map<string, Data>();
  for (const loan of loans)
    for (const transaction of await listOf(ask, `${loan}/transactions`))
      known.set(`${loan.split('/').at(-1) ?? ''}/${String(transaction['id'])}`, transaction);
  for (const [reference, transaction] of known) {
    const isMoved = captures.includes(reference) || refunds.includes(reference);
    const hasMoved = ['succeeded', 'inDispute', 'chargeback'].includes(String(transaction['status']));
    t.equal(isMoved, hasMoved, `${reference} is ${String(transaction['status'])}`);
  }
  t.same(
    payments.map(({ reference }) => reference).filter((reference) => !known.has(reference)),
    [],
    'each authorization belongs to a payment',
  );
  const held = all.reduce((sum, { amount }) => sum + amount, 0);
  let kept = 0;
  for (const [, transaction] of known) {
    const { status, transactionType, actualAmount } = transaction;
    const isKept = status === 'succeeded' && transactionType !== 'reversal';
    if (isKept) kept += centsOf(actualAmount);
    if (status === 'succeeded' && transactionType === 'reversal') kept -= centsOf(actualAmount);
  }
  t.equal(held, kept, 'the processor has what the ledger has');
  for (const loan of loans) {
    const own = [...known].filter(([reference]) => reference.startsWith(`${loan.split('/').at(-1) ?? ''}/`)).map(([, each]) => each);
    const paid = own
      .filter((each) => each['transactionType'] === 'payment' && each['status'] === 'succeeded' && each['reversedByTransactionId'] == null)
      .reduce((sum, each) => sum + centsOf(each['actualAmount']), 0);
    const { paidBalances } = dataOf(await ask('GET', `${loan}/balances?isRounded=true`)) as Readonly<Record<string, Data>>;
    t.equal(centsOf(paidBalances?.['paidTotalAmount']), paid, `${loan}: the ledger counts what was kept`);
  }
}

test(`${KILLS} kills while cards are charged: no card is charged twice, and every cent is in one place`, {
  timeout: 60_000 + KILLS * 60_000,
}, async (t) => {
  t.comment(`seed ${SEED}`);
  const walk = await CardWalk.begin(t, new Random(SEED));
  let day: Day = must(parseDay(FIRST_DAY), FIRST_DAY);
  for (; walk.counts.kills < KILLS; day = nextDay(day)) {
    const date = formatDay(day);
    await walk.goTo(`${date}T15:00:00Z`);
    walk.cards.run(day);
    await walk.pay(day);
    await walk.killDuring(() => walk.goTo(`${date}T18:00:00Z`));
    await untilNothing(walk.underWay);
  }
  for (const loan of walk.loans) await walk.ask('DELETE', `${loan}/autopay`);
  // The last retries, and the disputes until they are decided.
  for (let left = 30; left > 0; left -= 1) {
    day = nextDay(day);
    await walk.goTo(`${formatDay(day)}T15:00:00Z`);
    walk.cards.run(day);
    await untilNothing(walk.underWay);
  }
  const last = formatDay(addDays(day, -1));
  await untilNothing(async () => {
    const days = (await listOf(walk.ask, '/reconciliations')).map(({ date }) => String(date));
    return days.includes(last) ? [] : [last];
  });
  await checkMoney(t, walk);
  const days = await listOf(walk.ask, '/reconciliations');
  t.same(
    days.filter(({ status }) => status !== 'matched'),
    [],
    'all results agree with the ledger',
  );
  t.comment(JSON.stringify({ ...walk.counts, authorized: walk.cards.ledger.payments.length, days: days.length }));
  t.equal(await walk.stop(), 0);
  t.same(
    walk.log.filter((line) => /"level":[56]0/.test(line) || NUMBERS.some((number) => line.includes(number))),
    [],
    'no process has met a fault of its own or has logged a card',
  );
});
