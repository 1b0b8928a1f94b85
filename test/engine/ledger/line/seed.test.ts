import { test } from 'tap';
import {
  type Cents,
  cents,
  computeLine,
  type Day,
  formatCents,
  formatDay,
  lineBalancesOf,
  type LineFact,
  lineObligationsOf,
  lineOverdueOf,
  type LineSeeded,
  type LineState,
  type LineTerms,
  must,
  type SeededDraw,
  type SeededFee,
} from '../../../../engine/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { day } from '../installment/loans.js';
import { buy, draw, line, payLine, seededFee } from './lines.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 25);
const CUTOFF = day('2024-06-10');
const END = day('2024-12-31');

/** The balances that another system would state for a line at its cutoff. */
function seedOf(state: LineState, sequence: number, overdueIs: 'apart' | 'asOne'): LineSeeded {
  const [closed] = state.periods.slice(-2);
  const { ordinal: _ordinal, ...period } = must(closed, 'a closed period');
  const obligation = must(state.obligations.at(-1), 'the obligation of the closed period');
  const overdue = state.obligations.filter(({ isEnforced, remainingCents }) => isEnforced && remainingCents > 0);
  const cent = (value: number): Cents => cents(value);
  const feesOf = (fees: LineState['fees'], kind: SeededFee['kind']): readonly SeededFee[] =>
    fees.flatMap(({ openCents, dueStatus }) =>
      openCents === 0 || dueStatus === 'chargedOff' ? [] : [seededFee(kind, dueStatus, openCents)],
    );
  const sum = (values: readonly number[]): Cents => cents(values.reduce((total, value) => total + value, 0));
  return {
    type: 'lineSeeded',
    effective: { day: CUTOFF, seconds: 7_200 },
    recordedDay: CUTOFF,
    sequence,
    period,
    fees: feesOf(state.fees, 'originationFee'),
    draws: state.draws.map(({ draw: number, balances, fees, isGraceEligible }) => ({
      draw: number,
      nonDue: { principalCents: cent(balances.nonDuePrincipalCents), interestCents: cent(balances.nonDueInterest.cents) },
      due: { principalCents: cent(balances.duePrincipalCents), interestCents: cent(balances.dueInterestCents) },
      overdue: { principalCents: cent(balances.overduePrincipalCents), interestCents: cent(balances.overdueInterestCents) },
      fees: feesOf(fees, 'drawFee'),
      isGraceEligible,
      fullBalanceCents: cent(lineBalancesOf(state, number).outstanding.totalCents),
    })),
    obligation: {
      amountCents: cent(obligation.amountCents),
      remainingCents: cent(obligation.remainingCents),
      overdueCents: sum(overdue.map(({ amountCents }) => amountCents)),
      overdueRemainingCents: sum(overdue.map(({ remainingCents }) => remainingCents)),
      daysOverdue: lineOverdueOf(state).daysOverdue,
      isGraceEligible: obligation.grace.isEligible,
      ...(overdueIs === 'asOne'
        ? {}
        : {
            overdue: overdue.map(({ period: { ordinal: _late, ...late }, amountCents, remainingCents }) => ({
              period: late,
              amountCents: cent(amountCents),
              remainingCents: cent(remainingCents),
            })),
          }),
    },
    reimbursementCents: cent(state.totals.reimbursementCents),
  };
}

/** Purchases and payments between two days. */
function lifeOf(random: Random, from: Day, to: Day, first: number): readonly LineFact[] {
  const facts: LineFact[] = [];
  const amount = (most: number): string => (1 + random.below(most * 100) / 100).toFixed(2);
  for (let at = from + 1 + random.below(20); at < to; at += 1 + random.below(25)) {
    const date = formatDay(at as Day);
    const number = first + facts.length;
    const of = 1 + random.below(2);
    const kind = random.below(6);
    if (kind < 2) facts.push(buy(number, date, amount(400), of));
    else if (kind === 2) facts.push(buy(number, date, amount(60), of, 'refund'));
    else facts.push(payLine(number, date, amount(kind === 3 ? 900 : 90), { draw: random.below(3) === 0 ? of : null }));
  }
  return facts;
}

const lastOf = (state: LineState): ReturnType<typeof lineObligationsOf>[number] => must(lineObligationsOf(state).at(-1), 'an obligation');

