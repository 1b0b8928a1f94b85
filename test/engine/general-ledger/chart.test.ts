import { test } from 'tap';
import { generalLedger } from '../../../engine/index.js';

type Normal = Readonly<Record<generalLedger.AccountType, generalLedger.Side>>;

const NORMAL: Normal = { asset: 'debit', liability: 'credit', equity: 'credit', income: 'credit', expense: 'debit', memorandum: 'debit' };

test('the default chart has one account for each role, and contra accounts are on the other side', (t) => {
  const chart = generalLedger.DEFAULT_CHART;
  t.equal(new Set(chart.map(({ role }) => role)).size, chart.length);
  t.equal(new Set(chart.map(({ number }) => number)).size, chart.length);
  for (const { role, type, side, isContra } of chart) t.equal(isContra, side !== NORMAL[type], role);
  t.strictSame(
    chart.filter(({ isContra }) => isContra).map(({ role }) => role),
    [
      'deferredFees',
      'merchantDiscountDeferred',
      'deferredPromoInterest',
      'costRecoveryContra',
      'allowance',
      'interestIncomeReversal',
      'interestRounding',
      'feeIncomeReversal',
      'memoContra',
    ],
  );
  t.end();
});

test('an account is named by its role and its dimensions in one order', (t) => {
  const dimensions: generalLedger.Dimensions = { owner: 'A', feeKind: 'late' };
  t.equal(
    generalLedger.accountKey({ role: 'feeIncome', dimensions }),
    generalLedger.accountKey({ role: 'feeIncome', dimensions: { feeKind: 'late', owner: 'A' } }),
  );
  t.equal(generalLedger.accountKey({ role: 'feeIncome', dimensions }), 'feeIncome|feeKind=late|owner=A');
  t.end();
});
