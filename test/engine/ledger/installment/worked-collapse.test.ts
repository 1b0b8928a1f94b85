import { test } from 'tap';
import {
  allocationOf,
  balancesOf,
  type BalanceBlock,
  formatAccrued,
  formatDay,
  type LedgerFact,
  type LedgerTerms,
  obligationsOf,
  overdueOf,
  payoffOf,
  type RecordedLedger,
  recordLedger,
  scheduleOf,
} from '../../../../engine/index.js';
import { at, day, LATE_FEE, loan, money, pay, text } from './loans.js';

/*
 * 1,000.00 at a tenth of a percent a day in three rows, with 30.00 of origination fee over them, that is accelerated and charged off:
 *
 *   02-01  31.00 interest, 300.00 principal, 10.00 + 5.00 fees        346.00
 *          100.00 pay the fees, the interest, and 54.00 of principal   246.00 left
 *   02-16  late fee of 10.00, 15 days later
 *   02-21  accelerated: 946.00 principal, 20 nights of 0.946 = 18.92 interest, 20.00 of origination fee, 10.00 late fee: 994.92
 *   02-23  50.00 pay the fees, the interest, and 1.08 of principal: 944.92 left
 *   02-26  charged off; on 02-28 20.00 of principal are paid
 */
const agreed = loan({
  principal: '1000.00',
  rate: '0.365',
  activation: '2024-01-01',
  firstDue: '2024-02-01',
  rows: 3,
  settings: { lateFees: [LATE_FEE] },
  originationFee: { amountCents: money('30.00'), logic: 'spread' },
});
const AMOUNTS = [
  ['331.00', '300.00', '31.00'],
  ['320.30', '300.00', '20.30'],
  ['412.40', '400.00', '12.40'],
] as const;
const TERMS: LedgerTerms = {
  ...agreed,
  rows: agreed.rows.map((row, position) => {
    const [amount = '0.00', principal = '0.00', interest = '0.00'] = AMOUNTS[position] ?? [];
    return { ...row, amountCents: money(amount), principalCents: money(principal), interestCents: money(interest) };
  }),
};
const factPosition = (sequence: number, date: string) => ({ effective: at(date, 50_000), sequence, recordedDay: day(date) });
const FACTS: readonly LedgerFact[] = [
  {
    ...factPosition(1, '2024-01-11'),
    type: 'feeCharged',
    fee: 1,
    feeTypeId: 'byHand',
    kind: 'modificationFee',
    amountCents: money('5.00'),
    chargeLogic: 'nextDueDate',
  },
  pay(2, '2024-02-01', '100.00'),
  { ...factPosition(3, '2024-02-21'), type: 'accelerate' },
  pay(4, '2024-02-23', '50.00'),
  { ...factPosition(5, '2024-02-26'), type: 'chargeOff', reason: 'bankruptcy' },
  pay(6, '2024-02-28', '20.00'),
];
const on = (date: string, facts = FACTS): RecordedLedger => recordLedger(TERMS, facts, day(date));

const seen = ({ totalCents, principalCents, interestCents, feesCents, originationFeesCents, lateFeesCents }: BalanceBlock): string =>
  [totalCents, principalCents, interestCents, feesCents, originationFeesCents, lateFeesCents].map(text).join(' ');

const blocksOn = (date: string): readonly string[] => {
  const { outstanding, nonDue, due, overdue, chargedOff } = balancesOf(on(date).state);
  return [outstanding, nonDue, due, overdue, chargedOff].map(seen);
};

