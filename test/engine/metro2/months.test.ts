import { test, type Test } from 'tap';
import {
  addDays,
  computeLedger,
  computeLine,
  type Day,
  type LedgerFact,
  type LedgerTerms,
  lineBalancesOf,
  type LineFact,
  type LineTerms,
} from '../../../engine/index.js';
import { type CreditCircumstances, creditFigures, type CreditMonth, creditMonth, LifeRecorder } from '../../../engine/metro2/index.js';
import fc from '../../fast-check.js';
import { allHistories, PARAMETERS, restlessHistories, statusHistories } from '../ledger/installment/histories.js';
import { day, loan, pay } from '../ledger/installment/loans.js';
import { allLines } from '../ledger/line/histories.js';
import { lastOfMonth, type NaiveDay, naiveMonth } from './naive-months.js';

const plain = (opened: Day, isLine: boolean): CreditCircumstances => ({
  opened,
  reportedFrom: opened,
  historyBefore: '',
  servicedFrom: opened,
  placements: [],
  petitionOn: null,
  isLine,
});

type Shown = Pick<CreditMonth, 'status' | 'rating' | 'history' | 'firstDelinquency'> | null;

const shown = (month: CreditMonth | null): Shown =>
  month && { status: month.status, rating: month.rating, history: month.history, firstDelinquency: month.firstDelinquency };

interface Compared {
  readonly opened: Day;
  readonly through: Day;
  readonly isLine: boolean;
  readonly days: readonly NaiveDay[];
  readonly changes: LifeRecorder['changes'];
}

/** Every month end of a life, and its last day. */
function compare(t: Test, { opened, through, isLine, days, changes }: Compared): void {
  for (let end = lastOfMonth(opened); ; end = lastOfMonth(addDays(end, 1))) {
    const asOf = end < through ? end : through;
    t.strictSame(shown(creditMonth(changes, asOf, plain(opened, isLine))), naiveMonth(days, asOf, isLine), `as of ${asOf - opened} days`);
    if (asOf === through) return;
  }
}

const daysFrom = (from: Day, to: Day): readonly Day[] => Array.from({ length: to - from + 1 }, (_, at) => addDays(from, at));

interface Owing {
  readonly day: Day;
  readonly status: string;
  readonly statusSince: Day;
  readonly obligations: readonly {
    readonly isEnforced: boolean;
    readonly isFulfilled: boolean;
    readonly remainingCents: number;
    readonly dueDay: Day;
    readonly pausedDays: number;
  }[];
}

/** The most days late for which a dollar is so many days late, or more. */
function daysLateOf({ day: today, status, statusSince, obligations }: Owing): number {
  const unpaid = obligations
    .filter(({ isEnforced, isFulfilled }) => isEnforced && !isFulfilled)
    .map(({ dueDay, pausedDays, remainingCents }) => ({
      days: (status === 'frozen' ? statusSince : today) - dueDay - pausedDays,
      remainingCents,
    }));
  const cents = (least: number): number => unpaid.reduce((sum, { days, remainingCents }) => sum + (days >= least ? remainingCents : 0), 0);
  return Math.max(0, ...unpaid.filter(({ days }) => cents(days) >= 100).map(({ days }) => days));
}

/** Each day of a loan from a ledger of its own. */
function installmentDays(terms: LedgerTerms, facts: readonly LedgerFact[], through: Day): readonly NaiveDay[] {
  return daysFrom(terms.activation, through).map((on) => {
    const ledger = computeLedger(terms, facts, on);
    return { day: on, status: ledger.status, daysLate: daysLateOf(ledger), isOwed: true };
  });
}

function lineDays(terms: LineTerms, facts: readonly LineFact[], through: Day): readonly NaiveDay[] {
  return daysFrom(terms.activation, through).map((on) => {
    const ledger = computeLine(terms, facts, on);
    return {
      day: on,
      status: ledger.status,
      daysLate: daysLateOf(ledger),
      isOwed: lineBalancesOf(ledger).outstanding.totalCents >= 100,
    };
  });
}

const RUNS = { ...PARAMETERS, numRuns: Math.ceil(PARAMETERS.numRuns / 10) };

