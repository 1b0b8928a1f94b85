import fc from 'fast-check';
import { test } from 'tap';
import { cents, day } from '../../../../engine/index.js';
import { EMPTY_BOOK, type TransactionBook } from '../../../../actors/loan/transactions/book.js';
import { recordFrom } from '../../../../actors/loan/transactions/details.js';
import type { TransactionRecord } from '../../../../actors/loan/transactions/record.js';
import { SYSTEM_AGENT } from '../../../../actors/runtime/fact.js';

void test('a book made of another one and of what has settled since reads as one that is made of all records', async (t) => {
  const kept = fc.array(fc.nat(9), { maxLength: 10 });
  fc.assert(
    fc.property(fc.nat(9), kept, fc.nat(9), (size, taken, stays) => {
      const before = Array.from({ length: size }, (_, place) => settled(place));
      const book = EMPTY_BOOK.with(before);
      const places = [...before.keys()].slice(0, stays);
      const others = taken.map((place, at) => (place < size && !places.includes(place) ? place : settled(100 + at)));
      const made = book.with([...places, ...others]);
      const records = [...places, ...others].map((each) => (typeof each === 'number' ? settled(each) : each));
      t.strictSame(readAll(made), records);
      t.strictSame([made.bytes, made.heads], [EMPTY_BOOK.with(records).bytes, EMPTY_BOOK.with(records).heads]);
      t.strictSame(readAll(book), before, 'and the first one is as it was');
    }),
  );
});

function readAll(book: TransactionBook): readonly TransactionRecord[] {
  return book.heads.map((_, place) => book.read(place));
}

function settled(number: number): TransactionRecord {
  const timestamps = {
    createdAt: 1,
    updatedAt: 2,
    initiatedAt: null,
    pendingAt: null,
    succeededAt: 2,
    failedAt: null,
    canceledAt: null,
    inDisputeAt: null,
    chargebackAt: null,
    appliedAt: 1,
  };
  return recordFrom(
    {
      id: `TX-${number}`,
      transactionType: 'payment',
      isExternal: true,
      instrument: null,
      hold: null,
      settlement: null,
      currency: 'USD',
      scheduledCents: cents(number),
      actualCents: cents(number),
      serviceCredit: null,
      payment: number,
      effective: { day: day(20_000), seconds: 0 },
      originalEffectiveDay: day(20_000),
      scheduledDay: day(20_000),
      toldDueOn: null,
      reimbursement: null,
      returnFeeCounter: null,
      createdWhile: 'active',
      ...(number % 3 === 0 ? { externalId: `E-${number}` } : {}),
    },
    { status: 'succeeded', createdBy: SYSTEM_AGENT, createdStamp: 1_000 + number, updatedStamp: 2_000, timestamps },
  );
}
