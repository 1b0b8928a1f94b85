import { test } from 'tap';
import {
  allocationOf,
  balancesOf,
  type BalanceBlock,
  formatAccrued,
  formatDay,
  type LedgerFact,
  obligationsOf,
  overdueOf,
  payoffOf,
  recordLedger,
  scheduleOf,
} from '../../../../engine/index.js';
import { day, LATE_FEE, loan, money, pay, SMALL_LOAN, text } from './loans.js';

/*
 * The second worked loan by hand through two due dates: 24.00 of origination fee over twelve rows, a fee for the next
 * due date, a payment that is too small, a credit after the due date, and the late fee for it. The level is 109.76.
 *
 *   2024-02-15   15.39 interest, 94.37 principal, 2.00 + 12.00 fees                                     123.76
 *                60.00 pay the fees, the interest, and 30.61 of principal; 20.00 of credit principal     43.76 left
 *   2024-03-15   5 nights on 1,169.39 and 24 on 1,149.39: 16.4871665753; 93.27; 2.00 + 10.00 late fee    121.76
 */
const TERMS = loan({
  ...SMALL_LOAN,
  settings: { lateFees: [LATE_FEE] },
  originationFee: { amountCents: money('24.00'), logic: 'spread' },
});
const FACTS: readonly LedgerFact[] = [
  {
    type: 'feeCharged',
    effective: { day: day('2024-02-10'), seconds: 50_000 },
    recordedDay: day('2024-02-10'),
    sequence: 300,
    fee: 300,
    feeTypeId: 'byHand',
    kind: 'modificationFee',
    amountCents: money('12.00'),
    chargeLogic: 'nextDueDate',
  },
  pay(1, '2024-02-15', '60.00'),
  pay(2, '2024-02-20', '20.00', { kind: 'credit' }),
];
const recorded = recordLedger(TERMS, FACTS, day('2024-03-15'));
const { state } = recorded;

test('obligations show their amounts and payments, and the open one its expected amount', async (t) => {
  t.same(
    obligationsOf(state).map((one) => [
      `${one.ordinal} ${formatDay(one.dueDay)} ${one.isOpen ? 'open' : 'fixed'} ${one.isOverdue ? 'overdue' : 'in time'}`,
      ...[one.obligationCents, one.paymentsCents, one.serviceCreditsCents, one.fulfilledCents, one.remainingCents].map(text),
    ]),
    [
      ['0 2024-02-15 fixed overdue', '123.76', '60.00', '20.00', '80.00', '43.76'],
      ['1 2024-03-15 fixed in time', '121.76', '0.00', '0.00', '0.00', '121.76'],
      ['2 2024-04-15 open in time', '111.76', '0.00', '0.00', '0.00', '111.76'],
    ],
  );
  t.same(overdueOf(state), {
    isOverdue: true,
    daysOverdue: 29,
    overdueCents: 4_376,
    overdueSince: day('2024-02-15'),
    oldestObligation: 0,
    nextDueDate: day('2024-03-15'),
    nextDueCents: 12_176,
  });
});

test('each balance is in its block, and each fee under its kind', async (t) => {
  const { outstanding, nonDue, due, overdue, chargedOff, paid, interestAndFees } = balancesOf(state);
  const seen = (block: BalanceBlock): string =>
    [
      block.totalCents,
      block.principalCents,
      block.interestCents,
      block.feesCents,
      block.originationFeesCents,
      block.lateFeesCents,
      block.modificationFeesCents,
      block.dynamicFeesCents,
    ]
      .map(text)
      .join(' ');
  t.equal(seen(outstanding), '1197.88 1149.39 16.49 32.00 22.00 10.00 0.00 0.00');
  t.equal(seen(nonDue), '1032.36 1012.36 0.00 20.00 20.00 0.00 0.00 0.00');
  t.equal(seen(due), '121.76 93.27 16.49 12.00 2.00 10.00 0.00 0.00');
  t.equal(seen(overdue), '43.76 43.76 0.00 0.00 0.00 0.00 0.00 0.00');
  t.equal(seen(chargedOff), '0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00');
  t.same([paid.totalCents, paid.paymentsCents, paid.creditsCents, paid.principalCents, paid.interestCents, paid.feesCents].map(text), [
    '80.00',
    '60.00',
    '20.00',
    '50.61',
    '15.39',
    '14.00',
  ]);
  t.same([interestAndFees.interestAccrued, interestAndFees.forgoneInterestRounding, interestAndFees.dailyInterest].map(formatAccrued), [
    '31.8734679452',
    '-0.0065320548',
    '0.5668224658',
  ]);
  t.same(
    [interestAndFees.feesChargedCents, interestAndFees.interestPaidYearToDateCents].map(text),
    ['46.00', '15.39'],
    'all fees that were ever charged',
  );
});

