import { test } from 'tap';
import {
  computeLine,
  formatAccrued,
  formatDay,
  lineBalancesOf,
  lineDigest,
  lineObligationsOf,
  lineOverdueOf,
  type LineFact,
  type LineSeeded,
  type LineState,
  recordLine,
} from '../../../../engine/index.js';
import { day, money, text } from '../installment/loans.js';
import { draw, holdingsOf, line, payLine, factPosition, seededFee, splitsIn, statementOn } from './lines.js';

/*
 * The balances that another system states for a line on 10 June 2024: its last statement asked for 70.00 by 30 June, of which 60.00 are
 * left, and the one before, of 50.00 by 30 May, lacks 30.01: 5.00 of a fee, 0.01 of interest, 25.00 of principal of the first draw.
 *
 *              not due    due     overdue
 *   draw 1     900.00     40.00   25.00 principal    3.00 / 8.00 / 0.01 interest    fee of 5.00 overdue
 *   draw 2     200.00     10.00   0.00 principal     1.00 / 0.00 / 0.00 interest    fee of 2.00 due
 */
const amounts = (principal: string, interest: string) => ({ principalCents: money(principal), interestCents: money(interest) });
const SEEDED: LineSeeded = {
  type: 'lineSeeded',
  effective: { day: day('2024-06-10'), seconds: 7_900 },
  recordedDay: day('2024-06-10'),
  sequence: 50,
  period: { startDate: day('2024-05-10'), endDate: day('2024-06-09'), statementDate: day('2024-06-10'), dueDate: day('2024-06-30') },
  fees: [],
  draws: [
    {
      draw: 1,
      nonDue: amounts('900.00', '3.00'),
      due: amounts('40.00', '8.00'),
      overdue: amounts('25.00', '0.01'),
      fees: [seededFee('drawFee', 'overdue', money('5.00'))],
      isGraceEligible: false,
      fullBalanceCents: money('980.00'),
    },
    {
      draw: 2,
      nonDue: amounts('200.00', '1.00'),
      due: amounts('10.00', '0.00'),
      overdue: amounts('0.00', '0.00'),
      fees: [seededFee('dynamicFee', 'due', money('2.00'))],
      isGraceEligible: true,
      fullBalanceCents: money('213.00'),
    },
  ],
  obligation: {
    amountCents: money('70.00'),
    remainingCents: money('60.00'),
    overdueCents: money('50.00'),
    overdueRemainingCents: money('30.01'),
    daysOverdue: 11,
    isGraceEligible: false,
    overdue: [
      {
        period: { startDate: day('2024-04-10'), endDate: day('2024-05-09'), statementDate: day('2024-05-10'), dueDate: day('2024-05-30') },
        amountCents: money('50.00'),
        remainingCents: money('30.01'),
      },
    ],
  },
  reimbursementCents: money('0.00'),
};
const DRAWS: readonly LineFact[] = [1, 2].map((number) => ({
  ...draw(number, { rate: '0' }, '2024-06-10'),
  effective: { day: day('2024-06-10'), seconds: 7_200 + number },
}));
const through = (date: string, more: readonly LineFact[] = []): LineState =>
  computeLine(line({ activation: '2024-06-10', schedule: statementOn(10) }), [...DRAWS, SEEDED, ...more], day(date));

