import fc from '../../fast-check.js';
import { test } from 'tap';
import {
  accruedOf,
  accruedUnits,
  addDays,
  computeLedger,
  type Day,
  day as dayOf,
  daysOverdueOf,
  formatDay,
  generalLedger,
  type LedgerFact,
  type LedgerState,
  oldestOverdue,
  roundAccrued,
} from '../../../engine/index.js';
import { SEED } from '../../seed.js';
import { allHistories, type History } from '../ledger/installment/histories.js';
import { asText, details, sameText, sumOf } from './ledger-laws.js';

const RUNS = 25;
/** Few days, so that many histories reach them. */
const AFTER = 10;

type Payments = generalLedger.GeneralLedgerSettings['nonaccrualPayments'];

function booked({ terms, facts }: History, nonaccrualPayments: Payments): generalLedger.BookedFacts<LedgerFact> {
  const settings = { ...generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS, nonaccrualAfterDays: AFTER, nonaccrualPayments };
  const keeping: generalLedger.Keeping = { basis: 'accrual', settings };
  return {
    book: 'C-1/live',
    basis: 'accrual',
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
  dayOf(Math.min(through, facts.reduce((last, { recordedDay }) => Math.max(last, recordedDay), 0) + 60));

const exactInterest = ({ nonDueInterest, dueInterestCents, overdueInterestCents }: LedgerState): bigint =>
  accruedOf(nonDueInterest) + BigInt(dueInterestCents + overdueInterestCents) * 160_308_000_000_000n;

function overdueDays(state: LedgerState): number {
  const oldest = oldestOverdue(state);
  return oldest === undefined ? 0 : daysOverdueOf(state, oldest);
}

test('interest of late loans is a memorandum: with the receivable it is what the borrower owes, and days add up', async (t) => {
  t.comment(`seed ${SEED}`);
  let late = 0;
  for (const payments of ['costRecovery', 'cashBasis'] as const) {
    fc.assert(
      fc.property(allHistories, (history) => {
        const loan = booked(history, payments);
        const lines: generalLedger.Line[] = [];
        const keys = new Set<string>();
        for (let day = history.terms.activation; day <= lastDayOf(history); day = addDays(day, 1)) {
          for (const entry of generalLedger.entriesOn(loan, day)) {
            sameText(`${entry.lines.reduce((total, { amount }) => total + amount, 0)}`, '0', `sum of ${entry.key}`);
            if (keys.has(entry.id)) throw new Error(`${entry.key} is not unique`);
            keys.add(entry.id);
            lines.push(...entry.lines);
          }
          const balances = generalLedger.believedBalances(generalLedger.believedOn(loan, day), day);
          const at = `on ${formatDay(day)} ${payments}`;
          sameText(asText(generalLedger.balancesOfLines(lines)), asText(balances), `booked ${at}`);
          const known = history.facts.filter(({ recordedDay }) => recordedDay <= day);
          const state = computeLedger(history.terms, known, day);
          if (state.status === 'canceled') continue;
          const next = computeLedger(
            history.terms,
            known.filter(({ effective }) => effective.day <= day),
            addDays(day, 1),
          );
          const accrued = accruedOf(next.totals.interestAccrued) - accruedOf(state.totals.interestAccrued);
          const interest = roundAccrued(accruedUnits(exactInterest(state) + accrued), 'halfUp');
          sameText(`${sumOf(balances, 'interestReceivable', 'memoNonaccrualInterest')}`, `${interest}`, `interest ${at}`);
          const parts = [
            sumOf(balances, 'interestReceivable'),
            sumOf(balances, 'memoNonaccrualInterest'),
            -sumOf(balances, 'costRecoveryContra'),
          ];
          if (parts.some((cents) => cents < 0)) throw new Error(`below zero ${at}: ${parts.join(' ')}`);
          const isLate = (state.status === 'active' || state.status === 'accelerated') && overdueDays(state) >= AFTER;
          if (isLate) sameText(`${sumOf(balances, 'interestReceivable')}`, '0', `recognized ${at}`);
          if (isLate && interest > 0) late += 1;
          if (state.status === 'paidOff') sameText(`${sumOf(balances, 'costRecoveryContra')}`, '0', `held back ${at}`);
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
  }
  t.ok(late > 100, `${late} days were late`);
});

test('a lender that sets nothing keeps the interest of late loans on the books', async (t) => {
  fc.assert(
    fc.property(allHistories, (history) => {
      const settings = generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS;
      const { terms, facts } = history;
      const all = generalLedger.believedInstallment({ terms, facts, details }, { basis: 'accrual', settings }, lastDayOf(history));
      const of = generalLedger.believedBalances(all, lastDayOf(history));
      sameText(`${sumOf(of, 'memoNonaccrualInterest', 'costRecoveryContra')}`, '0', 'no memorandum');
    }),
    { seed: SEED, numRuns: RUNS },
  );
  t.pass('holds');
});
