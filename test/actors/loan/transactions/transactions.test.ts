import { test } from 'tap';
import { recordFrom } from '../../../../actors/loan/transactions/new-record.js';
import { TRANSACTION_STATUSES, type TransactionStatus } from '../../../../actors/loan/transactions/machine.js';
import { isSettled, PAGE_TRANSACTIONS } from '../../../../actors/loan/transactions/page.js';
import type { TransactionRecord } from '../../../../actors/loan/transactions/record.js';
import { Transactions } from '../../../../actors/loan/transactions/transactions.js';
import { pack, unpack } from '../../../../actors/kernel/journal/records.js';
import { must } from '../../../../engine/index.js';
import { centsFrom, dayFrom } from '../../../engine/numbers.js';
import { Random } from '../../../random.js';
import { collectGarbage } from '../../../garbage-collection.js';
import { SEED } from '../../../seed.js';

const HISTORIES = 100;
const STEPS = 60;

/** One history has several pages. */
const LONG_HISTORY = 400;
const DAY = dayFrom('2025-03-01');

const pick = <Item>(random: Random, items: readonly Item[]): Item => must(items[random.below(items.length)], 'a choice');

/** A payment by chance, as a put of one that may be there already. */
function aTransaction(random: Random, number: number): TransactionRecord {
  const status = pick(
    random,
    TRANSACTION_STATUSES.filter((one): one is TransactionStatus => one !== 'new'),
  );
  return recordFrom(
    {
      id: `TX-0000-${String(number).padStart(4, '0')}`,
      transactionType: pick(random, ['payment', 'payment', 'payment', 'reimbursement', 'serviceCredit']),
      instrument: null,
      currency: 'USD',
      serviceCredit: null,
      reimbursement: null,
      payment: random.below(2) === 0 ? null : number,
      effective: { day: DAY, seconds: random.below(86_400) },
      originalEffectiveDay: DAY,
      scheduledDay: DAY,
      settlement: null,
      hold: random.below(4) === 0 ? { endDay: DAY, isOver: random.below(2) === 0 } : null,
      returnFeeCounter: null,
      toldDueOn: null,
      createdWhile: 'active',
      isExternal: true,
      scheduledCents: centsFrom('10.00'),
      actualCents: null,
      ...(random.below(3) === 0 ? { externalId: `E${random.below(8)}-${number}` } : {}),
    },
    {
      status,
      createdBy: { type: 'system', id: 'system' },
      createdStamp: number * 1000,
      updatedStamp: random.below(1_000_000),
      timestamps: {
        createdAt: number,
        updatedAt: number,
        initiatedAt: null,
        pendingAt: null,
        succeededAt: null,
        failedAt: null,
        canceledAt: null,
        inDisputeAt: null,
        chargebackAt: null,
        appliedAt: null,
      },
    },
  );
}

test(`transactions answer the same before and after any snapshot, and copies keep theirs: seed ${SEED}`, async (t) => {
  const random = new Random(SEED);
  for (let history = 0; history < HISTORIES; history++) {
    let snapshots = new Map<string, unknown>();
    let transactions = new Transactions();
    let known = new Map<string, TransactionRecord>();
    for (let number = 1; number <= (history % 5 === 0 ? PAGE_TRANSACTIONS + 9 : 0); number += 1) {
      const record = aTransaction(random, number);
      known.set(record.id, record);
      transactions.put(record);
    }
    const others: { readonly copy: Transactions; readonly known: Map<string, TransactionRecord> }[] = [];
    for (let step = 0; step < STEPS; step++) {
      switch (random.below(6)) {
        case 0:
          transactions.pack();
          if (random.below(4) > 0) evicted(transactions, snapshots);
          break;
        case 1:
          if (random.below(4) > 0) break;
          transactions = stored(transactions);
          snapshots = new Map();
          break;
        case 2: {
          others.push({ copy: transactions, known });
          transactions = transactions.copy();
          known = new Map(known);
          break;
        }
        default: {
          const record = aTransaction(random, 1 + random.below(Math.max(12, known.size + 1)));
          transactions.put(record);
          known.set(record.id, record);
        }
      }
      const found = differenceOf(transactions, known);
      if (found !== null) throw new Error(`history ${history}, step ${step}: ${found}`);
    }
    if (history % 5 === 0) await collectGarbage();
    const changed = others.filter(({ copy, known: its }) => differenceOf(copy, its) !== null);
    t.equal(changed.length, 0, `copies of history ${history}`);
  }
});