test('the schedule: past rows with their fees, and expected rows if those are paid', async (t) => {
  const rows = scheduleOf(state).map((row) => [
    `${formatDay(row.date)} ${row.status}`,
    ...[row.amountCents, row.principalCents, row.interestCents, row.feesCents, row.originalAmountCents].map(text),
    ...row.carriedFees.map(({ fee, obligation, amountCents, isPaid }) => `${fee ?? `late ${obligation}`} ${text(amountCents)} ${isPaid}`),
  ]);
  t.same(rows.slice(0, 4), [
    ['2024-02-15 booked', '123.76', '94.37', '15.39', '14.00', '111.76', '300 12.00 true'],
    ['2024-03-15 booked', '121.76', '93.27', '16.49', '12.00', '111.76', 'late 0 10.00 false'],
    // 31 nights on 1,012.36, then 30 on 918.08: 15.4766 and 13.5825.
    ['2024-04-15 booked', '111.76', '94.28', '15.48', '2.00', '111.76'],
    ['2024-05-15 projected', '111.76', '96.18', '13.58', '2.00', '111.76'],
  ]);
  t.equal(rows.length, 12);
});

test('money pays due fees, interest and principal, and a later credit pays overdue amounts', async (t) => {
  const rows = (transaction: number): readonly string[] =>
    allocationOf(recorded, transaction).map(({ bucket, obligation, amountCents }) => `${bucket} ${obligation} ${text(amountCents)}`);
  t.same(rows(1), ['dueFees 0 2.00', 'dueFees 0 12.00', 'dueInterest 0 15.39', 'duePrincipal 0 30.61']);
  t.same(rows(2), ['overduePrincipal 0 20.00']);
});

test('the payoff is everything owed with the interest of the days until then, in whole cents', async (t) => {
  const { payoffCents, principalCents, interestCents, feesCents } = payoffOf(state, day('2024-03-20'));
  // 16.49 that is due and five more nights: 2.8341123290.
  t.same([payoffCents, principalCents, interestCents, feesCents].map(text), ['1200.71', '1149.39', '19.32', '32.00']);
});

test('entries of two due dates: the accrual comes before every other change', async (t) => {
  const entries = recorded.entries
    .filter(({ entryType }) => entryType !== 'interestAccrual')
    .map(({ day: on, seconds, entryType, lines }) =>
      [
        `${formatDay(on)} ${seconds} ${entryType}`,
        ...lines.map((row) => `${row.bucket} ${row.component} ${formatAccrued(row.amount).replace(/0{8}$/, '')}`),
      ].join('; '),
    );
  t.same(entries, [
    '2024-01-20 0 disbursement; nonDue principal 1200.00; counter counter -1200.00',
    '2024-01-20 0 originationFee; nonDue originationFees 24.00; counter counter -24.00',
    '2024-02-10 50000 fee; nonDue modificationFees 12.00; counter counter -12.00',
    '2024-02-15 1800 movedToDue; nonDue principal -94.37; nonDue interest -15.3863013699; nonDue originationFees -2.00; ' +
      'nonDue modificationFees -12.00; due principal 94.37; due interest 15.39; due originationFees 2.00; due modificationFees 12.00; ' +
      'counter counter -0.0036986301',
    '2024-02-15 54000 payment; due principal -30.61; due interest -15.39; due originationFees -2.00; due modificationFees -12.00; ' +
      'counter counter 60.00',
    '2024-02-16 2400 movedToOverdue; due principal -63.76; overdue principal 63.76',
    '2024-02-20 54000 credit; overdue principal -20.00; counter counter 20.00',
    '2024-03-01 3000 lateFee; due lateFees 10.00; counter counter -10.00',
    '2024-03-15 1800 movedToDue; nonDue principal -93.27; nonDue interest -16.4871665753; nonDue originationFees -2.00; ' +
      'due principal 93.27; due interest 16.49; due originationFees 2.00; counter counter -0.0028334247',
  ]);
});
