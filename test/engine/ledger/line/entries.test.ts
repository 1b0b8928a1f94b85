import { test } from 'tap';
import { cents, formatAccrued, formatDay, type LineEntry, type LineFact, lineAllocationOf, recordLine } from '../../../../engine/index.js';
import { day, money, percent, text } from '../installment/loans.js';
import { buy, charge, draw, line, payLine, factPosition, statementOn } from './lines.js';

/* A line with an origination fee of 10.00 by itself and one draw whose purchases cost 3%. Statements on the 9th, due 20 days later. */
const TERMS = line({ schedule: statementOn(9), terms: { originationFee: { amountCents: money('10.00'), logic: 'separate' } } });
const FACTS: readonly LineFact[] = [
  draw(1, { fee: { amountCents: cents(0), logic: 'separate', percentageOfPrincipal: percent('0.03') } }),
  buy(100, '2024-01-10', '1000.00'),
  payLine(200, '2024-02-20', '70.00'),
  payLine(201, '2024-03-05', '30.00'),
];
const recorded = recordLine(TERMS, FACTS, day('2024-03-05'));

const rowOf = ({ day: on, seconds, entryType, lines }: LineEntry): string => {
  const amounts = lines.map((row) => `${row.draw ?? 'line'} ${row.bucket} ${row.component} ${formatAccrued(row.amount)}`);
  return [`${formatDay(on)} ${seconds} ${entryType}`, ...amounts].join('; ');
};

test('entries of a line name the draw or the line itself, and a fee of a draw is not one of the line', async (t) => {
  // Interest at 19.99%: 30 days on 1,000.00; 11 more; 14 on 990.00.
  t.same(recorded.entries.map(rowOf), [
    '2024-01-10 0 originationFee; line due originationFees 10.0000000000; line counter counter -10.0000000000',
    '2024-01-10 43200 purchase; 1 nonDue principal 1000.0000000000; line counter counter -1000.0000000000',
    '2024-01-10 43200 drawFee; 1 due drawFees 30.0000000000; line counter counter -30.0000000000',
    '2024-02-09 0 interestAccrual; 1 nonDue interest 16.4301369863; line counter counter -16.4301369863',
    '2024-02-09 1800 movedToDue; 1 nonDue principal -10.0000000000; 1 nonDue interest -16.4301369863; ' +
      '1 due principal 10.0000000000; 1 due interest 16.4300000000; line counter counter 0.0001369863',
    '2024-02-20 0 interestAccrual; 1 nonDue interest 6.0243835616; line counter counter -6.0243835616',
    '2024-02-20 54000 payment; line due originationFees -10.0000000000; 1 nonDue interest -3.5700000000; ' +
      '1 due principal -10.0000000000; 1 due interest -16.4300000000; 1 due drawFees -30.0000000000; line counter counter 70.0000000000',
    '2024-03-05 0 interestAccrual; 1 nonDue interest 7.5907232877; line counter counter -7.5907232877',
    '2024-03-05 54000 payment; 1 nonDue principal -19.9600000000; 1 nonDue interest -10.0400000000; line counter counter 30.0000000000',
  ]);
});

test('allocations name the obligation of the money, and none for non-due balances', async (t) => {
  const rows = (transaction: number): readonly unknown[] =>
    lineAllocationOf(recorded, transaction).map(({ draw: of, bucket, obligation, amountCents }) => [
      of,
      bucket,
      obligation,
      text(amountCents),
    ]);
  t.same(rows(200), [
    [null, 'dueFees', 0, '10.00'],
    [1, 'dueFees', 0, '30.00'],
    [1, 'dueInterest', 0, '16.43'],
    [1, 'duePrincipal', 0, '10.00'],
    [1, 'nonDueInterest', null, '3.57'],
  ]);
  t.same(rows(201), [
    [1, 'nonDueInterest', null, '10.04'],
    [1, 'nonDuePrincipal', null, '19.96'],
  ]);
});

