import { test } from 'tap';
import { addDays, type Day, generalLedger, type LineFact } from '../../../engine/index.js';
import { day } from '../ledger/installment/loans.js';
import { buy, draw, line, payLine, statementOn } from '../ledger/line/lines.js';
import { asText, details, sumOf } from './ledger-laws.js';

/* The statement of 2024-02-09 is due on 2024-02-29. 600.00 of 1,000.00 are not paid: the grace is lost on 2024-03-01. */
const TERMS = line({ schedule: statementOn(9) });
const FACTS: readonly LineFact[] = [
  draw(1, { rate: '0.20', grace: { isApplicable: true, periodsToRestore: 1 } }),
  buy(100, '2024-01-10', '1000.00'),
  payLine(200, '2024-02-20', '400.00'),
];

const KEEPING: generalLedger.Keeping = { basis: 'accrual', settings: generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS };
const LOAN: generalLedger.BookedFacts<LineFact> = {
  book: 'C-1/live',
  basis: 'accrual',
  loanId: 'LN-1',
  facts: FACTS,
  causeOf: ({ sequence }) => ({ factId: `fact-${sequence}`, factType: 'fact', recordedAt: 0 }),
  dayCause: (on) => details.causeOf({ type: 'dailyJob' }, on),
  areTermsSame: () => true,
  isCausal: false,
  believe: (known, through, knownThrough) =>
    generalLedger.believedLine({ terms: TERMS, facts: known, details }, KEEPING, through, knownThrough),
};

const balancesOn = (through: Day, knownOn: Day): readonly generalLedger.RoleBalance[] =>
  generalLedger.believedBalances(generalLedger.believedOn(LOAN, through, knownOn), through);
const incomeOn = (through: string, knownOn: string): number => -sumOf(balancesOn(day(through), day(knownOn)), 'interestIncome');

test('interest that a lost grace accrues is in the general ledger of its days once the grace is lost, and not before', (t) => {
  t.equal(incomeOn('2024-02-15', '2024-02-15'), 0);
  t.equal(incomeOn('2024-02-15', '2024-02-29'), 0, 'it may still be paid');
  // 600.00 at 20% for the 7 days 2024-02-09 .. 02-15: 600 x 0.2 / 365 x 7 = 2.3013699.
  t.equal(incomeOn('2024-02-15', '2024-03-01'), 230);
  t.equal(incomeOn('2024-02-15', '2024-03-20'), 230);
  t.equal(incomeOn('2024-02-08', '2024-03-20'), 0, 'nothing before the statement');
  // 21 days until 2024-02-29: 6.9041096.
  t.equal(incomeOn('2024-02-29', '2024-03-01'), 690);
  t.end();
});

test('what was posted day by day is, by effective date, what is believed of a past day', (t) => {
  const last = day('2024-03-20');
  const entries: generalLedger.Entry[] = [];
  for (let on = TERMS.activation; on <= last; on = addDays(on, 1)) entries.push(...generalLedger.entriesOn(LOAN, on));
  for (const end of ['2024-02-15', '2024-02-29', '2024-03-10'].map(day)) {
    const booked = entries.filter(({ effectiveDate, effectiveThrough = effectiveDate }) => effectiveThrough <= end);
    const days = entries.filter(({ effectiveDate, effectiveThrough = effectiveDate }) => effectiveDate <= end && effectiveThrough > end);
    // The entry of the loss is one of a month: a past day within it has a part of it alone.
    if (days.length > 0) continue;
    t.equal(asText(generalLedger.balancesOfLines(booked.flatMap(({ lines }) => lines))), asText(balancesOn(end, last)), `through ${end}`);
  }
  t.end();
});
