import { join } from 'node:path';
import { test } from 'tap';
import { openJournal } from '../../persistence/index.js';
import { type Portfolio, makePortfolio } from '../service/portfolio.js';
import { Service } from '../service/service.js';
import { scratchFolder } from '../temp-folder.js';
import { Random } from '../random.js';
import { SEED } from '../seed.js';

/** Kills of one run; `TENOR_KILLS=1000` for the long one. */
const KILLS = Number(process.env['TENOR_KILLS'] ?? 50);
const LOANS = 8;
const CALLERS = 8;

/** A payment that a caller sends, whether or not it was answered. */
interface Payment {
  readonly key: string;
  readonly loanId: string;
  readonly cents: number;
  /** The acknowledged reply. */
  acknowledged: string | null;
}

test(`${KILLS} kills at random moments lose nothing that was acknowledged and apply nothing twice`, async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  const folder = scratchFolder();
  const payments: Payment[] = [];
  let service = await Service.start(folder);
  const portfolio = await makePortfolio(service, LOANS);

  let wrongRetries = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const underWay = load(service, portfolio, payments, random);
    await new Promise((resolve) => setTimeout(resolve, 20 + random.below(180)));
    await service.kill();
    await underWay;
    service = await Service.start(folder);
    // Unanswered payments are sent again under their keys; of the answered ones some at random: the answer must be the same.
    for (const payment of payments.filter(({ acknowledged }) => acknowledged === null)) await pay(service, portfolio, payment);
    for (let again = 0; again < 5; again++) {
      const payment = payments[random.below(payments.length)];
      if (!payment) continue;
      const first = payment.acknowledged;
      const replayed = await pay(service, portfolio, payment);
      if (!replayed || payment.acknowledged !== first) wrongRetries += 1;
    }
  }
  t.equal(wrongRetries, 0, 'each retry of an acknowledged payment is answered the same');
  t.ok(payments.length >= KILLS, `${payments.length} payments were made over ${KILLS} kills`);
  t.equal(payments.filter(({ acknowledged }) => acknowledged === null).length, 0, 'every payment was acknowledged in the end');

  for (const loanId of portfolio.loanIds) {
    const own = payments.filter((payment) => payment.loanId === loanId);
    const expected = own.reduce((sum, { cents }) => sum + cents, 0);
    const { json } = await service.ask('GET', `/people/${portfolio.personId}/loans/${loanId}/balances?isRounded=true`);
    const data = json['data'] as { outstandingBalances: { outstandingTotalAmount: number }; paidBalances: { paidTotalAmount: number } };
    t.equal(Math.round(data.paidBalances.paidTotalAmount * 100), expected, `${loanId}: every payment counts once`);
    t.equal(Math.round(data.outstandingBalances.outstandingTotalAmount * 100), 10_000_000 - expected, 'and the ledger sums');
    t.equal(await countTransactions(service, portfolio, loanId), own.length);
  }
  t.equal(await service.stop(), 0);
  const journal = await openJournal({ folder: join(folder, 'journal') });
  let blocks = 0;
  for (const block of journal.read(new Map())) blocks += block.records.length > 0 ? 1 : 0;
  t.ok(blocks > 0, `the chain of ${blocks} blocks is whole`);
  await journal.close();
});

/** Callers that pay one after the other until the service is gone. */
async function load(service: Service, book: Portfolio, payments: Payment[], random: Random): Promise<void> {
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (;;) {
        const payment: Payment = {
          key: `payment-${SEED}-${payments.length}`,
          loanId: book.loanIds[random.below(book.loanIds.length)] ?? '',
          cents: 1 + random.below(500),
          acknowledged: null,
        };
        payments.push(payment);
        try {
          await pay(service, book, payment);
        } catch (cause) {
          if (isGone(cause)) return;
          throw cause;
        }
      }
    }),
  );
}

/** Pays and notes the acknowledged reply; true when it was the stored one. */
async function pay(service: Service, book: Portfolio, payment: Payment): Promise<boolean> {
  const { status, json, replayed } = await service.ask(
    'POST',
    `/people/${book.personId}/loans/${payment.loanId}/transactions`,
    {
      type: 'oneTime',
      amount: payment.cents / 100,
      isExternal: true,
      status: 'succeeded',
      paymentInstrumentId: book.instrumentId,
    },
    { 'idempotency-key': payment.key },
  );
  if (status !== 201) throw new Error(`a payment was answered ${status}: ${JSON.stringify(json)}`);
  payment.acknowledged = JSON.stringify(json['data']);
  return replayed;
}

async function countTransactions(service: Service, book: Portfolio, loanId: string): Promise<number> {
  const { json } = await service.ask('GET', `/people/${book.personId}/loans/${loanId}/transactions?limit=1`);
  return Number(json['total']);
}

/** The connection broke or could not be made: the process was killed. */
const isGone = (cause: unknown): boolean =>
  (cause instanceof TypeError && cause.message === 'fetch failed') ||
  (cause instanceof Error && /terminated|socket|ECONN/.test(`${cause.message} ${String(cause.cause ?? '')}`));
