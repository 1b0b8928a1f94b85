import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  accruedOf,
  advanceTo,
  allocationOf,
  applyFact,
  canApply,
  cents,
  cloneState,
  computeLedger,
  decodeState,
  differences,
  encodeState,
  interestByDay,
  type LedgerEvent,
  type LedgerFact,
  type LedgerState,
  nextActionDay,
  payoffOf,
  recordLedger,
  scheduleOf,
  startLedger,
  stateDigest,
} from '../../../../engine/index.js';
import { allHistories, type History, moneyHistories, PARAMETERS } from './histories.js';
import { SEED } from '../../../seed.js';
import { pay, text } from './loans.js';
import { areObligationsWhole, isNothingLost, isNothingNegative } from './sums.js';

const CENT = 160_308_000_000_000n;

const replay = ({ terms, facts, through }: History): LedgerState => computeLedger(terms, facts, through);

/** A loan as the service keeps it: it applies new facts to its state, and replays the history after a late fact. */
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

function law(name: string, holds: (history: History) => boolean | void, histories = allHistories): void {
  test(name, async (t) => {
    t.comment(`seed ${SEED}`);
    fc.assert(fc.property(histories, holds), PARAMETERS);
    t.pass('holds');
  });
}

law('facts in any order give the same ledger', (history) => {
  const shuffled = { ...history, facts: [...history.facts].reverse() };
  return stateDigest(replay(history)) === stateDigest(replay(shuffled));
});

law('a ledger that moves with its facts equals the replay of all of them', (history) => {
  return stateDigest(live(history)) === stateDigest(replay(history));
});

law('a ledger that stops on every day equals one that leaps', ({ terms, facts, through }) => {
  const state = computeLedger(terms, facts, terms.activation);
  const leap = computeLedger(terms, facts, through);
  for (let day = terms.activation; day <= through; day = (day + 1) as typeof day) {
    if (facts.some((fact) => fact.effective.day > terms.activation)) return true;
    advanceTo(state, day);
  }
  return stateDigest(state) === stateDigest(leap);
});

law('watching changes nothing', (history) => {
  return stateDigest(recordLedger(history.terms, history.facts, history.through).state) === stateDigest(replay(history));
});

law('a replay of nothing new makes no difference', (history) => {
  return differences(replay(history), replay(history)).length === 0;
});

law('interest by day is all interest of the loan', (history) => {
  const recorded = recordLedger(history.terms, history.facts, history.through);
  const days = interestByDay(recorded, history.terms.activation, history.through);
  return days.reduce((sum, { interest }) => sum + interest, 0n) === accruedOf(recorded.state.totals.interestAccrued);
});

law('payments recorded late equal payments recorded in time', (history) => {
  const inTime = history.facts.map((fact) => (fact.type === 'payment' ? { ...fact, recordedDay: fact.effective.day } : fact));
  return stateDigest(replay({ ...history, facts: inTime })) === stateDigest(replay(history));
});

law('a payment that is taken back leaves no trace', (history) => {
  const { terms, facts, through } = history;
  const payment = { ...pay(999, '2024-06-01', '123.45'), effective: { day: terms.activation, seconds: 50_000 }, sequence: 999 };
  const voided: LedgerFact = { ...payment, type: 'paymentVoided', transaction: 999, sequence: 1000 };
  const without = computeLedger(terms, facts, through);
  const taken = computeLedger(terms, [...facts, payment, voided], through);
  return stateDigest(without) === stateDigest(taken) && differences(without, taken).length === 0;
});

law('rows to come are the same whether simple interest alone or the whole ledger is moved for them', (history) => {
  const state = replay(history);
  if (state.terms.totalInterestCapCents !== null) return;
  const capped = { ...state, terms: { ...state.terms, totalInterestCapCents: NEVER_REACHED } };
  return JSON.stringify(shown(state)) === JSON.stringify(shown(capped));
});

/** The future rows of a loan with a cap on its interest come from the whole ledger. */
const NEVER_REACHED = cents(99_999_999_999);

const shown = (state: LedgerState): unknown =>
  scheduleOf(state).map((row) => ({
    ...row,
    exact: [row.unroundedPrincipal, row.unroundedInterest, row.unroundedInterestBeforeDiscount].map(String),
  }));

law('no balance is ever negative', (history) => isNothingNegative(replay(history)));

law('what was lent, accrued and charged is either paid, owed or forgone', (history) => isNothingLost(replay(history)));

law('obligations hold what is due and overdue', (history) => areObligationsWhole(replay(history)));

