import { test } from 'tap';
import { FEDERAL_CALENDAR, formatDay, must, parseDay } from '../../../../engine/index.js';
import { LOAN_TYPE_DEFAULTS } from '../../../../actors/company/index.js';
import type { TransactionRecord } from '../../../../actors/loan/transactions/record.js';
import { defaultSettlement, settlementOf } from '../../../../actors/loan/transactions/settlement.js';

const PAYMENT = {} as TransactionRecord;

test('digits of the account decide how a test-mode payment fails, and have no effect on a live one', (t) => {
  const cases = [
    ['9901', { type: 'returned', returnCode: 'R01' }],
    ['9929', { type: 'returned', returnCode: 'R29' }],
    ['9810', { type: 'settled', lateReturnCode: 'R10' }],
    ['9900', { type: 'settled', lateReturnCode: null }],
    ['9876', { type: 'settled', lateReturnCode: null }],
    ['1234', { type: 'settled', lateReturnCode: null }],
    [null, { type: 'settled', lateReturnCode: null }],
  ] as const;
  for (const [lastFour, verdict] of cases) {
    t.same(
      defaultSettlement.verdict(PAYMENT, 'test', () => lastFour),
      verdict,
      `${lastFour} in test mode`,
    );
    t.same(
      defaultSettlement.verdict(PAYMENT, 'live', () => lastFour),
      { type: 'settled', lateReturnCode: null },
      `${lastFour} in live mode`,
    );
  }
  t.end();
});

test('files go out on business days, and settlement counts from them', (t) => {
  const cases = [
    ['2024-02-15', '2024-02-16', '2024-02-21'], // over Washington's Birthday
    ['2024-01-20', '2024-01-23', '2024-01-25'], // made on a Saturday
    ['2024-07-03', '2024-07-04', '2024-07-09'], // over Independence Day
  ] as const;
  for (const [made, handedOver, settled] of cases) {
    const { handOverDay, settleDay } = settlementOf(
      must(parseDay(made), made),
      { instrumentType: 'bankAccount', cardType: null },
      {
        ...LOAN_TYPE_DEFAULTS,
        processorFor: () => null,
        businessDays: FEDERAL_CALENDAR,
      },
    );
    t.same([formatDay(handOverDay), formatDay(settleDay)], [handedOver, settled], made);
  }
  t.end();
});
