import { test } from 'tap';
import { balancesOf, cents, computeLedger, type LedgerFact, obligationsOf } from '../../../../engine/index.js';
import { at, day, loan, type LoanShape, pay, text } from './loans.js';

/** 50.00 for a month. */
const SHORT: LoanShape = { principal: '50.00', rate: '0.1', activation: '2024-01-15', firstDue: '2024-02-15', rows: 1 };

test('interest capitalized after the last due date has a due date of its own', async (t) => {
  const principalFirst = [
    'nonDuePrincipal',
    'duePrincipal',
    'overduePrincipal',
    'overdueFees',
    'overdueInterest',
    'dueFees',
    'dueInterest',
    'nonDueFees',
    'nonDueInterest',
  ] as const;
  const terms = loan({ ...SHORT, settings: { capitalization: 'afterDueDate', paymentWaterfall: principalFirst } });
  // All principal is paid a week late: the interest of the week falls due in March, and is principal on the day after.
  const facts = [pay(1, '2024-02-22', '50.42')];
  const [, march] = obligationsOf(computeLedger(terms, facts, day('2024-03-16')));
  t.match(march, { dueDay: day('2024-03-15'), isFulfilled: true });
  const [, , april] = obligationsOf(computeLedger(terms, facts, day('2024-04-15')));
  t.match(april, { dueDay: day('2024-04-15'), isFulfilled: false });
});

test('days on which a frozen loan was paid off bear no interest, not even on earlier interest', async (t) => {
  const terms = loan({ ...SHORT, principal: '5000.00', accrualMethod: 'compound' });
  const factPosition = (date: string, sequence: number): Pick<LedgerFact, 'effective' | 'sequence' | 'recordedDay'> => ({
    effective: at(date),
    sequence,
    recordedDay: day(date),
  });
  const frozenAndPaid = (reopened: string): readonly LedgerFact[] => [
    { type: 'freeze', ...factPosition('2024-01-15', 1) },
    pay(2, '2024-01-20', '5000.00'),
    {
      type: 'feeCharged',
      fee: 3,
      feeTypeId: 'byHand',
      kind: 'otherFee',
      chargeLogic: 'nextDueDate',
      amountCents: cents(100),
      ...factPosition(reopened, 3),
    },
    { type: 'unfreeze', retroactivelyAccrueInterest: true, shiftDueDates: false, ...factPosition(reopened, 4) },
  ];
  const interestOf = (reopened: string): string =>
    text(balancesOf(computeLedger(terms, frozenAndPaid(reopened), day(reopened))).nonDue.interestCents);
  t.equal(interestOf('2024-01-21'), '6.85', 'five days at 10 % a year');
  t.equal(interestOf('2024-12-21'), '6.85');
});