test('balances of a loan that is accelerated and then charged off move from block to block', async (t) => {
  const none = '0.00 0.00 0.00 0.00 0.00 0.00';
  t.same(blocksOn('2024-02-20'), [
    // 19 nights of 0.946 are 17.974.
    '993.97 946.00 17.97 30.00 20.00 10.00',
    '737.97 700.00 17.97 20.00 20.00 0.00',
    '10.00 0.00 0.00 10.00 0.00 10.00',
    '246.00 246.00 0.00 0.00 0.00 0.00',
    none,
  ]);
  const whole = '994.92 946.00 18.92 30.00 20.00 10.00';
  t.same(blocksOn('2024-02-22'), [whole, none, none, whole, none]);
  const rest = '944.92 944.92 0.00 0.00 0.00 0.00';
  t.same(blocksOn('2024-02-23'), [rest, none, none, rest, none]);
  t.same(blocksOn('2024-02-28'), [none, none, none, none, '924.92 924.92 0.00 0.00 0.00 0.00']);
});

test('its obligations and rows: one for everything owed, instead of the replaced ones', async (t) => {
  const obligationsOn = (date: string): readonly string[] =>
    obligationsOf(on(date).state).map((one) => {
      const amounts = [one.obligationCents, one.paymentsCents, one.remainingCents].map(text);
      return [one.ordinal, one.period, formatDay(one.dueDay), ...amounts, one.isFulfilled, one.isOverdue, one.isOpen].join(' ');
    });
  t.same(obligationsOn('2024-02-20'), [
    '0 0 2024-02-01 346.00 100.00 246.00 false true false',
    '1 1 2024-03-01 340.30 0.00 340.30 false false true',
  ]);
  t.same(obligationsOn('2024-02-22'), ['60000 0 2024-02-01 994.92 0.00 994.92 false true false']);
  t.same(obligationsOn('2024-02-28'), ['60000 0 2024-02-01 994.92 70.00 924.92 false true false']);
  const rowsOn = (date: string): readonly string[] =>
    scheduleOf(on(date).state).map((row) => {
      const amounts = [row.amountCents, row.principalCents, row.interestCents, row.feesCents, row.originalAmountCents].map(text);
      return [row.ordinal, row.status, ...amounts, formatAccrued(row.unroundedInterest)].join(' ');
    });
  t.same(rowsOn('2024-02-20'), [
    '0 booked 346.00 300.00 31.00 15.00 341.00 31.0000000000',
    // 17.974, and 10 nights on the 700.00 that are left when all that is overdue is paid; a share of the fee, and the late fee.
    '1 booked 340.30 295.33 24.97 20.00 330.30 24.9740000000',
    '2 projected 427.21 404.67 12.54 10.00 422.40 12.5447700000',
  ]);
  t.same(rowsOn('2024-02-22'), ['0 canceled 346.00 300.00 31.00 15.00 341.00 31.0000000000']);
});

test('its days overdue and its payoff continue from the oldest due date', async (t) => {
  const late = { isOverdue: true, overdueSince: day('2024-02-01') };
  t.same(overdueOf(on('2024-02-20').state), {
    ...late,
    daysOverdue: 19,
    overdueCents: 24_600,
    oldestObligation: 0,
    nextDueDate: day('2024-03-01'),
    nextDueCents: 34_030,
  });
  const whole = { ...late, oldestObligation: 60_000, nextDueDate: null, nextDueCents: null };
  t.same(overdueOf(on('2024-02-22').state), { ...whole, daysOverdue: 21, overdueCents: 99_492 });
  t.same(overdueOf(on('2024-02-28').state), { ...whole, daysOverdue: 27, overdueCents: 92_492 });
  const payoffOn = (date: string): readonly string[] => {
    const { payoffCents, principalCents, interestCents, feesCents, dailyInterest } = payoffOf(on(date).state, day(date));
    return [...[payoffCents, principalCents, interestCents, feesCents].map(text), formatAccrued(dailyInterest)];
  };
  t.same(payoffOn('2024-02-20'), ['993.97', '946.00', '17.97', '30.00', '0.9460000000']);
  t.same(payoffOn('2024-02-22'), ['994.92', '946.00', '18.92', '30.00', '0.0000000000']);
  t.same(payoffOn('2024-02-28'), ['924.92', '924.92', '0.00', '0.00', '0.0000000000']);
});

