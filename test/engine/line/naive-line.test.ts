import assert from 'node:assert/strict';
import fc from '../../fast-check.js';
import { test } from 'tap';
import { accruedOf, computeLine, formatAccrued, type LineState } from '../../../engine/index.js';
import { PARAMETERS, RUNS } from '../replay/histories.js';
import { SEED } from '../../seed.js';
import { text } from '../replay/loans.js';
import { allLines, handKeptLines } from './histories.js';
import { seededLines } from './seeded-histories.js';
import type { Split } from './naive/book.js';
import { remainingOf } from './naive/late-fees.js';
import { naiveLine } from './naive/ledger.js';
import type { NaiveLine } from './naive/line.js';

const STANDINGS = ['nonDue', 'due', 'overdue', 'chargedOff'] as const;

/** All that both ledgers know, as text. */
function bookOf(state: LineState): unknown {
  const fees = (of: LineState['fees']): string[] =>
    STANDINGS.map((standing) => text(of.reduce((sum, fee) => (fee.standing === standing ? sum + fee.openCents : sum), 0)));
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

function naiveBookOf(naive: NaiveLine): unknown {
  const fees = (of: NaiveLine['line']): string[] =>
    STANDINGS.map((standing) =>
      of.fees.reduce((sum, fee) => (fee.standing === standing ? sum.plus(fee.open) : sum), of.principal.nonDue.times(0)).toFixed(2),
    );
  return {
    status: naive.status,
    line: fees(naive.line),
    draws: naive.draws.map((draw) => ({
      principal: STANDINGS.map((standing) => draw.principal[standing].toFixed(2)),
      interest: STANDINGS.map((standing) => draw.interest[standing].toFixed(standing === 'nonDue' ? 10 : 2)),
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

for (const [name, lines] of [
  ['histories in time', handKeptLines],
  ['histories recorded late, taken back and reversed', allLines],
  ['lines that come from another system', seededLines],
] as const) {
  test(`a line kept day by day in decimals agrees on ${name}`, async (t) => {
    t.comment(`seed ${SEED}`);
    const agrees = fc.property(lines, ({ terms, facts, through }) => {
      assert.deepStrictEqual(bookOf(computeLine(terms, facts, through)), naiveBookOf(naiveLine(terms, facts, through)));
    });
    fc.assert(agrees, { ...PARAMETERS, numRuns: Math.ceil(RUNS / 3), includeErrorInReport: true });
    t.pass('agree');
  });
}
