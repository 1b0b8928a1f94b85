import { test } from 'tap';
import { computeLine, type LineFact, type LineSeeded, type LineState, recordLine } from '../../../../engine/index.js';
import { day, money } from '../installment/loans.js';
import { buy, draw, DRAWN, line, statementOn } from './lines.js';

/*
 * A change to the rules of lines applies only to days that are computed under the release that made it
 * (docs/decisions/rules-versions.md).
 */

const factPosition = (sequence: number, date: string): Pick<LineFact, 'sequence' | 'effective' | 'recordedDay'> => ({
  sequence,
  effective: { day: day(date), seconds: 50_000 },
  recordedDay: day(date),
});

const interestOf = ({ draws }: LineState): number => draws[0]?.totals.interestAccrued.cents ?? 0;

test('frozen days of a canceled draw bear no interest since rules 2', (t) => {
  const interestUnder = (rules: number): number => {
    const terms = line({ schedule: statementOn(9), settings: { rules }, terms: { accrualMethod: 'compoundWithFees' } });
    const facts: readonly LineFact[] = [
      draw(1),
      {
        ...factPosition(100, '2024-01-10'),
        type: 'feeCharged',
        fee: 100,
        feeTypeId: 'byHand',
        kind: 'otherFee',
        amountCents: money('900.00'),
        chargeLogic: 'nonDue',
        draw: 1,
      },
      { ...factPosition(101, '2024-01-10'), effective: { day: day('2024-01-10'), seconds: 60_000 }, type: 'freeze' },
      { ...factPosition(102, '2024-01-20'), type: 'drawCanceled', draw: 1 },
      { ...factPosition(103, '2024-01-25'), type: 'unfreeze', retroactivelyAccrueInterest: true, shiftDueDates: false },
    ];
    return interestOf(computeLine(terms, facts, day('2024-01-26')));
  };
  t.equal(interestUnder(2), 0);
  t.ok(interestUnder(1) > 0, 'the published figure');
  t.end();
});

test('history of a migration bears no interest when its grace is lost since rules 2', (t) => {
  const nothing = { principalCents: money('0.00'), interestCents: money('0.00') };
  const seeded: LineSeeded = {
    ...factPosition(2, '2024-06-10'),
    effective: { day: day('2024-06-10'), seconds: 7_900 },
    type: 'lineSeeded',
    period: { startDate: day('2024-05-10'), endDate: day('2024-06-09'), statementDate: day('2024-06-10'), dueDate: day('2024-06-30') },
    fees: [],
    draws: [
      {
        draw: 1,
        nonDue: { principalCents: money('900.00'), interestCents: money('0.00') },
        due: { principalCents: money('100.00'), interestCents: money('0.00') },
        overdue: nothing,
        fees: [],
        isGraceEligible: true,
        fullBalanceCents: money('1000.00'),
      },
    ],
    obligation: {
      amountCents: money('100.00'),
      remainingCents: money('100.00'),
      overdueCents: money('0.00'),
      overdueRemainingCents: money('0.00'),
      daysOverdue: 0,
      isGraceEligible: true,
    },
    reimbursementCents: money('0.00'),
  };
  const interestUnder = (rules: number): number => {
    const terms = line({ activation: '2024-06-10', schedule: statementOn(10), settings: { rules } });
    const of = draw(1, { drawType: 'static', grace: { isApplicable: true, periodsToRestore: 1 } }, '2024-06-10');
    return interestOf(computeLine(terms, [of, seeded], day('2024-07-02')));
  };
  t.equal(interestUnder(2), 0);
  t.ok(interestUnder(1) > 0, 'the published figure');
  t.end();
});

test('due interest becomes principal of its own draw under all rules', async (t) => {
  // Statement of 9 February, due on the 29th: 30 days on 2,500.00 at 19.99 % are 41.07, on 300.00 at 10 % 2.46.
  for (const rules of [1, 2, 3]) {
    const terms = line({ schedule: statementOn(9), settings: { rules, capitalization: 'afterDueDate' } });
    const facts = [...DRAWN, draw(2, { rate: '0.10' }), buy(101, '2024-01-10', '300.00', 2)];
    const {
      state: { draws, obligations },
      ledgerEvents,
    } = recordLine(terms, facts, day('2024-03-01'));
    t.same(
      ledgerEvents.flatMap((event) => (event.type === 'interestCapitalized' ? [[event.day, event.seconds, event.amountCents]] : [])),
      [[day('2024-03-01'), 1_200, 4_353]],
    );
    t.same(
      draws.map(({ totals, balances }) => [totals.capitalizedInterestCents, balances.dueInterestCents + balances.overdueInterestCents]),
      [
        [4_107, 0],
        [246, 0],
      ],
      `rules ${rules}`,
    );
    t.same(
      obligations[0]?.draws.flatMap(({ draw: of, capitalizedCents }) => (of === null ? [] : [[of, capitalizedCents]])),
      [
        [1, 4_107],
        [2, 246],
      ],
    );
  }
});
