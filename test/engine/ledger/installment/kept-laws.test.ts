import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  accruedOf,
  advanceTo,
  allocationOf,
  applyFact,
  balancesOf,
  canApply,
  cloneState,
  computeLedger,
  decodeState,
  encodeState,
  interestByDay,
  type LedgerFact,
  type LedgerState,
  nextDueDay,
  owedCents,
  payoffOf,
  recordLedger,
  scheduleOf,
  startLedger,
  stateDigest,
} from '../../../../engine/index.js';
import { type History, PARAMETERS } from './histories.js';
import { SEED } from '../../../seed.js';
import { keptHistories, keptMoneyHistories } from './kept-loans.js';
import { pay, text } from './loans.js';

const CENT = 160_308_000_000_000n;

const replay = ({ terms, facts, through }: History): LedgerState => computeLedger(terms, facts, through);

function live({ terms, facts, through }: History): LedgerState {
  let state = startLedger(terms);
  const known: LedgerFact[] = [];
  for (const fact of facts) {
    known.push(fact);
    advanceTo(state, fact.recordedDay);
    if (canApply(state, fact)) applyFact(state, fact);
    else state = computeLedger(terms, known, fact.recordedDay);
  }
  advanceTo(state, through);
  return state;
}

function law(name: string, holds: (history: History) => boolean | void, histories = keptHistories): void {
  test(`with scheduled interest: ${name}`, async (t) => {
    t.comment(`seed ${SEED}`);
    fc.assert(fc.property(histories, holds), { ...PARAMETERS, numRuns: Math.ceil(PARAMETERS.numRuns / 20) });
    t.pass('holds');
  });
}

law('facts in any order give the same ledger', (history) => {
  return stateDigest(replay(history)) === stateDigest(replay({ ...history, facts: [...history.facts].reverse() }));
});

law('a ledger that moves with its facts equals the replay of all of them', (history) => {
  return stateDigest(live(history)) === stateDigest(replay(history));
});

law('watching changes nothing', (history) => {
  return stateDigest(recordLedger(history.terms, history.facts, history.through).state) === stateDigest(replay(history));
});

law('no balance is ever negative', (history) => {
  const state = replay(history);
  const numbers = [
    state.nonDuePrincipalCents,
    state.duePrincipalCents,
    state.overduePrincipalCents,
    state.dueInterestCents,
    state.overdueInterestCents,
    state.openFeesCents,
    state.prepaidCents,
    ...state.fees.map((fee) => fee.openCents),
    ...state.obligations.flatMap((obligation) => [obligation.remainingCents, obligation.amountCents, obligation.withoutLateFeesCents]),
  ];
  return accruedOf(state.nonDueInterest) >= 0n && numbers.every((value) => Number.isSafeInteger(value) && value >= 0);
});

law('what was lent and charged is either paid or owed, and no cent of a payment is lost', (history) => {
  const state = replay(history);
  const { terms, totals } = state;
  const principal = state.nonDuePrincipalCents + state.duePrincipalCents + state.overduePrincipalCents + state.chargedOffPrincipalCents;
  const paid = totals.paidPrincipalCents + totals.paidInterestCents + totals.paidFeesCents + totals.paidOverCents;
  return (
    terms.principalCents + totals.owedAgainCents === principal + totals.paidPrincipalCents &&
    totals.feesChargedCents === state.openFeesCents + totals.paidFeesCents &&
    paid === totals.paymentsCents + totals.creditsCents
  );
});

law('obligations hold what is due and overdue', (history) => {
  const state = replay(history);
  const loose = state.fees.reduce((sum, fee) => (fee.dueStatus === 'due' && fee.carriedBy === null ? sum + fee.openCents : sum), 0);
  const { due, overdue, chargedOff } = balancesOf(state);
  const carried = due.totalCents + overdue.totalCents + chargedOff.totalCents - loose;
  return carried === state.obligations.reduce((sum, obligation) => sum + obligation.remainingCents, 0);
});

law('allocations sum to their payment, part by part', (history) => {
  const ledger = recordLedger(history.terms, history.facts, history.through);
  return [...ledger.state.payments].every((payment) => {
    const rows = allocationOf(ledger, payment.transaction);
    return rows.every((row) => row.amountCents > 0) && rows.reduce((total, row) => total + row.amountCents, 0) === payment.amountCents;
  });
});

