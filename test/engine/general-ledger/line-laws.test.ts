import fc from '../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  computeLine,
  type Day,
  day as dayOf,
  formatDay,
  generalLedger,
  type LineFact,
  roundAccrued,
  accruedOf,
  type LineState,
} from '../../../engine/index.js';
import { SEED } from '../../seed.js';
import { allLines, type LineHistory } from '../ledger/line/histories.js';
import { asText, details, sameText, sumOf } from './ledger-laws.js';

/** Each history is booked day by day on both bases, which takes some hundred computations of the whole line. */
const RUNS = 20;

function booked({ terms, facts }: LineHistory, basis: generalLedger.Basis): generalLedger.BookedFacts<LineFact> {
  const keeping = { basis, settings: generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS };
  return {
    book: 'C-1/live',
    basis,
    loanId: 'LN-1',
    facts,
    causeOf: ({ sequence }) => ({ factId: `fact-${sequence}`, factType: 'fact', recordedAt: 0 }),
    dayCause: (day) => details.causeOf({ type: 'dailyJob' }, day),
    areTermsSame: () => true,
    isCausal: false,
    believe: (known, through, knownThrough) => generalLedger.believedLine({ terms, facts: known, details }, keeping, through, knownThrough),
  };
}

const lastDayOf = ({ facts, through }: LineHistory): Day =>
  dayOf(Math.min(through, facts.reduce((last, { recordedDay }) => Math.max(last, recordedDay), 0) + 40));

const totalsOf = ({ draws, fees }: LineState) => {
  const all = [...fees, ...draws.flatMap((draw) => draw.fees)];
  const feesCents = (isChargedOff: boolean): number =>
    all.reduce((sum, fee) => ((fee.dueStatus === 'chargedOff') === isChargedOff ? sum + fee.openCents : sum), 0);
  return {
    principal: draws.reduce((sum, { balances: b }) => sum + b.nonDuePrincipalCents + b.duePrincipalCents + b.overduePrincipalCents, 0),
    fees: feesCents(false),
    claim: draws.reduce((sum, { balances: b }) => sum + b.chargedOffPrincipalCents + b.chargedOffInterestCents, feesCents(true)),
  };
};

const interestOf = ({ draws }: LineState): number =>
  draws.reduce(
    (sum, { balances: b }) => sum + roundAccrued(accruedOf(b.nonDueInterest), 'halfUp') + b.dueInterestCents + b.overdueInterestCents,
    0,
  );

function law(name: string, holds: (history: LineHistory, basis: generalLedger.Basis) => void): void {
  test(name, async (t) => {
    t.comment(`seed ${SEED}`);
    for (const basis of generalLedger.BASES) {
      fc.assert(
        fc.property(allLines, (history) => holds(history, basis)),
        { seed: SEED, numRuns: RUNS },
      );
    }
    t.pass('holds');
  });
}

law('what was booked of a line day by day is what is believed, and keys are unique', (history, basis) => {
  const loan = booked(history, basis);
  const lines: generalLedger.Line[] = [];
  const keys = new Set<string>();
  for (let day = history.terms.activation; day <= lastDayOf(history); day = addDays(day, 1)) {
    for (const entry of generalLedger.entriesOn(loan, day)) {
      if (keys.has(entry.id)) throw new Error(`${entry.key} is not unique`);
      keys.add(entry.id);
      lines.push(...entry.lines);
    }
    const believed = generalLedger.believedBalances(generalLedger.believedOn(loan, day), day);
    sameText(asText(generalLedger.balancesOfLines(lines)), asText(believed), `booked through ${formatDay(day)}`);
  }
});

law('the general ledger holds what the borrower owes on a line, by component', (history, basis) => {
  const loan = booked(history, basis);
  const { terms } = history;
  for (let day = terms.activation; day <= lastDayOf(history); day = addDays(day, 1)) {
    const known = history.facts.filter(({ recordedDay }) => recordedDay <= day);
    const state = computeLine(terms, known, day);
    const balances = generalLedger.believedBalances(generalLedger.believedOn(loan, day), day);
    const at = `on ${formatDay(day)} ${basis}`;
    const owedBack = state.totals.reimbursementCents - state.totals.reimbursedCents;
    sameText(`${-sumOf(balances, 'borrowerCredit')}`, `${owedBack}`, `credit ${at}`);
    if (state.status === 'canceled') continue;
    const { principal, fees, claim } = totalsOf(state);
    sameText(`${sumOf(balances, 'principalReceivable')}`, `${principal}`, `principal ${at}`);
    sameText(`${sumOf(balances, 'memoChargedOff')}`, `${claim}`, `claim ${at}`);
    sameText(`${sumOf(balances, 'feesReceivable')}`, `${basis === 'accrual' ? fees : 0}`, `fees ${at}`);
    const before = addDays(day, -1);
    if (before < terms.activation) continue;
    // Interest of the day before, behind the job of this day: what this day adds is not due to be compared yet.
    const accruedToday = generalLedger
      .believedOn(loan, day)
      .filter(({ isDaily, effectiveDate }) => isDaily && effectiveDate === day)
      .flatMap(({ lines }) => lines);
    const interest = sumOf(balances, 'interestReceivable') - sumOf(accruedToday, 'interestReceivable');
    sameText(`${interest}`, `${basis === 'accrual' ? interestOf(state) : 0}`, `interest ${at}`);
  }
});

law('a later day sees earlier days of a line as they were', (history, basis) => {
  const loan = booked(history, basis);
  const last = lastDayOf(history);
  const all = generalLedger.believedOn(loan, last);
  for (let day = history.terms.activation; day < last; day = addDays(day, 7))
    sameText(
      asText(generalLedger.believedBalances(all, day)),
      asText(generalLedger.believedBalances(generalLedger.believedOn(loan, day, last), day)),
      `through ${formatDay(day)} as known at the end`,
    );
});

test('a day of a line that only accrues is booked from the running ledger as from the facts', async (t) => {
  t.comment(`seed ${SEED}`);
  let plain = 0;
  for (const basis of generalLedger.BASES) {
    fc.assert(
      fc.property(allLines, (history) => {
        const loan = booked(history, basis);
        const keeping = { basis, settings: generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS };
        const { terms, facts } = history;
        for (let day = terms.activation; day <= lastDayOf(history); day = addDays(day, 1)) {
          if (facts.some(({ recordedDay }) => recordedDay === day)) continue;
          const known = facts.filter(({ recordedDay }) => recordedDay < day);
          for (const through of [addDays(day, -2), day, addDays(day, 1)]) {
            if (through < terms.activation || known.some((fact) => lastDayWith(fact) >= addDays(day, -1))) continue;
            const of = { book: loan.book, loanId: loan.loanId, cause: loan.dayCause(day), drawIdOf: details.drawIdOf };
            const found = generalLedger.entriesOfPlainLineDay(computeLine(terms, known, through), of, keeping, day);
            if (found === null) continue;
            plain += 1;
            sameText(JSON.stringify(found), JSON.stringify(generalLedger.entriesOn(loan, day)), `on ${formatDay(day)}`);
          }
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
  }
  t.ok(plain > 100, `${plain} days were plain`);
});

const lastDayWith = (fact: LineFact): Day =>
  fact.type === 'paymentMoved' && fact.newEffective.day > fact.effective.day ? fact.newEffective.day : fact.effective.day;
