import { Big } from 'big.js';
import fc from '../../fast-check.js';
import { test } from 'tap';
import { type Accrued, accruedOfCents, balancesOf, cents, computeLedger, type LedgerState } from '../../../engine/index.js';
import { naiveLedger } from '../naive/ledger.js';
import type { NaiveLedger, NaiveStatus } from '../naive/parts.js';
import { PARAMETERS, restlessHistories, statusHistories } from './histories.js';
import { SEED } from '../../seed.js';
import { text } from './loans.js';

Big.DP = 40;

/** Exact interest with eight decimals of the currency unit. */
const decimals = (interest: Accrued): string => new Big(interest.toString()).div(accruedOfCents(cents(100)).toString()).toFixed(8);

/** The engine's ledger in the words of the naive one. */
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

for (const [name, lives] of [
  ['random histories', statusHistories],
  ['loans whose status changes often', restlessHistories],
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