for (const [name, histories] of [
  ['whose status changes', statusHistories],
  ['whose status changes often', restlessHistories],
  ['of any kind', allHistories],
] as const)
  test(`loans ${name} are reported as day-by-day ledgers say, in every month`, async (t) => {
    fc.assert(
      fc.property(histories, ({ terms, facts, through }) => {
        const recorder = new LifeRecorder();
        computeLedger(terms, facts, through, recorder);
        const days = installmentDays(terms, facts, through);
        compare(t, { opened: terms.activation, through, isLine: false, days, changes: recorder.changes });
      }),
      RUNS,
    );
  });

test('lines are reported as day-by-day ledgers say, in every month', async (t) => {
  fc.assert(
    fc.property(allLines, ({ terms, facts, through }) => {
      const recorder = new LifeRecorder();
      computeLine(terms, facts, through, recorder);
      const days = lineDays(terms, facts, through);
      compare(t, { opened: terms.activation, through, isLine: true, days, changes: recorder.changes });
    }),
    RUNS,
  );
});

/** A loan of equal installments due on the first of each month. */
const LOAN = loan({ principal: '1200.00', rate: '0', activation: '2026-01-15', firstDue: '2026-02-01', rows: 12 });
const ROW = '100.00';

function asOf(date: string, facts: readonly LedgerFact[]): CreditMonth {
  const recorder = new LifeRecorder();
  computeLedger(LOAN, facts, day(date), recorder);
  const month = creditMonth(recorder.changes, day(date), plain(LOAN.activation, false));
  if (month === null) throw new Error('the loan is open');
  return month;
}

/** The February installment is paid on time. */
const FEBRUARY = pay(1, '2026-02-01', ROW);

test('the March installment is unpaid: late from the 30th day on', async (t) => {
  t.match(asOf('2026-03-30', [FEBRUARY]), { status: '11', firstDelinquency: null, daysLate: 29 });
  t.match(asOf('2026-03-31', [FEBRUARY]), { status: '71', firstDelinquency: day('2026-03-31'), daysLate: 30 });
});

test('a borrower who stays one installment behind keeps the date of first delinquency', async (t) => {
  const behind = [FEBRUARY, pay(2, '2026-04-10', ROW), pay(3, '2026-05-10', ROW)];
  t.match(asOf('2026-05-31', behind), { status: '71', firstDelinquency: day('2026-03-31') });
  t.match(asOf('2026-04-30', behind), { status: '11', firstDelinquency: null, daysLate: 29 }, 'nothing is 30 days late in between');
});

test('a delinquency after the loan was current has a date of its own', async (t) => {
  const caughtUp = [FEBRUARY, pay(2, '2026-05-20', '300.00'), pay(3, '2026-06-01', ROW)];
  t.match(asOf('2026-05-31', caughtUp), { status: '11', firstDelinquency: null });
  t.match(asOf('2026-07-31', caughtUp), { status: '71', firstDelinquency: day('2026-07-31') });
});

test('the history begins with last month and ends with blanks before the loan', async (t) => {
  t.match(asOf('2026-05-30', [FEBRUARY]), { status: '80', history: `2100${'B'.repeat(20)}` });
});

test('a charge-off keeps the date of first delinquency', async (t) => {
  const chargedOff: LedgerFact = {
    type: 'chargeOff',
    reason: 'term',
    effective: { day: day('2026-06-29'), seconds: 50_000 },
    sequence: 2,
    recordedDay: day('2026-06-29'),
  };
  t.match(asOf('2026-06-30', [FEBRUARY, chargedOff]), { status: '97', firstDelinquency: day('2026-03-31') });
  t.match(asOf('2026-08-31', [FEBRUARY, chargedOff]), {
    status: '97',
    firstDelinquency: day('2026-03-31'),
    history: `LL32100${'B'.repeat(17)}`,
  });
});

test('a loan that is paid off while it is late is rated by its last day', async (t) => {
  t.match(asOf('2026-04-30', [FEBRUARY, pay(2, '2026-03-31', '1100.00')]), {
    status: '13',
    rating: '1',
    firstDelinquency: day('2026-03-31'),
    closedOn: day('2026-03-31'),
  });
  t.match(asOf('2026-04-30', [FEBRUARY, pay(2, '2026-03-20', '1100.00')]), { status: '13', rating: '0', firstDelinquency: null });
});

