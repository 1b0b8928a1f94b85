import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'tap';
import { accruedOf, cents, computeLine, formatAccrued, type LineFact, type LineState, type LineTerms } from '../../../engine/index.js';
import { PARAMETERS, SEED } from '../replay/histories.js';
import { text } from '../replay/loans.js';
import { handKeptLines } from './histories.js';
import { NaiveLine } from './naive/line.js';

/** What a line kept by hand knows nothing of: thresholds, tolerance, money paid in advance. */
function simplified(terms: LineTerms, facts: readonly LineFact[]): { readonly terms: LineTerms; readonly facts: readonly LineFact[] } {
  const [first] = terms.settings;
  const value = first === undefined ? null : { ...first.value, accelerationDueWithin: null, chargeOffDueWithin: null, overdueToleranceCents: cents(0), isPrepaymentEnabled: false };
  return {
    terms: { ...terms, settings: first === undefined || value === null ? [] : [{ from: first.from, value }] },
    facts: facts.map((fact) => (fact.type === 'payment' ? { ...fact, isPrepaymentEnabled: null } : fact)),
  };
}

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
      interest: [formatAccrued(accruedOf(b.nonDueInterest)), text(b.dueInterestCents), text(b.overdueInterestCents), text(b.chargedOffInterestCents)],
      fees: fees(of),
      isGraceEligible,
    })),
    obligations: state.obligations.map(({ dueDay, amountCents, remainingCents }) => [dueDay, text(amountCents), text(remainingCents)]),
    reimbursement: text(state.totals.reimbursementCents),
  };
}

function naiveBookOf(naive: NaiveLine): unknown {
  const fees = (of: NaiveLine['line']): string[] =>
    STANDINGS.map((standing) => of.fees.reduce((sum, fee) => (fee.standing === standing ? sum.plus(fee.open) : sum), of.principal.nonDue.times(0)).toFixed(2));
  return {
    status: naive.status,
    line: fees(naive.line),
    draws: naive.draws.map((draw) => ({
      principal: STANDINGS.map((standing) => draw.principal[standing].toFixed(2)),
      interest: STANDINGS.map((standing) => draw.interest[standing].toFixed(standing === 'nonDue' ? 10 : 2)),
      fees: fees(draw),
      isGraceEligible: draw.inGrace,
    })),
    obligations: naive.obligations.map(({ due, amount, parts }) => [due, amount.toFixed(2), parts.reduce((sum, part) => sum.plus(part.remaining), amount.times(0)).toFixed(2)]),
    reimbursement: naive.reimbursement.toFixed(2),
  };
}

test('a line kept day by day in decimals agrees on random histories', async (t) => {
  t.comment(`seed ${SEED}`);
  const agrees = fc.property(handKeptLines, (history) => {
    const { terms, facts } = simplified(history.terms, history.facts);
    assert.deepStrictEqual(bookOf(computeLine(terms, facts, history.through)), naiveBookOf(new NaiveLine(terms, facts, history.through)));
  });
  fc.assert(agrees, { ...PARAMETERS, numRuns: 150, includeErrorInReport: true });
  t.pass('agree');
});
