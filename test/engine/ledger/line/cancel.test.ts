import { test } from 'tap';
import { computeLine, formatAccrued, formatDay, type LineFact, type LineState, recordLine } from '../../../../engine/index.js';
import { day, money } from '../installment/loans.js';
import { amountsIn, buy, charge, draw, holdingsOf, line, obligationsIn, payLine, factPosition, statementOn } from './lines.js';

/*
 * A canceled line or draw leaves no balances, as if it had never existed. The first draw bears a thousandth a day, the
 * second one two thousandths; the statement of 9 February asks for 1% of principal and 30 days of interest by 29 February.
 */
const TERMS = line({ schedule: statementOn(9) });
const DRAWS: readonly LineFact[] = [
  draw(1, { rate: '0.365' }),
  draw(2, { rate: '0.73' }),
  buy(100, '2024-01-10', '1000.00'),
  buy(101, '2024-01-10', '500.00', 2),
];

const through = (facts: readonly LineFact[], date: string): LineState => computeLine(TERMS, facts, day(date));

const totalsOf = ({ totals, draws }: LineState): readonly string[] => [totals, ...draws.map((of) => of.totals)].map(amountsIn);

const CANCELED_LIFE: readonly LineFact[] = [
  ...DRAWS,
  charge(300, '2024-01-20', '12.00'),
  charge(301, '2024-01-20', '6.00', { draw: 2 }),
  charge(302, '2024-01-20', '7.00', { draw: 1, chargeLogic: 'nextDueDate' }),
  payLine(200, '2024-02-12', '20.00', { draw: 2 }),
  { ...factPosition(210, '2024-02-15'), type: 'drawCanceled', draw: 2 },
  { ...factPosition(211, '2024-02-20'), type: 'cancel' },
  payLine(201, '2024-02-25', '10.00'),
  buy(102, '2024-02-26', '10.00'),
];

test('a canceled draw lowers obligations by its unpaid part: principal first, then interest, then fees', async (t) => {
  t.same(obligationsIn(through(CANCELED_LIFE, '2024-02-14')), [
    '0 2024-02-29: amount 100.00, base 75.00, principal 15.00, interest 60.00, fees 25.00, unroundedInterest 60.0000000000, ' +
      'remaining 80.00, payments 20.00, withoutLateFees 80.00',
    '  1: amount 47.00, interest 30.00, fees 7.00, remaining 47.00',
    '  2: amount 41.00, interest 30.00, fees 6.00, remaining 21.00, payments 20.00',
    '  0: amount 12.00, fees 12.00, remaining 12.00',
  ]);
  const state = through(CANCELED_LIFE, '2024-02-15');
  t.same(obligationsIn(state), [
    '0 2024-02-29: amount 79.00, base 75.00, principal 10.00, interest 44.00, fees 25.00, unroundedInterest 60.0000000000, ' +
      'remaining 59.00, payments 20.00, withoutLateFees 59.00',
    '  1: amount 47.00, interest 30.00, fees 7.00, remaining 47.00',
    '  2: amount 20.00, interest 14.00, fees 6.00, payments 20.00',
    '  0: amount 12.00, fees 12.00, remaining 12.00',
  ]);
  t.same(holdingsOf(state), [
    '  due fee of the line 12.00',
    '1: nonDuePrincipal 990.00, duePrincipal 10.00, nonDueInterest 6.0000000000, dueInterest 30.00',
    '  due fee of 1 7.00',
    '2: ',
  ]);
  t.same(
    state.draws.map(({ isCanceled }) => isCanceled),
    [false, true],
  );
});

test('a canceled line owes nothing but the money that was paid, shows what was canceled, and takes no more money', async (t) => {
  const state = through(CANCELED_LIFE, '2024-02-26');
  t.match(state, { status: 'canceled', statusSince: day('2024-02-20') });
  t.same(state.obligations, []);
  t.same(
    state.draws.map(({ isCanceled }) => isCanceled),
    [true, true],
  );
  t.same(holdingsOf(state), ['1: ', '2: ']);
  t.same(totalsOf(state), [
    'purchases 1500.00, interestAccrued 77.0000000000, reversedInterest 63.0000000000, feesCharged 25.00, payments 30.00, ' +
      'paidInterest 14.00, paidFees 6.00, paidOver 10.00, reimbursement 30.00, canceledPrincipal 1500.00, canceledFees 19.00, ' +
      'interestAccruedBeforePeriod 60.0000000000',
    'purchases 1000.00, interestAccrued 41.0000000000, reversedInterest 41.0000000000, feesCharged 7.00, canceledPrincipal 1000.00, ' +
      'canceledFees 7.00, interestAccruedBeforePeriod 30.0000000000',
    'purchases 500.00, interestAccrued 36.0000000000, reversedInterest 22.0000000000, feesCharged 6.00, payments 20.00, ' +
      'paidInterest 14.00, paidFees 6.00, canceledPrincipal 500.00, interestAccruedBeforePeriod 30.0000000000',
  ]);
});