/** As a snapshot leaves them: full pages are read from it. */
function evicted(transactions: Transactions, snapshots: Map<string, unknown>): void {
  for (const part of transactions.parts()) {
    snapshots.set(part.name, unpack(pack(part.value)));
    part.evict?.((name) => snapshots.get(name));
  }
}

/** As a start reads them from a snapshot. */
function stored(transactions: Transactions): Transactions {
  const packed = structuredClone(transactions.pack());
  const parts = new Map(transactions.parts().map(({ name, value }) => [name, unpack(pack(value))]));
  return Transactions.unpack(packed, (name) => parts.get(name));
}

/** What differs from the plain map in the same order; null when nothing does. */
function differenceOf(transactions: Transactions, known: ReadonlyMap<string, TransactionRecord>): string | null {
  const all = [...known.values()];
  if (JSON.stringify([...transactions.values()]) !== JSON.stringify(all)) return 'other records, or another order';
  if (all.some(({ id }) => JSON.stringify(transactions.get(id)) !== JSON.stringify(known.get(id)))) return 'one by its id';
  if (all.some(({ id, externalId }) => externalId !== null && transactions.ofExternalId(externalId)?.id !== id))
    return 'one by its external id';
  const named = all.filter(({ externalId }) => externalId !== null).map(({ id }) => id);
  if (
    transactions.names
      .map(([, , id]) => id)
      .sort()
      .join() !== named.sort().join()
  )
    return 'those with an external id';
  if ([...transactions.statuses()].sort().join() !== [...new Set(all.map(({ status }) => status))].sort().join()) return 'statuses';
  if (transactions.newestCreatedStamp !== Math.max(0, ...all.map(({ createdStamp }) => createdStamp))) return 'the newest stamp';
  if ([...transactions.uncounted()].length !== all.filter(({ payment }) => payment === null).length)
    return 'those that the ledger does not count';
  if (all.some(({ id, payment }) => payment !== null && transactions.idOfPayment(payment) !== id)) return 'one by its number in the ledger';
  const wanted = all.filter(({ status }) => status === 'failed').map(({ id }) => id);
  const failed = [...transactions.among(({ statuses }) => statuses.has('failed'))].filter(({ status }) => status === 'failed');
  if (failed.map(({ id }) => id).join() !== wanted.join()) return 'those of a status, read page by page';
  const open = new Set([...transactions.open()].map(({ id }) => id));
  if (all.some((record) => !isSettled(record) && !open.has(record.id))) return 'an open one is missing';
  return null;
}

test(`of several pages only those are stored again in which something was put: seed ${SEED}`, (t) => {
  const random = new Random(SEED);
  const transactions = new Transactions();
  const known = new Map<string, TransactionRecord>();
  const put = (number: number): void => {
    const record = aTransaction(random, number);
    transactions.put(record);
    known.set(record.id, record);
  };
  for (let number = 1; number <= LONG_HISTORY; number += 1) put(number);
  t.equal(differenceOf(transactions, known), null);
  t.equal(differenceOf(stored(transactions), known), null);
  const before = transactions.parts().map(({ version }) => version);
  t.equal(before.length, Math.floor(LONG_HISTORY / PAGE_TRANSACTIONS));
  put(PAGE_TRANSACTIONS + 5);
  put(LONG_HISTORY + 1);
  t.equal(differenceOf(transactions, known), null);
  t.equal(differenceOf(stored(transactions), known), null);
  const isSame = transactions.parts().map(({ version }, page) => version === before[page]);
  t.strictSame(isSame, [true, false, true]);
  t.end();
});