test('obligations of a line from another system have its amounts, draw by draw', async (t) => {
  const state = through('2024-06-10');
  const seen = (of: number | null): readonly string[] =>
    lineObligationsOf(state, of)
      .filter(({ isOpen }) => !isOpen)
      .map((one) => {
        const cents = [one.obligationCents, one.fulfilledCents, one.overpaymentsCents, one.remainingCents, one.carriedOverdueCents];
        return [one.ordinal, formatDay(one.dueDay), ...cents.map(text), one.isFulfilled, one.isOverdue].join(' ');
      });
  t.same(seen(null), ['0 2024-05-30 50.00 19.99 19.99 30.01 0.00 false true', '1 2024-06-30 70.00 10.00 10.00 60.00 30.01 false false']);
  t.same(
    state.obligations.map(({ principalCents, interestCents, feesCents, baseCents }) =>
      [principalCents, interestCents, feesCents, baseCents].map(text),
    ),
    [
      // The paid part of them is assumed to be principal.
      ['44.99', '0.01', '5.00', '45.00'],
      ['60.00', '8.00', '2.00', '68.00'],
    ],
  );
  t.same(
    state.obligations.map(({ draws }) =>
      draws.map((part) => [part.draw, text(part.remainingCents), text(part.interestCents), text(part.feesCents)]),
    ),
    [
      [
        [1, '30.01', '0.01', '5.00'],
        [2, '0.00', '0.00', '0.00'],
        [null, '0.00', '0.00', '0.00'],
      ],
      [
        [1, '48.00', '8.00', '0.00'],
        [2, '12.00', '0.00', '2.00'],
        [null, '0.00', '0.00', '0.00'],
      ],
    ],
  );
  const { grace } = state.obligations[1] ?? state.obligations[0] ?? { grace: null };
  t.match(grace, { fullBalanceCents: 119_300, fullBalanceMinusOverdueCents: 116_299, isEligible: false });
});

test('obligations from another system are not blocked, paused, credited or capitalized, and have no late fees', async (t) => {
  const nothing = { paymentsCents: 0, creditsCents: 0, capitalizedCents: 0, unassignedCents: 0, pausedDays: 0, overLimitCents: 0 };
  t.match(through('2024-06-10').obligations, [
    { ...nothing, isLateFeeBlocked: false, isEnforced: true, isFulfilled: false, withoutLateFeesCents: 3_001 },
    { ...nothing, isLateFeeBlocked: false, isEnforced: false, isFulfilled: false, withoutLateFeesCents: 6_000 },
  ]);
});

test('the balances of another system are one entry, draw by draw', async (t) => {
  const terms = line({ activation: '2024-06-10', schedule: statementOn(10) });
  const { entries } = recordLine(terms, [...DRAWS, SEEDED], day('2024-06-10'));
  t.same(
    entries.map(({ entryType, lines }) => [
      entryType,
      ...lines.map((row) => `${row.draw ?? 'line'} ${row.bucket} ${row.component} ${formatAccrued(row.amount).slice(0, -8)}`),
    ]),
    [
      [
        'migration',
        '1 nonDue principal 900.00',
        '1 nonDue interest 3.00',
        '1 due principal 40.00',
        '1 due interest 8.00',
        '1 overdue principal 25.00',
        '1 overdue interest 0.01',
        '1 overdue drawFees 5.00',
        '2 nonDue principal 200.00',
        '2 nonDue interest 1.00',
        '2 due principal 10.00',
        '2 due dynamicFees 2.00',
        'line counter counter -1194.01',
      ],
    ],
  );
});

test('facts about the past do not change the amounts of another system', async (t) => {
  const voided: LineFact = { ...factPosition(900, '2024-06-12'), type: 'paymentVoided', transaction: 899 };
  t.equal(lineDigest(through('2024-06-12', [voided])), lineDigest(through('2024-06-12')));
});

test('its balances lie in their blocks, its fees keep their due status, and its days overdue go on', async (t) => {
  const state = through('2024-06-10');
  const { nonDue, due, overdue } = lineBalancesOf(state);
  const seen = [nonDue, due, overdue].map(({ principalCents, interestCents, drawFeesCents, dynamicFeesCents }) =>
    [principalCents, interestCents, drawFeesCents, dynamicFeesCents].map(text).join(' '),
  );
  t.same(seen, ['1100.00 4.00 0.00 0.00', '50.00 8.00 0.00 2.00', '25.00 0.01 5.00 0.00']);
  t.equal(
    state.draws.reduce((count, { fees }) => count + fees.length, state.fees.length),
    2,
  );
  t.match(lineOverdueOf(state), {
    isOverdue: true,
    daysOverdue: 11,
    overdueCents: 3_001,
    overdueSince: day('2024-05-30'),
    oldestObligation: 0,
  });
  t.match(lineOverdueOf(through('2024-07-01')), { daysOverdue: 32, overdueCents: 9_001 });
  // 30.01 meet the oldest obligation whole.
  const paid = through('2024-06-11', [payLine(200, '2024-06-11', '30.01')]);
  t.match(lineOverdueOf(paid), { isOverdue: false, overdueCents: 0, nextDueDate: day('2024-06-30'), nextDueCents: 6_000 });
});