const balancesOn = (state: LineState): object => {
  const { outstanding, nonDue, due, overdue, paid } = lineBalancesOf(state);
  const last = lastOf(state);
  return {
    outstanding,
    nonDue,
    due,
    overdue,
    reimbursement: paid.reimbursementCents,
    next: [last.dueDay, last.obligationCents, last.remainingCents],
    overdueCents: lineOverdueOf(state).overdueCents,
    draws: state.draws.map(({ draw: number }) => lineBalancesOf(state, number).outstanding),
  };
};

const overdueRemaining = ({ obligations }: LineState): number =>
  obligations.reduce((sum, { isEnforced, remainingCents }) => (isEnforced ? sum + remainingCents : sum), 0);

/** What is overdue because other money was counted for a fee: no obligation lacks it. */
const countedForFees = (state: LineState): number => lineBalancesOf(state).overdue.totalCents - overdueRemaining(state);

const bigText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one, bigText) === JSON.stringify(other, bigText);

const overdueIn = ({ obligations }: LineState): LineState['obligations'] =>
  obligations.filter(({ isEnforced, remainingCents }) => isEnforced && remainingCents > 0);

/** What each draw, or the line itself, lacks in each overdue obligation. */
const overdueSharesOf = (state: LineState): readonly unknown[] =>
  overdueIn(state).map(({ dueDay, draws }) => [
    dueDay,
    draws.flatMap((part) => (part.remainingCents === 0 ? [] : [[part.draw, part.remainingCents]])),
  ]);

/** The line's own fees are in the oldest overdue obligation. */
const oldestLineFeesOf = (state: LineState): number => overdueIn(state)[0]?.draws.find((part) => part.draw === null)?.remainingCents ?? 0;

/** What is owed by draw, and what overdue obligations lack. */
const owedIn = (state: LineState): object => ({
  ...balancesOn(state),
  ...{ nonDue: null, due: null, overdue: null },
  next: lastOf(state).dueDay,
});

type On = (at: Day) => LineState;

/**
 * Whether the lines differ because another system does not state the draws' shares of overdue obligations (`seed-shares.test.ts`): on the
 * first day that differs, money has counted for another part of a fee. What is owed and what obligations lack must still agree, and the
 * next statement asks again for at most what is not due any more.
 */
function isByUnstatedShares(own: On, other: On, until: Day): boolean {
  const [begun, known] = [own(CUTOFF), other(CUTOFF)];
  if (isSame(overdueSharesOf(begun), overdueSharesOf(known)) || oldestLineFeesOf(begun) !== oldestLineFeesOf(known)) return false;
  for (let at = CUTOFF; at <= until; at = (at + 1) as Day) {
    const [seeded, lived] = [own(at), other(at)];
    if (isSame(balancesOn(seeded), balancesOn(lived))) continue;
    const counted = countedForFees(lived) - countedForFees(seeded);
    const asked = lastOf(seeded).obligationCents - lastOf(lived).obligationCents;
    return counted !== 0 && isSame(owedIn(seeded), owedIn(lived)) && asked * counted >= 0 && Math.abs(asked) <= Math.abs(counted);
  }
  return false;
}

test(`a line that is seeded at its cutoff continues like the line that has run until then (TENOR_SEED=${SEED})`, async (t) => {
  for (let run = 0; run < RUNS; run += 1) {
    const random = new Random(SEED + run);
    const terms = line({
      terms: { originationFee: { amountCents: cents(random.below(3_000)), logic: random.below(2) === 0 ? 'spread' : 'separate' } },
    });
    const fee = { amountCents: cents(random.below(1_000)), logic: 'spread', percentageOfPrincipal: 0 } as never;
    const grace = random.below(2) === 0 ? {} : { grace: { isApplicable: true, periodsToRestore: 1 } };
    const draws = [draw(1, random.below(2) === 0 ? grace : { fee, ...grace }), draw(2, { rate: '0.2599' })];
    const facts = [
      ...draws,
      buy(100, '2024-01-10', '900.00', 1),
      buy(101, '2024-01-11', '500.00', 2),
      ...lifeOf(random, day('2024-01-15'), CUTOFF, 200),
    ];
    const later = lifeOf(random, CUTOFF, END, 600);
    const lived = computeLine(terms, facts, CUTOFF);
    // A fee for which other money was counted exceeds what obligations lack: no other system states that.
    if (countedForFees(lived) !== 0) continue;
    const seeded: LineTerms = {
      ...terms,
      activation: CUTOFF,
      interestFrom: CUTOFF,
      originationFee: { amountCents: cents(0), logic: 'separate' },
      settings: [{ from: CUTOFF, value: must(terms.settings[0], 'settings').value }],
    };
    const begun: readonly LineFact[] = [
      ...draws.map((made) => ({ ...made, effective: { day: CUTOFF, seconds: 3_600 }, fee: { ...made.fee, amountCents: cents(0) } })),
      seedOf(lived, 50, random.below(2) === 0 ? 'apart' : 'asOne'),
    ];
    const own: On = (at) => computeLine(seeded, [...begun, ...later], at);
    const other: On = (at) => computeLine(terms, [...facts, ...later], at);
    for (let at = CUTOFF; at <= END; at = (at + 1 + random.below(30)) as Day) {
      if (isSame(balancesOn(own(at)), balancesOn(other(at)))) continue;
      if (isByUnstatedShares(own, other, at)) break;
      t.strictSame(balancesOn(own(at)), balancesOn(other(at)), `run ${run} on ${formatDay(at)}`);
      return;
    }
  }
  t.pass('the same on every day that was looked at');
});