test('its money pays fees, interest, principal, and after the charge-off principal first', async (t) => {
  const all = on('2024-02-29');
  const met = (transaction: number): readonly string[] =>
    allocationOf(all, transaction).map(({ bucket, obligation, amountCents }) => `${bucket} ${obligation} ${text(amountCents)}`);
  t.same(met(2), ['dueFees 0 10.00', 'dueFees 0 5.00', 'dueInterest 0 31.00', 'duePrincipal 0 54.00']);
  t.same(met(4), ['overdueFees 60000 20.00', 'overdueFees 60000 10.00', 'overdueInterest 60000 18.92', 'overduePrincipal 60000 1.08']);
  t.same(met(6), ['chargedOffPrincipal 60000 20.00']);
});

test('each of its entries has its time, its type, and its lines', async (t) => {
  const entries = on('2024-02-29').entries.filter(({ entryType }) => entryType !== 'interestAccrual');
  const line = (bucket: string, component: string, amount: string): string => `${bucket} ${component} ${amount}`;
  const whole = (amount: bigint): string => formatAccrued(amount as never).replace(/0{8}$/, '');
  t.same(
    entries.map(({ day: on_, seconds, entryType, lines }) =>
      [`${formatDay(on_)} ${seconds} ${entryType}`, ...lines.map((one) => line(one.bucket, one.component, whole(one.amount)))].join('; '),
    ),
    [
      '2024-01-01 0 disbursement; nonDue principal 1000.00; counter counter -1000.00',
      '2024-01-01 0 originationFee; nonDue originationFees 30.00; counter counter -30.00',
      '2024-01-11 50000 fee; nonDue modificationFees 5.00; counter counter -5.00',
      '2024-02-01 1800 movedToDue; nonDue principal -300.00; nonDue interest -31.00; nonDue originationFees -10.00; ' +
        'nonDue modificationFees -5.00; due principal 300.00; due interest 31.00; due originationFees 10.00; due modificationFees 5.00',
      '2024-02-01 54000 payment; due principal -54.00; due interest -31.00; due originationFees -10.00; due modificationFees -5.00; ' +
        'counter counter 100.00',
      '2024-02-02 2400 movedToOverdue; due principal -246.00; overdue principal 246.00',
      '2024-02-16 3000 lateFee; due lateFees 10.00; counter counter -10.00',
      '2024-02-21 50000 acceleration; nonDue principal -700.00; nonDue interest -18.92; nonDue originationFees -20.00; ' +
        'due lateFees -10.00; overdue principal 700.00; overdue interest 18.92; overdue originationFees 20.00; overdue lateFees 10.00',
      '2024-02-23 54000 payment; overdue principal -1.08; overdue interest -18.92; overdue originationFees -20.00; ' +
        'overdue lateFees -10.00; counter counter 50.00',
      '2024-02-26 50000 chargeOff; overdue principal -944.92; chargedOff principal 944.92',
      '2024-02-28 54000 payment; chargedOff principal -20.00; counter counter 20.00',
    ],
  );
});