test('each change of the balance of a line is emitted with the balances before and after, each period and obligation once', async (t) => {
  const emitted = recorded.ledgerEvents.map((event) => {
    const at = `${formatDay(event.day)} ${event.seconds} ${event.type}`;
    if (event.type === 'periodStarted')
      return [at, event.period, formatDay(event.startDate), formatDay(event.endDate), formatDay(event.dueDate)];
    if (event.type === 'obligationStatusChanged') return [at, event.obligation, event.isFulfilled, event.isOverdue];
    if (event.type === 'drawFeeBooked') return [at, event.draw, text(event.amountCents)];
    if (event.type !== 'balanceChanged') return [at];
    const { principalCents, interestCents, feesCents, totalCents } = event.balances;
    return [at, event.cause, ...[principalCents, interestCents, feesCents, totalCents, event.previousBalances.totalCents].map(text)];
  });
  t.same(emitted, [
    ['2024-01-10 0 balanceChanged', 'originationFee', '0.00', '0.00', '10.00', '10.00', '0.00'],
    ['2024-01-10 0 periodStarted', 0, '2024-01-10', '2024-02-08', '2024-02-29'],
    ['2024-01-10 0 current'],
    ['2024-01-10 43200 balanceChanged', 'purchase', '1000.00', '0.00', '10.00', '1010.00', '10.00'],
    ['2024-01-10 43200 balanceChanged', 'drawFee', '1000.00', '0.00', '40.00', '1040.00', '1010.00'],
    ['2024-01-10 43200 drawFeeBooked', 1, '30.00'],
    ['2024-02-09 1200 periodStarted', 1, '2024-02-09', '2024-03-08', '2024-03-29'],
    ['2024-02-09 1800 obligationStatusChanged', 0, false, false],
    ['2024-02-20 54000 obligationStatusChanged', 0, true, false],
    ['2024-02-20 54000 balanceChanged', 'payment', '990.00', '2.45', '0.00', '992.45', '1062.45'],
    ['2024-03-05 54000 balanceChanged', 'payment', '970.04', '0.01', '0.00', '970.05', '1000.05'],
  ]);
});

test('a deferral emits the capitalized interest of all draws together, and each fee', async (t) => {
  const recordedDeferral = recordLine(
    TERMS,
    [...FACTS.slice(0, 2), charge(300, '2024-02-20', '12.00'), { ...factPosition(301, '2024-03-05'), type: 'balancesDeferred' }],
    day('2024-03-05'),
  );
  t.same(
    recordedDeferral.ledgerEvents.flatMap((event) =>
      event.type === 'interestCapitalized' || event.type === 'feeCapitalized'
        ? [[formatDay(event.day), event.seconds, event.type, text(event.amountCents), 'of' in event ? event.of.feeTypeId : '']]
        : [],
    ),
    [
      ['2024-03-05', 50_000, 'feeCapitalized', '30.00', 'drawFee'],
      ['2024-03-05', 50_000, 'feeCapitalized', '10.00', 'originationFee'],
      ['2024-03-05', 50_000, 'feeCapitalized', '12.00', 'byHand'],
      ['2024-03-05', 50_000, 'interestCapitalized', '16.43', ''],
    ],
  );
  // The fee by hand is due by itself, the others are overdue with the minimum payment.
  t.same(recordedDeferral.entries.slice(-1).map(rowOf), [
    '2024-03-05 50000 balancesDeferred; line due dynamicFees -12.0000000000; line overdue originationFees -10.0000000000; ' +
      '1 nonDue principal 78.4300000000; 1 overdue principal -10.0000000000; 1 overdue interest -16.4300000000; ' +
      '1 overdue drawFees -30.0000000000',
  ]);
});

test('interest of frozen days is a separate entry on the day on which the freezing ends', async (t) => {
  const { entries } = recordLine(
    TERMS,
    [
      draw(1, { rate: '0.365' }),
      buy(100, '2024-01-10', '1000.00'),
      { ...factPosition(300, '2024-01-20'), type: 'freeze' },
      { ...factPosition(301, '2024-01-25'), type: 'unfreeze', retroactivelyAccrueInterest: true, shiftDueDates: false },
    ],
    day('2024-01-25'),
  );
  t.same(entries.slice(-2).map(rowOf), [
    '2024-01-20 0 interestAccrual; 1 nonDue interest 10.0000000000; line counter counter -10.0000000000',
    '2024-01-25 50000 retroactiveInterest; 1 nonDue interest 5.0000000000; line counter counter -5.0000000000',
  ]);
});