test('overdue amounts at the cutoff stay separate by due date, and money pays the oldest first', (t) => {
  const draws = [draw(1, {})];
  const facts = [...draws, buy(100, '2024-01-10', '900.00', 1), payLine(102, '2024-03-20', '10.00')];
  const terms = line({});
  const lived = computeLine(terms, facts, CUTOFF);
  const seeded: LineTerms = {
    ...terms,
    activation: CUTOFF,
    interestFrom: CUTOFF,
    settings: [{ from: CUTOFF, value: must(terms.settings[0], 'settings').value }],
  };
  const begun: readonly LineFact[] = [
    ...draws.map((made) => ({ ...made, effective: { day: CUTOFF, seconds: 3_600 } })),
    seedOf(lived, 50, 'apart'),
  ];
  const open = (state: LineState): readonly unknown[] =>
    lineObligationsOf(state)
      .filter(({ remainingCents }) => remainingCents > 0)
      .map(({ dueDay, remainingCents }) => [formatDay(dueDay), remainingCents]);
  t.ok(open(lived).length > 2, 'several minimum payments are open');
  for (const more of [
    [],
    [payLine(60, '2024-06-20', '40.00')],
    [payLine(60, '2024-06-20', '70.00'), payLine(61, '2024-07-20', '200.00')],
  ]) {
    for (const at of ['2024-06-25', '2024-08-30']) {
      const own = computeLine(seeded, [...begun, ...more], day(at));
      const other = computeLine(terms, [...facts, ...more], day(at));
      t.same(open(own), open(other), `${more.length} payments, on ${at}`);
      t.equal(lineOverdueOf(own).daysOverdue, lineOverdueOf(other).daysOverdue);
    }
  }
  t.end();
});

test('unpaid amounts of another system within the tolerance are not overdue here', (t) => {
  const draws = [draw(1, {})];
  const facts = [...draws, buy(100, '2024-01-10', '900.00', 1), payLine(102, '2024-06-01', '99.50')];
  const terms = line({ settings: { overdueToleranceCents: cents(100) } });
  const lived = computeLine(terms, facts, CUTOFF);
  const seeded: LineTerms = {
    ...terms,
    activation: CUTOFF,
    interestFrom: CUTOFF,
    settings: [{ from: CUTOFF, value: must(terms.settings[0], 'settings').value }],
  };
  const begun: readonly LineFact[] = [
    ...draws.map((made) => ({ ...made, effective: { day: CUTOFF, seconds: 3_600 } })),
    seedOf(lived, 50, 'apart'),
  ];
  const overdue = (state: LineState): unknown => [
    state.isOverdue,
    lineOverdueOf(state).overdueCents,
    state.obligations
      .filter(({ isEnforced }) => isEnforced)
      .map(({ remainingCents }) => remainingCents)
      .filter((left) => left > 0),
  ];
  t.same(overdue(lived), [false, 0, [50]]);
  t.same(overdue(computeLine(seeded, begun, day('2024-06-20'))), overdue(lived));
  t.end();
});

const NONE = { principalCents: cents(0), interestCents: cents(0) };

