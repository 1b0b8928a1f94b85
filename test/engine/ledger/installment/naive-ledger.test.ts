import { Big } from 'big.js';
import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  type Accrued,
  accruedOfCents,
  balancesOf,
  type Cents,
  cents,
  computeLedger,
  type LedgerFact,
  type LedgerSettings,
  type LedgerState,
  type LedgerTerms,
} from '../../../../engine/index.js';
import { naiveLedger } from '../../naive/ledger.js';
import type { NaiveLedger, NaiveStatus } from '../../naive/parts.js';
import { type History, PARAMETERS, restlessHistories, statusHistories } from './histories.js';
import { SEED } from '../../../seed.js';
import { text } from './loans.js';

Big.DP = 40;

/** Exact interest with eight decimals of the currency unit. */
const decimals = (interest: Accrued): string => new Big(interest.toString()).div(accruedOfCents(cents(100)).toString()).toFixed(8);

/** The engine's ledger in the format of the naive one. */
function asNaive(state: LedgerState): NaiveLedger {
  const { nonDue, due, overdue, chargedOff, interestAndFees, paid } = balancesOf(state);
  return {
    status: state.status as NaiveStatus,
    balances: {
      nonDuePrincipal: text(nonDue.principalCents),
      duePrincipal: text(due.principalCents),
      overduePrincipal: text(overdue.principalCents),
      nonDueInterest: decimals(nonDue.unroundedInterest),
      dueInterest: text(due.interestCents),
      overdueInterest: text(overdue.interestCents),
      nonDueFees: text(nonDue.feesCents),
      dueFees: text(due.feesCents),
      overdueFees: text(overdue.feesCents),
      chargedOffPrincipal: text(chargedOff.principalCents),
      chargedOffInterest: text(chargedOff.interestCents),
      chargedOffFees: text(chargedOff.feesCents),
    },
    paid: {
      principal: text(paid.principalCents),
      interest: text(paid.interestCents),
      fees: text(paid.feesCents),
      over: text(paid.overCents),
      owedBack: text(paid.reimbursementCents),
    },
    obligations: state.obligations.map(
      (o) => `${o.dueDay} ${text(o.amountCents)} ${text(o.remainingCents)} ${o.isFulfilled} ${o.isLateFeeBlocked}`,
    ),
    fees: state.fees
      .filter((fee) => !fee.isCanceled)
      .map((fee) => {
        const name = fee.fee === null ? `late ${fee.feeTypeId} ${state.rows[fee.obligation ?? 0]?.date}` : `hand ${fee.fee}`;
        return `${name} ${fee.chargeDay} ${text(fee.amountCents)} ${text(fee.openCents)}`;
      }),
    interestAccrued: decimals(interestAndFees.interestAccrued),
  };
}

/** A loan of few cents, where one cent and zero must not be confused. */
const smallCents = (amountCents: Cents): Cents => cents(Math.max(1, Math.ceil(amountCents / SMALLER)));
const SMALLER = 10_000;

const smallSettings = (settings: LedgerSettings): LedgerSettings => ({
  ...settings,
  overdueToleranceCents: cents(Math.min(1, settings.overdueToleranceCents)),
  ...(settings.smallBalanceCents === undefined ? {} : { smallBalanceCents: cents(Math.min(1, settings.smallBalanceCents)) }),
  lateFees: settings.lateFees.map((terms) => ({
    ...terms,
    amount: { type: 'fixed', amountCents: cents(1) },
    minCents: null,
    maxCents: null,
    toleranceCents: cents(0),
    capPerLoanCents: terms.capPerLoanCents === null ? null : cents(3),
  })),
});

const smallTerms = (terms: LedgerTerms): LedgerTerms => ({
  ...terms,
  principalCents: cents(terms.principalCents % 150),
  rows: terms.rows.map((row) => ({ ...row, amountCents: cents(1 + (row.amountCents % 20)) })),
  originationFee: { ...terms.originationFee, amountCents: cents(terms.originationFee.amountCents % 1_000) },
  totalInterestCapCents: terms.totalInterestCapCents === null ? null : cents(2),
  settings: terms.settings.map(({ from, value }) => ({ from, value: smallSettings(value) })),
});

function smallFact(fact: LedgerFact): LedgerFact {
  if (fact.type === 'payment' || fact.type === 'refund') {
    const amountCents = cents(1 + (fact.amountCents % 25));
    if (fact.type === 'refund') return { ...fact, amountCents, fullCents: cents(150) };
    return { ...fact, amountCents, ...(fact.principalOnlyCents === undefined ? {} : { principalOnlyCents: cents(1) }) };
  }
  if (fact.type === 'advance') return { ...fact, amountCents: cents(1 + (fact.amountCents % 9)) };
  if (fact.type === 'feeCharged' || fact.type === 'feeChanged') return { ...fact, amountCents: smallCents(fact.amountCents) };
  return fact.type === 'reimbursed' ? { ...fact, amountCents: smallCents(fact.amountCents) } : fact;
}

const small = (lives: fc.Arbitrary<History>): fc.Arbitrary<History> =>
  lives
    .map((history) => ({ ...history, terms: smallTerms(history.terms), facts: history.facts.map(smallFact) }))
    .filter(({ terms }) => terms.principalCents > 0);

for (const [name, lives] of [
  ['random histories', statusHistories],
  ['loans whose status changes often', restlessHistories],
  ['loans of few cents', small(statusHistories)],
] as const) {
  test(`a ledger kept day by day in decimals agrees on ${name}`, async (t) => {
    t.comment(`seed ${SEED}`);
    fc.assert(
      fc.property(lives, ({ terms, facts, through, rateRows }) => {
        const expected = JSON.stringify(naiveLedger({ terms, facts, rateRows }, through));
        const actual = JSON.stringify(asNaive(computeLedger(terms, facts, through)));
        if (actual !== expected) throw new Error(`DIFF\n${actual}\n${expected}\n`);
      }),
      PARAMETERS,
    );
    t.pass('every balance, obligation, fee and allocation agrees');
  });
}