test('a canceled line has no money in advance and no open obligation, and interest of every status is reversed', async (t) => {
  const order = (type: 'accelerate' | 'cancel', date: string): LineFact => ({ ...factPosition(220, date), type });
  // Both draws ask for 25.00 or more, 75.00, which are paid; 100.00 of the prepayment are left.
  const ahead = through(
    [...DRAWS, payLine(200, '2024-02-12', '175.00', { isPrepaymentEnabled: true }), order('cancel', '2024-03-02')],
    '2024-03-02',
  );
  const { prepaidCents, openPaidCents, firstOpenObligation, firstUnenforced, obligations } = ahead;
  t.same([prepaidCents, openPaidCents, firstOpenObligation, firstUnenforced, obligations.length], [0, 0, 0, 0, 0]);
  // 60.00 are overdue on 1 March, 58.00 due on 9 March, and 3.00 of each draw accrue until the 12th.
  const late = through([...DRAWS, order('cancel', '2024-03-12')], '2024-03-12');
  t.same([late.firstOpenObligation, late.firstUnenforced], [0, 0]);
  t.same(totalsOf(late).slice(1), [
    'purchases 1000.00, interestAccrued 62.0000000000, reversedInterest 62.0000000000, canceledPrincipal 1000.00, ' +
      'interestAccruedBeforePeriod 59.0000000000',
    'purchases 500.00, interestAccrued 62.0000000000, reversedInterest 62.0000000000, canceledPrincipal 500.00, ' +
      'interestAccruedBeforePeriod 59.0000000000',
  ]);
  const off: LineFact = { ...factPosition(219, '2024-03-11'), type: 'chargeOff', reason: 'term' };
  const lost = through([...DRAWS, off, order('cancel', '2024-03-12')], '2024-03-12');
  t.match(totalsOf(lost)[1], 'reversedInterest 61.0000000000, canceledPrincipal 1000.00');
  t.same(holdingsOf(lost), ['1: ', '2: ']);
});

test('money of a canceled line that was reimbursed is no longer owed, whatever the rules of earlier releases left', async (t) => {
  const reimbursed: LineFact = { ...factPosition(212, '2024-02-27'), type: 'reimbursed', transaction: 212, amountCents: money('30.00') };
  const life = [...CANCELED_LIFE, reimbursed];
  t.match(through(life, '2024-03-20').totals, { reimbursementCents: 3000, reimbursedCents: 3000, owedAgainCents: 0 });
  const earlier = { ...TERMS, settings: TERMS.settings.map(({ from, value }) => ({ from, value: { ...value, rules: 2 } })) };
  t.match(computeLine(earlier, life, day('2024-03-20')).totals, { reimbursementCents: 1000, reimbursedCents: 0 });
});

test('entries of a cancellation clear every balance of the draw or of the line', async (t) => {
  const { entries } = recordLine(TERMS, CANCELED_LIFE, day('2024-02-20'));
  t.same(
    entries
      .filter(({ entryType }) => entryType === 'cancellation')
      .map(({ day: on, lines }) => [
        formatDay(on),
        ...lines.map((row) => `${row.draw ?? 'line'} ${row.bucket} ${row.component} ${formatAccrued(row.amount).slice(0, -8)}`),
      ]),
    [
      [
        '2024-02-15',
        '2 nonDue principal -495.00',
        '2 nonDue interest -6.00',
        '2 due principal -5.00',
        '2 due interest -16.00',
        'line counter counter 522.00',
      ],
      [
        '2024-02-20',
        'line due dynamicFees -12.00',
        '1 nonDue principal -990.00',
        '1 nonDue interest -11.00',
        '1 due principal -10.00',
        '1 due interest -30.00',
        '1 due dynamicFees -7.00',
        'line counter counter 1060.00',
      ],
    ],
  );
});

test('canceling the only draw with a due balance leaves nothing due, including late fees', async (t) => {
  const canceled: LineFact = { ...factPosition(210, '2024-02-15'), type: 'drawCanceled', draw: 1 };
  const one: readonly LineFact[] = [
    ...DRAWS.slice(0, 3),
    charge(300, '2024-01-20', '9.00', { draw: 1, kind: 'lateFee' }),
    draw(3, { rate: '0' }, '2024-02-12'),
    { ...factPosition(301, '2024-01-11'), type: 'drawAmortized', draw: 1, payment: { type: 'periods', count: 3 } },
  ];
  const [asked] = through(one, '2024-02-14').obligations;
  t.match(asked, { feesCents: 900, isFulfilled: false });
  t.equal((asked?.remainingCents ?? 0) - (asked?.withoutLateFeesCents ?? 0), 900);
  const state = through([...one, canceled], '2024-02-15');
  t.match(obligationsIn(state), [/^0 2024-02-29: base [\d.]+, unroundedInterest 30.0000000000$/]);
  t.match(state.obligations[0], { isFulfilled: true });
  t.same(state.draws[0]?.rows, []);
  // Canceling a draw without part in an obligation, a canceled draw, or a draw that the line does not have changes nothing.
  const same = [3, 1, 7].map((of, at): LineFact => ({ ...factPosition(400 + at, '2024-02-15', 60_000), type: 'drawCanceled', draw: of }));
  t.same(obligationsIn(through([...one, canceled, ...same], '2024-02-15')), obligationsIn(state));
  t.same(
    obligationsIn(through([...one, ...same.filter(({ sequence }) => sequence !== 401)], '2024-02-15')),
    obligationsIn(through(one, '2024-02-15')),
  );
});

test('a canceled draw leaves not a cent due', async (t) => {
  const paid = [...DRAWS, payLine(200, '2024-02-12', '34.99', { draw: 2 })];
  const state = through([...paid, { ...factPosition(210, '2024-02-15'), type: 'drawCanceled', draw: 2 }], '2024-02-15');
  t.match(obligationsIn(state), [/^0 2024-02-29: amount 74.99, .* remaining 40.00, /, /^ {2}1: amount 40.00/, /^ {2}2: amount 34.99/]);
});
