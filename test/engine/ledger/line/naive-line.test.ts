import assert from 'node:assert/strict';
import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  accruedOf,
  type Cents,
  cents,
  computeLine,
  formatAccrued,
  type LineFact,
  type LineSettings,
  type LineState,
} from '../../../../engine/index.js';
import { PARAMETERS, RUNS } from '../installment/histories.js';
import { SEED } from '../../../seed.js';
import { text } from '../installment/loans.js';
import { allLines, handKeptLines, type LineHistory } from './histories.js';
import { seededLines } from './seeded-histories.js';
import type { Split } from './naive/state.js';
import { remainingOf } from './naive/late-fees.js';
import { naiveLine } from './naive/ledger.js';
import type { NaiveLine } from './naive/line.js';

const DUE_STATUSES = ['nonDue', 'due', 'overdue', 'chargedOff'] as const;

/** All figures that both ledgers have, as text. */
function figuresOf(state: LineState): unknown {
  const fees = (of: LineState['fees']): string[] =>
    DUE_STATUSES.map((dueStatus) => text(of.reduce((sum, fee) => (fee.dueStatus === dueStatus ? sum + fee.openCents : sum), 0)));
  return {
    status: state.status,
    line: fees(state.fees),
    draws: state.draws.map(({ balances: b, fees: of, isGraceEligible }) => ({
      principal: [b.nonDuePrincipalCents, b.duePrincipalCents, b.overduePrincipalCents, b.chargedOffPrincipalCents].map(text),
      interest: [
        formatAccrued(accruedOf(b.nonDueInterest)),
        text(b.dueInterestCents),
        text(b.overdueInterestCents),
        text(b.chargedOffInterestCents),
      ],
      fees: fees(of),
      isGraceEligible,
    })),
    obligations: state.obligations.map(({ dueDay, amountCents, remainingCents, isFulfilled }) => [
      dueDay,
      text(amountCents),
      text(remainingCents),
      isFulfilled,
    ]),
    prepaid: text(state.prepaidCents),
    reimbursement: text(state.totals.reimbursementCents),
    payments: state.payments.map(({ transaction, principalCents, interestCents, feesCents, overCents }) => [
      transaction,
      ...[principalCents, interestCents, feesCents, overCents].map(text),
    ]),
  };
}

function naiveFiguresOf(naive: NaiveLine): unknown {
  const fees = (of: NaiveLine['line']): string[] =>
    DUE_STATUSES.map((dueStatus) =>
      of.fees.reduce((sum, fee) => (fee.dueStatus === dueStatus ? sum.plus(fee.open) : sum), of.principal.nonDue.times(0)).toFixed(2),
    );
  return {
    status: naive.status,
    line: fees(naive.line),
    draws: naive.draws.map((draw) => ({
      principal: DUE_STATUSES.map((dueStatus) => draw.principal[dueStatus].toFixed(2)),
      interest: DUE_STATUSES.map((dueStatus) => draw.interest[dueStatus].toFixed(dueStatus === 'nonDue' ? 10 : 2)),
      fees: fees(draw),
      isGraceEligible: draw.inGrace,
    })),
    obligations: naive.obligations.map((one) => [one.due, one.amount.toFixed(2), remainingOf(one).toFixed(2), one.isFulfilled]),
    prepaid: naive.ahead.toFixed(2),
    reimbursement: naive.reimbursement.toFixed(2),
    payments: naive.payments.map(({ transaction, splits, over }) => {
      const of = (part: keyof Split): string =>
        [...splits.values()].reduce((sum, split) => sum.plus(split[part]), over.times(0)).toFixed(2);
      return [transaction, of('principal'), of('interest'), of('fees'), over.toFixed(2)];
    }),
  };
}

/** A line of few cents, where one cent and zero must not be confused. */
const few = (amountCents: Cents): Cents => cents(amountCents === 0 ? 0 : 1 + (amountCents % 60));

const smallSettings = (settings: LineSettings): LineSettings => ({
  ...settings,
  overdueToleranceCents: cents(Math.min(1, settings.overdueToleranceCents)),
  minimumInterestChargeCents: settings.minimumInterestChargeCents === null ? null : cents(1),
  lateFees: settings.lateFees.map((terms) => ({ ...terms, amount: { type: 'fixed', amountCents: cents(1) } })),
});

function smallFact(fact: LineFact): LineFact {
  if (fact.type === 'payment' || fact.type === 'purchase' || fact.type === 'feeCharged' || fact.type === 'reimbursed')
    return { ...fact, amountCents: few(fact.amountCents) };
  if (fact.type !== 'drawActivated') return fact;
  const { minimum, fee } = fact;
  return { ...fact, minimum: { ...minimum, minCents: few(minimum.minCents) }, fee: { ...fee, amountCents: few(fee.amountCents) } };
}

const small = (lines: fc.Arbitrary<LineHistory>): fc.Arbitrary<LineHistory> =>
  lines.map(({ terms, facts, through }) => ({
    terms: {
      ...terms,
      originationFee: { ...terms.originationFee, amountCents: few(terms.originationFee.amountCents) },
      minimum: { ...terms.minimum, minCents: few(terms.minimum.minCents) },
      settings: terms.settings.map(({ from, value }) => ({ from, value: smallSettings(value) })),
    },
    facts: facts.map(smallFact),
    through,
  }));

for (const [name, lines] of [
  ['histories in time', handKeptLines],
  ['histories recorded late, taken back and reversed', allLines],
  ['lines that come from another system', seededLines],
  ['lines of few cents', small(allLines)],
] as const) {
  test(`a line kept day by day in decimals agrees on ${name}`, async (t) => {
    t.comment(`seed ${SEED}`);
    const agrees = fc.property(lines, ({ terms, facts, through }) => {
      assert.deepStrictEqual(figuresOf(computeLine(terms, facts, through)), naiveFiguresOf(naiveLine(terms, facts, through)));
    });
    fc.assert(agrees, { ...PARAMETERS, numRuns: Math.ceil(RUNS / 3), includeErrorInReport: true });
    t.pass('agree');
  });
}