test('each of its events has its time, its cause, and the balances before and after', async (t) => {
  const emitted = on('2024-02-29').ledgerEvents.flatMap((event) => {
    const when = `${formatDay(event.day)} ${event.seconds} ${event.type}`;
    if (event.type === 'overdueUpdate') return [];
    if (event.type === 'balanceChanged') {
      const { principalCents, interestCents, feesCents, totalCents, overdueCents } = event.balances;
      const amounts = [principalCents, interestCents, feesCents, totalCents, overdueCents, event.previousBalances.totalCents].map(text);
      return [[when, event.cause, ...amounts].join(' ')];
    }
    if (event.type === 'statusChanged')
      return [`${when} ${event.oldStatus} ${event.newStatus} ${event.cause.type === 'ordered' ? event.cause.sequence : event.cause.type}`];
    if (event.type === 'obligationStatusChanged') return [`${when} ${event.obligation} ${event.isFulfilled} ${event.isOverdue}`];
    if (event.type === 'periodStarted')
      return [[when, event.period, ...[event.startDate, event.endDate, event.dueDate].map(formatDay)].join(' ')];
    if (event.type === 'overdue') return [`${when} ${event.daysOverdue} ${text(event.overdueCents)}`];
    return event.type === 'lateFeeBooked' ? [`${when} ${event.feeTypeId} ${event.obligation} ${text(event.amountCents)}`] : [when];
  });
  t.same(emitted, [
    '2024-01-01 0 balanceChanged disbursement 1000.00 0.00 0.00 1000.00 0.00 0.00',
    '2024-01-01 0 balanceChanged originationFee 1000.00 0.00 30.00 1030.00 0.00 1000.00',
    '2024-01-01 0 periodStarted 0 2024-01-01 2024-01-31 2024-02-01',
    '2024-01-01 0 current',
    '2024-01-11 50000 balanceChanged fee 1000.00 10.00 35.00 1045.00 0.00 1040.00',
    '2024-02-01 1200 periodStarted 1 2024-02-01 2024-02-29 2024-03-01',
    '2024-02-01 1800 obligationStatusChanged 0 false false',
    '2024-02-01 54000 balanceChanged payment 946.00 0.00 20.00 966.00 0.00 1066.00',
    '2024-02-02 2400 obligationStatusChanged 0 false true',
    '2024-02-02 2400 overdue 1 246.00',
    '2024-02-16 3000 balanceChanged lateFee 946.00 14.19 30.00 990.19 246.00 980.19',
    '2024-02-16 3000 lateFeeBooked late 0 10.00',
    '2024-02-21 50000 statusChanged active accelerated 3',
    '2024-02-21 50000 obligationStatusChanged 60000 false true',
    '2024-02-23 54000 balanceChanged payment 944.92 0.00 0.00 944.92 944.92 994.92',
    '2024-02-26 50000 balanceChanged chargeOff 0.00 0.00 0.00 0.00 0.00 944.92',
    '2024-02-26 50000 statusChanged accelerated chargedOff 5',
  ]);
});

test('a status that follows from days overdue names them, and each further day overdue is emitted', async (t) => {
  const settings = TERMS.settings.map(({ from, value }) => ({
    from,
    value: { ...value, accelerationDueWithin: 3, chargeOffDueWithin: 5 },
  }));
  const { ledgerEvents, state } = recordLedger({ ...TERMS, settings }, FACTS.slice(0, 2), day('2024-02-10'));
  t.same(
    ledgerEvents.flatMap((event) =>
      event.type === 'statusChanged' ? [[formatDay(event.day), event.seconds, event.newStatus, event.cause]] : [],
    ),
    [
      ['2024-02-04', 3000, 'accelerated', { type: 'daysOverdue', daysOverdue: 3 }],
      ['2024-02-06', 3000, 'chargedOff', { type: 'daysOverdue', daysOverdue: 5 }],
    ],
  );
  t.same(
    ledgerEvents.flatMap((event) =>
      event.type === 'overdueUpdate' ? [[formatDay(event.day), event.daysOverdue, event.oldestObligation]] : [],
    ),
    [
      ['2024-02-03', 2, 0],
      ['2024-02-04', 3, 0],
      ['2024-02-05', 4, 60_000],
      ['2024-02-06', 5, 60_000],
    ],
  );
  t.same([state.chargeOffReason, formatDay(state.chargedOffSince ?? state.day)], ['term', '2024-02-06']);
});