law('what has met an obligation is the sum of its parts while nothing is charged back', (history) => {
  const { obligations, payments } = replay(history);
  if ([...payments].some(({ chargedBack }) => chargedBack !== undefined)) return true;
  return obligations.every(
    ({ amountCents, remainingCents, paymentsCents, creditsCents, prepaidCents, capitalizedCents }) =>
      amountCents - remainingCents === paymentsCents + creditsCents + prepaidCents + capitalizedCents,
  );
});

law('interest by day is all interest of the loan', (history) => {
  const recorded = recordLedger(history.terms, history.facts, history.through);
  const days = interestByDay(recorded, history.terms.activation, history.through);
  return days.reduce((sum, { interest }) => sum + interest, 0n) === accruedOf(recorded.state.totals.interestAccrued);
});

law('every entry balances, and all entries together are the balances', (history) => {
  const { state, entries } = recordLedger(history.terms, history.facts, history.through);
  const sums = new Map<string, bigint>();
  for (const entry of entries) {
    if (entry.lines.reduce((sum, line) => sum + line.amount, 0n) !== 0n) return false;
    for (const line of entry.lines)
      sums.set(`${line.bucket} ${line.component}`, (sums.get(`${line.bucket} ${line.component}`) ?? 0n) + line.amount);
  }
  return (
    (sums.get('nonDue interest') ?? 0n) === accruedOf(state.nonDueInterest) &&
    (sums.get('nonDue principal') ?? 0n) === BigInt(state.nonDuePrincipalCents) * CENT &&
    (sums.get('overdue interest') ?? 0n) === BigInt(state.overdueInterestCents) * CENT
  );
});

law('a snapshot read back goes on like the ledger that it was taken from', (history) => {
  const { terms, facts, through } = history;
  const middle = Math.floor((terms.activation + through) / 2) as typeof through;
  const state = computeLedger(terms, facts, middle);
  const back = decodeState(JSON.parse(JSON.stringify(encodeState(state))), terms);
  advanceTo(back, through);
  advanceTo(state, through);
  return stateDigest(back) === stateDigest(state);
});

law(
  'the payoff amount of a day, paid on that day, leaves nothing on either side',
  (history) => {
    const facts = history.facts.map((fact) => (fact.type === 'payment' ? { ...fact, isProcessing: false } : fact));
    const state = computeLedger(history.terms, facts, history.through);
    const payoff = payoffOf(state, (history.through + 5) as typeof history.through);
    if (state.status !== 'active' || payoff.payoffCents === 0) return true;
    const payment = { ...pay(999, '2024-06-01', text(payoff.payoffCents)), effective: { day: payoff.day, seconds: 86_399 }, sequence: 999 };
    const paid = computeLedger(history.terms, [...facts, payment], payoff.day);
    return paid.status === 'chargedOff' || (paid.status === 'paidOff' && (paid.payments.at(-1)?.overCents ?? 0) === 0);
  },
  keptMoneyHistories,
);

law(
  'the rows repay what was lent, those to come exactly what is neither due nor paid in advance',
  (history) => {
    const state = replay(history);
    const schedule = scheduleOf(state);
    const rows = schedule.filter((row) => row.ordinal >= state.nextRow);
    if (state.status !== 'active') return true;
    if (owedCents(state) === 0) return rows.length === 0 && nextDueDay(state) === null;
    const coming = rows.reduce((sum, row) => sum + row.principalCents, 0);
    if (state.prepaidCents === 0 && coming !== state.nonDuePrincipalCents) return false;
    // Due dates that passed while the loan was paid off asked for nothing.
    if (schedule.some(({ status }) => status === 'canceled')) return true;
    const fallenDue = state.obligations.reduce((sum, obligation) => sum + obligation.principalCents, 0);
    const revived = [...state.payments].reduce((sum, { chargedBack }) => sum + (chargedBack?.principalCents ?? 0), 0);
    return coming + fallenDue === history.terms.principalCents + revived + state.totals.owedAgainCents;
  },
  keptMoneyHistories,
);

law(
  'a preview on a copy is what booking gives, and the original does not move',
  (history) => {
    const state = replay(history);
    const digest = stateDigest(state);
    const payment = { ...pay(999, '2024-06-01', '123.45'), effective: { day: state.day, seconds: 86_399 }, sequence: 999 };
    const preview = cloneState(state);
    applyFact(preview, payment);
    if (stateDigest(state) !== digest) return false;
    return stateDigest(preview) === stateDigest(computeLedger(history.terms, [...history.facts, payment], history.through));
  },
  keptMoneyHistories,
);
