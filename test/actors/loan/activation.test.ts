import { test } from 'tap';
import { openSetting } from './setting.js';

test('an activated loan has the level payment and the last payment of the worked example', async (t) => {
  const { active } = await openSetting();
  const loan = await active();
  t.match(loan, {
    object: 'installment',
    status: 'active',
    endDate: '2027-01-15',
    current: { periodicPayment: 299.72, nextDueDate: '2024-02-15', nextDueAmount: 299.72, isOverdue: false, interestRate: 0.05 },
    atActivation: { startDate: '2024-01-15', duration: 36, totalInterestAmount: 789.78, periodicPaymentAmount: 299.72 },
    amountsValidation: { principalMatch: true, interestMatch: true, feesMatch: true },
  });
  const rows = (loan['atActivation'] as { readonly expectedPayments: readonly object[] }).expectedPayments;
  t.match(rows[0], { amount: 299.72, interestAmount: 42.47, principalAmount: 257.25 });
  t.match(rows[35], { date: '2027-01-15', amount: 299.58 });
});