test('a rest within the tolerance joins the acceleration: principal first, then interest, then fees', async (t) => {
  const settled = (first: Partial<LedgerTerms['rows'][number]>, rate: string, paid: string): string => {
    const { state } = recordLedger(
      {
        ...loan({
          principal: '1000.00',
          rate,
          activation: '2024-01-01',
          firstDue: '2024-02-01',
          rows: 3,
          settings: { overdueToleranceCents: money('0.50') },
          originationFee: { amountCents: money('30.00'), logic: 'spread' },
        }),
        rows: TERMS.rows.map((row, position) => (position === 0 ? { ...row, ...first } : row)),
      },
      [pay(2, '2024-02-01', paid), { ...factPosition(3, '2024-02-10'), type: 'accelerate' }],
      day('2024-02-10'),
    );
    const [row] = scheduleOf(state);
    const [one] = obligationsOf(state);
    const amounts = [row?.amountCents, row?.principalCents, row?.interestCents, row?.feesCents, one?.remainingCents];
    return [row?.status, ...amounts.map((cents) => text(cents ?? -1))].join(' ');
  };
  // 341.00 less 0.30 that is not paid; 31.00 of interest alone; 10.00 of fee alone.
  t.equal(settled({}, '0.365', '340.70'), 'completed 340.70 299.70 31.00 10.00 0.00');
  t.equal(settled({ amountCents: money('31.00'), isForced: true }, '0.365', '40.70'), 'completed 40.70 0.00 30.70 10.00 0.00');
  t.equal(settled({ amountCents: money('0.00'), isForced: true }, '0', '9.70'), 'completed 9.70 0.00 0.00 9.70 0.00');
});

test('after a payoff, earlier money for late fees has no effect: a fee that reopens the loan earns a late fee of its own', async (t) => {
  // Of 1,000.00 in two rows the first is missed; the payoff brings less than the second one asks for, since that has hardly begun.
  const terms = loan({
    principal: '1000.00',
    rate: '0.365',
    activation: '2024-01-01',
    firstDue: '2024-02-01',
    rows: 2,
    settings: { lateFees: [{ ...LATE_FEE, triggerDays: 3 }] },
  });
  const payoff = payoffOf(recordLedger(terms, [], day('2024-02-05')).state, day('2024-02-05'));
  const facts: readonly LedgerFact[] = [
    pay(1, '2024-02-05', text(payoff.payoffCents)),
    {
      ...factPosition(2, '2024-02-06'),
      type: 'feeCharged',
      fee: 2,
      feeTypeId: 'byHand',
      kind: 'otherFee',
      amountCents: money('8.00'),
      chargeLogic: 'nextDueDate',
    },
  ];
  t.equal(recordLedger(terms, facts.slice(0, 1), day('2024-02-05')).state.status, 'paidOff');
  const { state } = recordLedger(terms, facts, day('2024-03-10'));
  const last = state.obligations.at(-1);
  t.same(
    [last?.amountCents, last?.remainingCents, last?.withoutLateFeesCents].map((cents) => text(cents ?? -1)),
    ['8.00', '8.00', '8.00'],
  );
  // 3 days after each due date.
  t.same(
    state.fees.map(({ kind, chargeDay, amountCents }) => [kind, formatDay(chargeDay), text(amountCents)]),
    [
      ['lateFee', '2024-02-04', '10.00'],
      ['otherFee', '2024-02-06', '8.00'],
      ['lateFee', '2024-03-04', '10.00'],
    ],
  );
});

test('a period follows a due date that leaves only interest, and none follows one that leaves nothing', async (t) => {
  const periodsOf = (amount: string): readonly number[] => {
    const rows = TERMS.rows.map((row, position) => (position === 1 ? { ...row, amountCents: money(amount), isForced: true } : row));
    const facts = [pay(2, '2024-02-01', '341.00')];
    return recordLedger({ ...TERMS, rows }, facts, day('2024-03-01')).ledgerEvents.flatMap((event) =>
      event.type === 'periodStarted' ? [event.period] : [],
    );
  };
  // 700.00 and 29 nights of 0.70: 720.30.
  t.same(periodsOf('720.29'), [0, 1, 2]);
  t.same(periodsOf('720.30'), [0, 1]);
});