law('fulfilled amounts are what payments, credits, advance money and capitalization have brought', (history) => {
  return replay(history).obligations.every(
    (obligation) =>
      obligation.amountCents - obligation.remainingCents ===
      obligation.paymentsCents + obligation.creditsCents + obligation.prepaidCents + obligation.capitalizedCents,
  );
});

law('allocations sum to their payment, part by part', (history) => {
  const ledger = recordLedger(history.terms, history.facts, history.through);
  return [...ledger.state.payments].every((payment) => {
    const rows = allocationOf(ledger, payment.transaction);
    const sum = (suffix: string): number => rows.reduce((total, row) => (row.bucket.endsWith(suffix) ? total + row.amountCents : total), 0);
    return (
      rows.every((row) => row.amountCents > 0) &&
      sum('Principal') === payment.principalCents &&
      sum('Interest') === payment.interestCents &&
      sum('Fees') === payment.feesCents &&
      sum('paidOver') === payment.overCents &&
      sum('') === payment.amountCents
    );
  });
});

law('every entry balances, and all entries together are the balances', (history) => {
  const { state, entries } = recordLedger(history.terms, history.facts, history.through);
  const sums = new Map<string, bigint>();
  for (const entry of entries) {
    if (entry.lines.reduce((sum, line) => sum + line.amount, 0n) !== 0n) return false;
    for (const line of entry.lines) {
      const key = `${line.bucket} ${line.component}`;
      sums.set(key, (sums.get(key) ?? 0n) + line.amount);
    }
  }
  return (
    (sums.get('nonDue interest') ?? 0n) === accruedOf(state.nonDueInterest) &&
    (sums.get('nonDue principal') ?? 0n) === BigInt(state.nonDuePrincipalCents) * CENT &&
    (sums.get('overdue principal') ?? 0n) === BigInt(state.overduePrincipalCents) * CENT &&
    (sums.get('overdue interest') ?? 0n) === BigInt(state.overdueInterestCents) * CENT
  );
});

law('a digest is the same whether or not others were taken on the way, of the ledger or of copies', (history) => {
  const { terms, facts, through } = history;
  let state = startLedger(terms);
  const known: LedgerFact[] = [];
  for (const fact of facts) {
    known.push(fact);
    advanceTo(state, fact.recordedDay);
    stateDigest(state);
    state = canApply(state, fact) ? cloneState(state) : computeLedger(terms, known, fact.recordedDay);
    if (canApply(state, fact)) applyFact(state, fact);
  }
  advanceTo(state, through);
  return stateDigest(state) === stateDigest(replay(history));
});

law('a snapshot read back goes on like the ledger that it was taken from', (history) => {
  const { terms, facts, through } = history;
  const middle = Math.floor((terms.activation + through) / 2) as typeof through;
  const state = computeLedger(terms, facts, middle);
  const back = decodeState(JSON.parse(JSON.stringify(encodeState(state))), terms);
  if (stateDigest(back) !== stateDigest(state)) return false;
  advanceTo(back, through);
  advanceTo(state, through);
  return stateDigest(back) === stateDigest(state);
});

law('before the next action day nothing happens but interest', (history) => {
  const state = replay(history);
  const next = nextActionDay(state);
  const ledgerEvents: LedgerEvent[] = [];
  state.watcher = { happened: (ledgerEvent) => ledgerEvents.push(ledgerEvent) };
  advanceTo(state, Math.min(next - 1, state.day + 400) as typeof next);
  return ledgerEvents.length === 0;
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
    const isOver = (paid.payments.at(-1)?.overCents ?? 0) > 0;
    return paid.status === 'chargedOff' || (paid.status === 'paidOff' && accruedOf(paid.nonDueInterest) === 0n && !isOver);
  },
  moneyHistories,
);

law(
  'the expected rows repay exactly what is not due yet',
  (history) => {
    const state = replay(history);
    const rows = scheduleOf(state).filter((row) => row.ordinal >= state.nextRow);
    if (state.status !== 'active' || state.prepaidCents > 0 || state.nextRow === state.rows.length) return true;
    // A balance that the last row leaves waits for a closing row, which is added when the last row is paid.
    if (state.terms.isLastAsScheduled === true) return true;
    const principal = rows.reduce((sum, row) => sum + row.principalCents, 0);
    return principal === state.nonDuePrincipalCents && rows.every((row) => row.amountCents > 0 && row.principalCents >= 0);
  },
  moneyHistories,
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
  moneyHistories,
);
