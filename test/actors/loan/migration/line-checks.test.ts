import { test } from 'tap';
import { cents, type Day, must, parseDay } from '../../../../engine/index.js';
import {
  chainFaults,
  dayRuleFaults,
  ownFaults,
  type PlacedPeriod,
  seedFaults,
  sharedFaults,
} from '../../../../actors/loan/migration/line/check.js';
import type { DrawMigrationPeriod, MigrationPeriod } from '../../../../actors/loan/migration/line/history.js';
import { readDrawPeriod, readMigrationPeriod } from '../../../../actors/loan/migration/line/read.js';

const day = (text: string): Day => must(parseDay(text), text);

const period = (path: string, start: string, end: string, statement: string, due: string): PlacedPeriod => ({
  path,
  startDay: day(start),
  endDay: day(end),
  statementDay: day(statement),
  dueDay: day(due),
});

const APRIL = period('april', '2024-04-01', '2024-04-30', '2024-05-01', '2024-05-22');
const MAY = period('may', '2024-05-01', '2024-05-31', '2024-06-01', '2024-06-22');
const JUNE = period('june', '2024-06-01', '2024-06-30', '2024-07-01', '2024-07-22');

const pathsOf = (faults: readonly { readonly path: string }[]): readonly string[] => faults.map(({ path }) => path);

test('periods follow one another, share no date, and each due date lies in the next', async (t) => {
  const whole = [JUNE, APRIL, MAY];
  t.same([...whole.flatMap(ownFaults), ...sharedFaults(whole), ...chainFaults(whole)], []);
  t.same(pathsOf(ownFaults(period('a', '2024-05-01', '2024-04-30', '2024-05-02', '2024-04-30'))), [
    'a.endDate',
    'a.statementDate',
    'a.dueDate',
  ]);
  t.same(pathsOf(chainFaults([APRIL, JUNE])), ['june.startDate', 'april.dueDate'], 'a gap');
  t.same(pathsOf(chainFaults([APRIL, { ...MAY, endDay: day('2024-05-20') }])), ['april.dueDate'], 'due after the next period');
  t.same(pathsOf(sharedFaults([APRIL, { ...MAY, startDay: day('2024-04-30') }])), ['may.startDate'], 'an overlap of a day');
  t.same(pathsOf(sharedFaults([APRIL, { ...MAY, path: 'b', dueDay: APRIL.dueDay }])), ['b.dueDate']);
  t.same(pathsOf(sharedFaults([APRIL, { ...APRIL, path: 'twin' }])), [
    'twin.startDate',
    'twin.endDate',
    'twin.statementDate',
    'twin.dueDate',
  ]);
});

const DATES = { startDate: '2024-05-01', endDate: '2024-05-31', statementDate: '2024-06-01', dueDate: '2024-06-22' };
const TIMES = { createdAt: 0, updatedAt: 0 };

const line = (body: object = {}): MigrationPeriod => ({ ...readMigrationPeriod({ ...DATES, ...body }, null, 'MP-1'), ...TIMES });
const draw = (drawId: string, body: object = {}): DrawMigrationPeriod => ({
  ...readDrawPeriod({ ...DATES, ...body }, null, { id: 'MP-2', drawId }),
  ...TIMES,
});

test('balances at the cutoff hold together over line and draws', async (t) => {
  const draws = [
    draw('a', {
      nonDueBalances: { nonDuePrincipalAmount: 900 },
      dueBalances: { duePrincipalAmount: 20, dueInterestAmount: 5.25 },
      overdueBalances: { overduePrincipalAmount: 20 },
    }),
    draw('b', { dueBalances: { dueDrawFeesAmount: 3 }, overdueBalances: { overdueInterestAmount: 4.5, overdueDynamicFeesAmount: 1 } }),
  ];
  const obligation = { obligationAmount: 30, remainingAmount: 29.25, migratedOverdueAmount: 27.5, migratedDaysOverdue: 10 };
  const own = { dueBalances: { dueOriginationFeesAmount: 1, duePrincipalAmount: 20 }, overdueBalances: { overdueServiceFeesAmount: 2 } };
  t.same(seedFaults({ period: line({ obligation, ...own }), drawPeriods: draws }), []);
  t.same(pathsOf(seedFaults({ period: null, drawPeriods: draws })), ['period']);
  t.same(
    pathsOf(
      seedFaults({
        period: line({ obligation: { ...obligation, remainingAmount: 29.24, migratedOverdueAmount: 27.49 }, ...own }),
        drawPeriods: draws,
      }),
    ),
    ['period.obligation.remainingAmount', 'period.obligation.migratedOverdueRemainingAmount'],
  );
  t.same(pathsOf(seedFaults({ period: line({ obligation: { ...obligation, migratedDaysOverdue: 0 }, ...own }), drawPeriods: draws })), [
    'period.obligation.migratedDaysOverdue',
  ]);
  t.same(
    pathsOf(seedFaults({ period: line({ obligation, ...own, nonDueBalances: { nonDuePrincipalAmount: 899 } }), drawPeriods: draws })),
    ['period.nonDueBalances.nonDuePrincipalAmount'],
  );
  t.same(pathsOf(seedFaults({ period: line({ obligation, ...own, dueDate: '2024-06-21' }), drawPeriods: draws })), [
    'draws.a.dueDate',
    'draws.b.dueDate',
  ]);
});

test('a change leaves what it does not name, and null takes an amount away', async (t) => {
  const before = line({ dueBalances: { dueOriginationFeesAmount: 1, dueServiceFeesAmount: 2 }, reimbursementAmount: 5 });
  const after = readMigrationPeriod(
    { dueBalances: { dueServiceFeesAmount: null }, nonDueBalances: { nonDueDynamicFeesAmount: 7.5 } },
    before,
    before.id,
  );
  t.same(after.balances, { nonDue: { DynamicFees: cents(750) }, due: { OriginationFees: cents(100) }, overdue: {} });
  t.equal(after.reimbursementCents, 500);
  t.equal(after.dueDay, before.dueDay);
});

test('specificDays agree with the date that the product fixes', async (t) => {
  const at = line();
  const faults = (specificDays: readonly string[], dueDateOption: 'fixedDueDate' | 'fixedStatementDate' | 'fixedBoth'): readonly string[] =>
    pathsOf(dayRuleFaults({ paymentFrequency: 'monthly', specificDays }, { dueDateOption } as never, at));
  t.same(faults(['22'], 'fixedDueDate'), []);
  t.same(faults(['21'], 'fixedDueDate'), ['dueDate']);
  t.same(faults(['1'], 'fixedStatementDate'), []);
  t.same(faults(['22'], 'fixedStatementDate'), ['statementDate']);
  t.same(faults(['1', '22'], 'fixedBoth'), []);
  t.same(faults(['2', '23'], 'fixedBoth'), ['statementDate', 'dueDate']);
});
