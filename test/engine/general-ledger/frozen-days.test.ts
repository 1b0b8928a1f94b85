import { type Test, test } from 'tap';
import { addDays, type Day, formatDay, generalLedger, type LedgerFact, type LineFact } from '../../../engine/index.js';
import { day, loan } from '../ledger/installment/loans.js';
import { buy, draw, factPosition, line, statementOn } from '../ledger/line/lines.js';
import { asText, details, sumOf } from './ledger-laws.js';

const FROZEN = '2024-02-10';
const UNFROZEN = '2024-04-05';
const LAST = day('2024-04-20');

const ORDERS = [
  { ...factPosition(300, FROZEN), type: 'freeze' },
  { ...factPosition(301, UNFROZEN), type: 'unfreeze', retroactivelyAccrueInterest: true, shiftDueDates: false },
] as const satisfies readonly (LedgerFact & LineFact)[];

interface Booked<Fact> {
  readonly facts: readonly Fact[];
  readonly isCausal: boolean;
  readonly believe: (known: readonly Fact[], keeping: generalLedger.Keeping, through: Day) => readonly generalLedger.Believed[];
}

/** Interest of frozen days: booked when it became known, effective on its days, and part of these days in reads of a later day. */
function check<Fact extends LedgerFact | LineFact>(t: Test, activation: Day, { facts, isCausal, believe }: Booked<Fact>): void {
  const keeping: generalLedger.Keeping = { basis: 'accrual', settings: generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS };
  const of: generalLedger.BookedFacts<Fact> = {
    book: 'C-1/live',
    basis: 'accrual',
    loanId: 'LN-1',
    facts,
    causeOf: ({ sequence }) => ({ factId: `fact-${sequence}`, factType: 'fact', recordedAt: 0 }),
    dayCause: (on) => details.causeOf({ type: 'dailyJob' }, on),
    areTermsSame: () => true,
    isCausal,
    believe: (known, through) => believe(known, keeping, through),
  };
  const entries: generalLedger.Entry[] = [];
  for (let on = activation; on <= LAST; on = addDays(on, 1)) entries.push(...generalLedger.entriesOn(of, on));
  const balancesOn = (through: Day, knownOn: Day): readonly generalLedger.RoleBalance[] =>
    generalLedger.believedBalances(generalLedger.believedOn(of, through, knownOn), through);
  const incomeOn = (through: Day, knownOn: Day): number => -sumOf(balancesOn(through, knownOn), 'interestIncome');
  for (const end of ['2024-02-29', '2024-03-31'].map(day)) {
    const at = formatDay(end);
    const booked = entries.filter(({ effectiveDate, effectiveThrough = effectiveDate }) => effectiveThrough <= end);
    const lines = booked.flatMap((entry) => entry.lines);
    t.equal(asText(generalLedger.balancesOfLines(lines)), asText(balancesOn(end, LAST)), `by effective date through ${at}`);
    const before = addDays(day(UNFROZEN), -1);
    t.equal(asText(balancesOn(end, before)), asText(balancesOn(end, end)), `nothing of it is known before, through ${at}`);
    t.ok(incomeOn(end, LAST) > incomeOn(end, end), `more is earned through ${at} than was known then`);
  }
  const late = entries.filter(({ accountingDate, effectiveDate }) => accountingDate === day(UNFROZEN) && effectiveDate < day(UNFROZEN));
  t.strictSame(
    late.map(({ effectiveDate, effectiveThrough = effectiveDate }) => `${formatDay(effectiveDate)} ${formatDay(effectiveThrough)}`),
    ['2024-02-10 2024-02-29', '2024-03-01 2024-03-31', '2024-04-01 2024-04-04'],
    'an entry of each month on the day of the unfreezing',
  );
}

test('interest of the frozen days of a loan is in the general ledger of these days once it is known', (t) => {
  const terms = loan({ principal: '1200.00', rate: '0.18', activation: '2024-01-10', firstDue: '2024-02-10', rows: 12 });
  check<LedgerFact>(t, terms.activation, {
    facts: ORDERS,
    isCausal: true,
    believe: (facts, keeping, through) => generalLedger.believedInstallment({ terms, facts, details }, keeping, through),
  });
  t.end();
});

test('the same of a line of credit', (t) => {
  const terms = line({ schedule: statementOn(9) });
  check<LineFact>(t, terms.activation, {
    facts: [draw(1), buy(100, '2024-01-10', '2500.00'), ...ORDERS],
    isCausal: false,
    believe: (facts, keeping, through) => generalLedger.believedLine({ terms, facts, details }, keeping, through),
  });
  t.end();
});