test('cents are not late: status, history and first delinquency follow from the whole dollars that are sent', async (t) => {
  const unpaid = (amount: string): readonly LedgerFact[] => [FEBRUARY, pay(2, '2026-03-01', amount)];
  t.match(asOf('2026-03-31', unpaid('99.01')), { status: '11', firstDelinquency: null, daysLate: 0 });
  t.match(asOf('2026-03-31', unpaid('99.00')), { status: '71', firstDelinquency: day('2026-03-31'), daysLate: 30 });
  const cents = asOf('2026-05-31', unpaid('99.01'));
  t.match(cents, { status: '78', history: `0000${'B'.repeat(20)}`, firstDelinquency: day('2026-05-01') }, 'since the April installment');
  const rest = [...unpaid('50.00'), pay(3, '2026-04-10', '49.50')];
  t.match(asOf('2026-04-30', rest), { status: '11', history: `100${'B'.repeat(21)}`, firstDelinquency: null }, 'a dollar less is current');
});

test('a payment that is recorded late corrects the months that were reported', async (t) => {
  t.match(asOf('2026-05-30', [FEBRUARY]), { history: `2100${'B'.repeat(20)}` });
  const inTime = { ...pay(2, '2026-03-01', ROW), recordedDay: day('2026-05-29') };
  t.match(asOf('2026-05-30', [FEBRUARY, inTime]), { status: '71', history: `0000${'B'.repeat(20)}`, firstDelinquency: day('2026-05-01') });
});

test('months before the reporting began are blank, and those before the service come with the loan', async (t) => {
  const recorder = new LifeRecorder();
  computeLedger(LOAN, [FEBRUARY], day('2026-05-30'), recorder);
  const of = (more: Partial<CreditCircumstances>): CreditMonth | null =>
    creditMonth(recorder.changes, day('2026-05-30'), { ...plain(LOAN.activation, false), ...more });
  t.match(of({ reportedFrom: day('2026-03-01') }), { history: `21${'B'.repeat(22)}` });
  t.match(of({ opened: day('2025-06-01'), historyBefore: '1000D' }), { history: `21001000D${'B'.repeat(15)}` });
  t.match(of({ petitionOn: day('2026-04-02') }), { history: `D100${'B'.repeat(20)}` }, 'no late months from the petition on');
  const placed = { from: day('2026-04-15'), until: null };
  t.match(of({ placements: [placed] }), { status: '93', history: `G100${'B'.repeat(20)}`, firstDelinquency: day('2026-03-31') });
});

test('months at a collection agency stay in the history after it does not have the loan any more', async (t) => {
  const recorder = new LifeRecorder();
  computeLedger(LOAN, [FEBRUARY], day('2026-07-31'), recorder);
  const of = (...placements: CreditCircumstances['placements']): CreditMonth | null =>
    creditMonth(recorder.changes, day('2026-07-31'), { ...plain(LOAN.activation, false), placements });
  const placed = { from: day('2026-04-15'), until: day('2026-05-31') };
  t.match(of(placed), { status: '83', history: `43G100${'B'.repeat(18)}` }, 'it has no day of the end of May');
  t.match(of(placed, { from: day('2026-06-30'), until: null }), { status: '93', history: `G3G100${'B'.repeat(18)}` });
});

test('amounts count what is 30 days late, and no interest that is not due', async (t) => {
  const on = (date: string, facts: readonly LedgerFact[]): ReturnType<typeof creditFigures> =>
    creditFigures(computeLedger(LOAN, facts, day(date)), day(`${date.slice(0, 8)}01`));
  t.match(on('2026-03-30', [FEBRUARY]), { balanceCents: 110_000, pastDueCents: 0, paidCents: 0, lastPaymentOn: day('2026-02-01') });
  t.match(on('2026-04-30', [FEBRUARY]), { pastDueCents: 10_000 });
  t.match(on('2026-05-01', [FEBRUARY]), { pastDueCents: 20_000 });
  t.match(on('2026-02-28', [FEBRUARY]), { paidCents: 10_000 });
});