/** One draw, and what another system states of it and of the obligation at the cutoff. */
const begunWith = (seeded: SeededDraw, obligation: LineSeeded['obligation']): readonly LineFact[] => [
  { ...draw(1, {}, '2024-06-10'), effective: { day: CUTOFF, seconds: 3_600 } },
  {
    type: 'lineSeeded',
    effective: { day: CUTOFF, seconds: 7_200 },
    recordedDay: CUTOFF,
    sequence: 50,
    period: { startDate: day('2024-05-10'), endDate: day('2024-06-09'), statementDate: CUTOFF, dueDate: day('2024-06-30') },
    fees: [],
    draws: [seeded],
    obligation,
    reimbursementCents: cents(0),
  },
];

test('money pays all unpaid amounts before rests within the tolerance', (t) => {
  const terms = line({ activation: '2024-06-10', settings: { overdueToleranceCents: cents(50) } });
  const body = (principal: number): SeededDraw['due'] => ({ ...NONE, principalCents: cents(principal) });
  const begun = begunWith(
    {
      draw: 1,
      nonDue: body(50_000),
      due: body(40),
      overdue: body(3_000),
      fees: [],
      isGraceEligible: false,
      fullBalanceCents: cents(53_040),
    },
    {
      amountCents: cents(40),
      remainingCents: cents(40),
      overdueCents: cents(3_000),
      overdueRemainingCents: cents(3_000),
      daysOverdue: 10,
      isGraceEligible: false,
    },
  );
  const stated = computeLine(terms, begun, day('2024-07-15'));
  const [overdue, , july] = lineObligationsOf(stated);
  const asked = must(overdue, 'overdue').remainingCents + must(july, 'of July').remainingCents;
  const paid = computeLine(terms, [...begun, payLine(60, '2024-07-15', formatCents(cents(asked)))], day('2024-07-15'));
  t.same(
    paid.obligations.map(({ remainingCents }) => remainingCents),
    [0, 40, 0],
  );
  t.end();
});

test('canceling a fee from before the cutoff cancels no other fee', (t) => {
  const fees: readonly SeededFee[] = [seededFee('dynamicFee', 'overdue', 700), seededFee('drawFee', 'nonDue', 500)];
  const begun = begunWith(
    {
      draw: 1,
      nonDue: { ...NONE, principalCents: cents(50_000) },
      due: NONE,
      overdue: NONE,
      fees,
      isGraceEligible: false,
      fullBalanceCents: cents(51_200),
    },
    {
      amountCents: cents(0),
      remainingCents: cents(0),
      overdueCents: cents(700),
      overdueRemainingCents: cents(700),
      daysOverdue: 10,
      isGraceEligible: false,
    },
  );
  const canceled = (sequence: number): LineFact => ({
    type: 'pastFeeCanceled',
    draw: 1,
    amountCents: cents(600),
    transaction: sequence,
    sequence,
    effective: { day: CUTOFF, seconds: 40_000 + sequence },
    recordedDay: CUTOFF,
  });
  const [of] = computeLine(line({ activation: '2024-06-10' }), [...begun, canceled(60), canceled(61)], CUTOFF).draws;
  t.same(of?.fees.map(({ openCents }) => openCents).sort(), [0, 500]);
  t.equal(of?.balances.nonDuePrincipalCents, 49_500);
  t.end();
});

test('overdue fees of another system are paid before its non-due fees, also after a charge-off', (t) => {
  const fees: readonly SeededFee[] = [seededFee('dynamicFee', 'nonDue', 620), seededFee('drawFee', 'overdue', 110)];
  const begun = begunWith(
    { draw: 1, nonDue: NONE, due: NONE, overdue: NONE, fees, isGraceEligible: false, fullBalanceCents: cents(730) },
    {
      amountCents: cents(0),
      remainingCents: cents(0),
      overdueCents: cents(110),
      overdueRemainingCents: cents(110),
      daysOverdue: 56,
      isGraceEligible: false,
    },
  );
  const chargeOff: LineFact = {
    type: 'chargeOff',
    reason: 'term',
    effective: { day: CUTOFF, seconds: 8_000 },
    sequence: 59,
    recordedDay: CUTOFF,
  };
  const [of] = computeLine(line({ activation: '2024-06-10' }), [...begun, chargeOff, payLine(60, '2024-06-10', '7.20')], CUTOFF).draws;
  t.same(
    of?.fees.map(({ feeTypeId, openCents }) => [feeTypeId, openCents]),
    [
      ['drawFee', 0],
      ['dynamicFee', 10],
    ],
  );
  t.end();
});
