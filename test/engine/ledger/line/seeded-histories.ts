import fc from '../../../fast-check.js';
import {
  cents,
  type Cents,
  type Day,
  dueStatusOfSeeded,
  type LineFact,
  type LineSeeded,
  type SeededFee,
} from '../../../../engine/index.js';
import { seededFee } from './lines.js';
import { DRASTIC, histories, type LineHistory, ORDINARY } from './histories.js';

/** Cents of one balance, often none. */
const some = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60_000 })).map(cents);
const few = fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 1, max: 2_500 })).map(cents);

const body = fc.record({ principalCents: some, interestCents: few });

const fee: fc.Arbitrary<SeededFee> = fc
  .record({
    kind: fc.constantFrom<SeededFee['kind']>('drawFee', 'dynamicFee', 'serviceFee'),
    dueStatus: fc.constantFrom('nonDue', 'due', 'overdue'),
    amountCents: fc.integer({ min: 1, max: 3_000 }),
  })
  .map(({ kind, dueStatus, amountCents }) => seededFee(kind, dueStatus, amountCents));

/** The balances that another system states for a line with one draw at its cutoff. */
const stated = fc.record({
  nonDue: body,
  due: body,
  overdue: body,
  fees: fc.array(fee, { maxLength: 3 }),
  lineFees: fc.array(fee, { maxLength: 2 }),
  isGraceEligible: fc.boolean(),
  met: few,
  overdueMet: few,
  daysToDue: fc.integer({ min: 1, max: 25 }),
  daysOverdue: fc.integer({ min: 1, max: 70 }),
  share: fc.integer({ min: 0, max: 100 }),
  isApart: fc.boolean(),
  reimbursement: few,
});

const sum = (values: readonly number[]): Cents => cents(values.reduce((total, value) => total + value, 0));

function seedOf(of: typeof stated extends fc.Arbitrary<infer Stated> ? Stated : never, activation: Day, draw: number): LineSeeded {
  const feesIn = (dueStatus: 'due' | 'overdue'): number =>
    [...of.fees, ...of.lineFees].reduce((total, one) => (dueStatusOfSeeded(one) === dueStatus ? total + one.amountCents : total), 0);
  const remainingCents = sum([of.due.principalCents, of.due.interestCents, feesIn('due')]);
  const overdueRemainingCents = sum([of.overdue.principalCents, of.overdue.interestCents, feesIn('overdue')]);
  const overdueMet = overdueRemainingCents === 0 ? 0 : of.overdueMet;
  const all = [of.nonDue, of.due, of.overdue].flatMap(({ principalCents, interestCents }) => [principalCents, interestCents]);
  const back = (days: number): Day => (activation - days) as Day;
  const older = cents(Math.floor((overdueRemainingCents * of.share) / 100));
  const before = (due: number, amountCents: Cents, remaining: Cents): NonNullable<LineSeeded['obligation']['overdue']>[number] => ({
    period: { startDate: back(due + 50), endDate: back(due + 21), statementDate: back(due + 20), dueDate: back(due) },
    amountCents,
    remainingCents: remaining,
  });
  const rest = cents(overdueRemainingCents - older);
  const overdue = [before(of.daysOverdue + 31, sum([older, overdueMet]), older), before(of.daysOverdue, rest, rest)].filter(
    ({ remainingCents: left }) => left > 0,
  );
  const isApart = of.isApart && overdue.length > 0 && (older > 0 || overdueMet === 0);
  return {
    type: 'lineSeeded',
    effective: { day: activation, seconds: 3_700 },
    recordedDay: activation,
    sequence: -1,
    period: { startDate: back(30), endDate: back(1), statementDate: activation, dueDate: (activation + of.daysToDue) as Day },
    fees: of.lineFees.map((one) => ({ ...one, kind: 'dynamicFee' as const })),
    draws: [
      {
        draw,
        nonDue: of.nonDue,
        due: of.due,
        overdue: of.overdue,
        fees: of.fees,
        isGraceEligible: of.isGraceEligible,
        fullBalanceCents: sum([...all, ...of.fees.map(({ amountCents }) => amountCents)]),
      },
    ],
    obligation: {
      amountCents: sum([remainingCents, of.met]),
      remainingCents,
      overdueCents: sum([overdueRemainingCents, overdueMet]),
      overdueRemainingCents,
      daysOverdue: overdueRemainingCents === 0 ? 0 : of.daysOverdue,
      isGraceEligible: of.isGraceEligible,
      ...(isApart ? { overdue } : {}),
    },
    reimbursementCents: of.reimbursement,
  };
}

/** Lines that are migrated from another system at a cutoff, with any facts afterwards. */
export const seededLines: fc.Arbitrary<LineHistory> = fc
  .tuple(histories([...ORDINARY, ...DRASTIC, 'raise', 'pastFee'], { isInTime: false }), stated)
  .map(([{ terms, facts, through }, of]): LineHistory => {
    const [first, ...others] = facts;
    const own = { ...terms, originationFee: { ...terms.originationFee, amountCents: cents(0) } };
    if (first?.type !== 'drawActivated' || first.effective.day !== terms.activation) return { terms: own, facts, through };
    const begun: readonly LineFact[] = [
      { ...first, effective: { day: terms.activation, seconds: 3_600 }, sequence: -2, fee: { ...first.fee, amountCents: cents(0) } },
      seedOf(of, terms.activation, first.draw),
    ];
    return {
      terms: own,
      facts: [...begun, ...others.filter(({ type }) => type !== 'originationFeeChanged' && type !== 'drawFeeChanged')],
      through,
    };
  });
