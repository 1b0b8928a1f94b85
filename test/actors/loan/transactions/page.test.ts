import fc from '../../../fast-check.js';
import { test } from 'tap';
import { cents, day } from '../../../../engine/index.js';
import { recordFrom } from '../../../../actors/loan/transactions/new-record.js';
import { TransactionPage } from '../../../../actors/loan/transactions/page.js';
import type { TransactionRecord } from '../../../../actors/loan/transactions/record.js';
import { SYSTEM_AGENT } from '../../../../actors/kernel/fact.js';

void test('a page made of another one and of what has been put since reads as one that is made of all records', async (t) => {
  const kept = fc.array(fc.nat(9), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), kept, fc.nat(9), (size, taken, stays) => {
      const before = Array.from({ length: size }, (_, place) => settled(place));
      const page = TransactionPage.make(before, null);
      const positions = [...before.keys()].slice(0, stays);
      const others = taken.map((place, at) => (place < size && !positions.includes(place) ? place : settled(100 + at)));
      const made = TransactionPage.make([...positions, ...others], page);
      const records = [...positions, ...others].map((each) => (typeof each === 'number' ? settled(each) : each));
      t.strictSame(readAll(made), records);
      t.strictSame(made.bytes, TransactionPage.make(records, null).bytes);
      t.strictSame(readAll(page), before, 'and the first one is as it was');
      const stored = TransactionPage.read(made.stored);
      t.strictSame([readAll(stored), stored.summary()], [records, made.summary()], 'and as a snapshot has it');
    }),
  );
});

void test('what a lender wrote lies beside the bytes of a page, and is gone from one of an erased borrower', async (t) => {
  const written = { ...settled(1), externalId: 'payment-of-ann', metaData: { hint: 'aunt Gerda' } };
  const page = TransactionPage.make([settled(0), written], null);
  t.notOk(Buffer.from(page.bytes).includes('payment-of-ann') || Buffer.from(page.bytes).includes('Gerda'));
  t.strictSame(readAll(page), [settled(0), written]);
  const erased = TransactionPage.read({ bytes: page.bytes, personal: null });
  t.match(readAll(erased), [{ id: settled(0).id }, { ...written, externalId: null, metaData: null }]);
});

void test('a page says which statuses, types and days its transactions have', async (t) => {
  const { statuses, types, firstDay, lastDay } = TransactionPage.make([settled(3), settled(1), settled(7)], null).summary();
  t.strictSame([[...statuses], [...types]], [['succeeded'], ['payment']]);
  t.strictSame([firstDay, lastDay], [day(20_001), day(20_007)]);
});

function readAll(page: TransactionPage): readonly TransactionRecord[] {
  return Array.from({ length: page.length }, (_, place) => page.record(place));
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
      effective: { day: day(20_000 + number), seconds: 0 },
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