test('canceling an earlier fee lowers its draw: the unpaid part first, then non-due principal', async (t) => {
  const canceled: LineFact = {
    ...payLine(60, '2024-06-12', '7.00'),
    type: 'pastFeeCanceled',
    draw: 2,
    transaction: 60,
  };
  const state = through('2024-06-12', [canceled]);
  const [first, second] = state.draws;
  t.same([first?.balances.nonDuePrincipalCents, second?.balances.nonDuePrincipalCents], [90_000, 19_500]);
  t.same(
    [first, second].map((of) => of?.fees.map(({ openCents }) => openCents)),
    [[500], [0]],
  );
  t.same(
    state.obligations.map(({ remainingCents }) => text(remainingCents)),
    ['30.01', '58.00'],
  );
  t.equal(text(state.unassignedCents), '5.00');
  t.match(state.payments[0], { kind: 'refund', amountCents: 700, principalCents: 500, interestCents: 0, feesCents: 200, overCents: 0 });
});

test('the rest of a canceled earlier fee lowers principal of any status, and what is left then is overpaid', async (t) => {
  const canceled = (sequence: number, of: number, amount: string): LineFact => ({
    ...payLine(sequence, '2024-06-12', amount),
    type: 'pastFeeCanceled',
    draw: of,
    transaction: sequence,
  });
  // Of 213.00 the second draw owes 1.00 of interest, which is no principal: 3.00 of 215.00 meet the overdue fee of the first draw.
  const state = through('2024-06-12', [canceled(60, 2, '215.00')]);
  t.same(holdingsOf(state), [
    '1: nonDuePrincipal 900.00, duePrincipal 40.00, overduePrincipal 25.00, nonDueInterest 3.0000000000, ' +
      'dueInterest 8.00, overdueInterest 0.01',
    '  overdue fee of 1 2.00',
    '2: nonDueInterest 1.0000000000',
  ]);
  t.same(splitsIn(state), ['60: amount 215.00, principal 210.00, fees 5.00', '  2: principal 210.00, fees 2.00', '  1: fees 3.00']);
  t.same(
    state.obligations.map(({ remainingCents }) => text(remainingCents)),
    ['27.01', '48.00'],
  );
  t.equal(text(state.unassignedCents), '200.00');

  const frozen: LineFact = { ...factPosition(59, '2024-06-11'), type: 'freeze' };
  const still = through('2024-06-12', [frozen, canceled(60, 2, '7.00')]);
  t.same(
    [text(still.unassignedCents), holdingsOf(still)[2]],
    ['0.00', '2: nonDuePrincipal 195.00, duePrincipal 10.00, nonDueInterest 1.0000000000'],
  );

  const off: LineFact = { ...factPosition(59, '2024-06-11'), type: 'chargeOff', reason: 'term' };
  const lost = through('2024-06-12', [off, canceled(60, 2, '7.00')]);
  t.same(holdingsOf(lost), [
    '1: chargedOffPrincipal 965.00, chargedOffInterest 11.01',
    '  chargedOff fee of 1 5.00',
    '2: chargedOffPrincipal 205.00, chargedOffInterest 1.00',
  ]);
  t.same([text(lost.unassignedCents), text(lost.obligations.at(-1)?.remainingCents ?? 0)], ['0.00', '1187.01']);

  const ended: LineFact = { ...factPosition(59, '2024-06-11'), type: 'cancel' };
  t.same(through('2024-06-12', [ended, canceled(60, 2, '7.00')]).payments, []);
});
