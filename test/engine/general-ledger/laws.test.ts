import fc from '../../fast-check.js';
import { test } from 'tap';
import {
  accruedOf,
  addDays,
  computeLedger,
  type Day,
  day as dayOf,
  formatDay,
  generalLedger,
  type LedgerFact,
  type LedgerState,
  roundAccrued,
  accruedUnits,
} from '../../../engine/index.js';
import { SEED } from '../../seed.js';
import { asText, details, sameText, sumOf } from './ledger-laws.js';
import { allHistories, type History } from '../ledger/installment/histories.js';

/** Each history is booked day by day on both bases, which takes some hundred computations of the whole loan. */
const RUNS = 25;

function booked({ terms, facts }: History, basis: generalLedger.Basis): generalLedger.BookedFacts<LedgerFact> {
  const keeping = { basis, settings: generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS };
  return {
    book: 'C-1/live',
    basis,
    loanId: 'LN-1',
    facts,
    causeOf: ({ sequence }) => ({ factId: `fact-${sequence}`, factType: 'fact', recordedAt: 0 }),
    dayCause: (day) => details.causeOf({ type: 'dailyJob' }, day),
    areTermsSame: () => true,
    isCausal: true,
    believe: (known, through) => generalLedger.believedInstallment({ terms, facts: known, details }, keeping, through),
  };
}

const lastDayOf = ({ facts, through }: History): Day =>
  dayOf(Math.min(through, facts.reduce((last, { recordedDay }) => Math.max(last, recordedDay), 0) + 40));

const exactInterest = ({ nonDueInterest, dueInterestCents, overdueInterestCents }: LedgerState): bigint =>
  accruedOf(nonDueInterest) + BigInt(dueInterestCents + overdueInterestCents) * 160_308_000_000_000n;

const feesOf = (state: LedgerState, isChargedOff: boolean): number => {
  const ofFees = state.fees.reduce((sum, fee) => ((fee.dueStatus === 'chargedOff') === isChargedOff ? sum + fee.openCents : sum), 0);
  const origination = isChargedOff
    ? state.chargedOffOriginationFeeCents
    : state.nonDueOriginationFeeCents + state.dueOriginationFeeCents + state.overdueOriginationFeeCents;
  return ofFees + origination;
};

function law(name: string, holds: (history: History, basis: generalLedger.Basis) => void, runs = RUNS): void {
  test(name, async (t) => {
    t.comment(`seed ${SEED}`);
    for (const basis of generalLedger.BASES) {
      fc.assert(
        fc.property(allHistories, (history) => holds(history, basis)),
        { seed: SEED, numRuns: runs },
      );
    }
    t.pass('holds');
  });
}

law('what was booked day by day is what is believed, every entry sums to zero, and keys are unique', (history, basis) => {
  const loan = booked(history, basis);
  const lines: generalLedger.Line[] = [];
  const keys = new Set<string>();
  for (let day = history.terms.activation; day <= lastDayOf(history); day = addDays(day, 1)) {
    for (const entry of generalLedger.entriesOn(loan, day)) {
      const sum = entry.lines.reduce((total, { amount }) => total + amount, 0);
      sameText(`${sum}`, '0', `sum of ${entry.key}`);
      if (keys.has(entry.id)) throw new Error(`${entry.key} is not unique`);
      if (entry.effectiveDate > day || entry.lines.length === 0) throw new Error(`${entry.key} is about the future or nothing`);
      keys.add(entry.id);
      lines.push(...entry.lines);
    }
    const believed = generalLedger.believedBalances(generalLedger.believedOn(loan, day), day);
    sameText(asText(generalLedger.balancesOfLines(lines)), asText(believed), `booked through ${formatDay(day)}`);
  }
});

law('the general ledger holds what the borrower owes, by component', (history, basis) => {
  const loan = booked(history, basis);
  const { terms } = history;
  for (let day = terms.activation; day <= lastDayOf(history); day = addDays(day, 1)) {
    const known = history.facts.filter(({ recordedDay }) => recordedDay <= day);
    const state = computeLedger(terms, known, day);
    const balances = generalLedger.believedBalances(generalLedger.believedOn(loan, day), day);
    const at = `on ${formatDay(day)} ${basis}`;
    const whole = state.status === 'canceled' ? 0 : 1;
    const principal = state.nonDuePrincipalCents + state.duePrincipalCents + state.overduePrincipalCents;
    sameText(`${sumOf(balances, 'principalReceivable')}`, `${whole * principal}`, `principal ${at}`);
    const claim = state.chargedOffPrincipalCents + state.chargedOffInterestCents + feesOf(state, true);
    sameText(`${sumOf(balances, 'memoChargedOff')}`, `${whole * claim}`, `claim ${at}`);
    sameText(`${-sumOf(balances, 'borrowerCredit')}`, `${state.totals.reimbursementCents - state.totals.reimbursedCents}`, `credit ${at}`);
    const isAccrual = basis === 'accrual';
    sameText(`${sumOf(balances, 'feesReceivable')}`, `${isAccrual ? whole * feesOf(state, false) : 0}`, `fees ${at}`);
    const next = computeLedger(
      terms,
      known.filter(({ effective }) => effective.day <= day),
      addDays(day, 1),
    );
    const accrued = accruedOf(next.totals.interestAccrued) - accruedOf(state.totals.interestAccrued);
    const interest = roundAccrued(accruedUnits(exactInterest(state) + accrued), 'halfUp');
    sameText(`${sumOf(balances, 'interestReceivable')}`, `${isAccrual ? whole * interest : 0}`, `interest ${at}`);
  }
});

law('a later day sees earlier days as they were, and the entries of a day are computed again to the byte', (history, basis) => {
  const loan = booked(history, basis);
  const last = lastDayOf(history);
  const day = dayOf(Math.floor((history.terms.activation + last) / 2));
  sameText(JSON.stringify(generalLedger.entriesOn(loan, day)), JSON.stringify(generalLedger.entriesOn(loan, day)), 'the same entries');
  const all = generalLedger.believedOn(loan, last);
  sameText(
    asText(generalLedger.believedBalances(all, day)),
    asText(generalLedger.believedBalances(generalLedger.believedOn(loan, day, last), day)),
    `through ${formatDay(day)} as known at the end`,
  );
});

test('a day that only accrues is booked from the running ledger as from the facts', async (t) => {
  t.comment(`seed ${SEED}`);
  let plain = 0;
  for (const basis of generalLedger.BASES) {
    fc.assert(
      fc.property(allHistories, (history) => {
        const loan = booked(history, basis);
        const keeping = { basis, settings: generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS };
        const { terms, facts } = history;
        for (let day = terms.activation; day <= lastDayOf(history); day = addDays(day, 1)) {
          if (facts.some(({ recordedDay }) => recordedDay === day)) continue;
          const known = facts.filter(({ recordedDay }) => recordedDay < day);
          for (const through of [day, addDays(day, 1)]) {
            const of = { book: loan.book, loanId: loan.loanId, cause: loan.dayCause(day) };
            const found = generalLedger.entriesOfPlainDay(computeLedger(terms, known, through), of, keeping, day);
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
