import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  ACCELERATION_ORDINAL,
  accruedOf,
  advanceLine,
  applyLineFact,
  canApplyLine,
  cloneLine,
  computeLine,
  lineAllocationOf,
  lineBalancesOf,
  lineDifferences,
  lineDigest,
  type LineFact,
  type LineLedgerEvent,
  lineInterestDays,
  lineObligationsOf,
  lineOwedCents,
  linePayoffOf,
  linePeriodsOf,
  lineScheduleOf,
  type LineState,
  nextLineActionDay,
  recordLine,
  startLine,
} from '../../../../engine/index.js';
import { PARAMETERS, RUNS } from '../installment/histories.js';
import { SEED } from '../../../seed.js';
import { text } from '../installment/loans.js';
import { allLines, type LineHistory, ordinaryLines } from './histories.js';
import { payLine } from './lines.js';
import { seededLines } from './seeded-histories.js';
import { areObligationsWhole, isNothingLost, isNothingNegative, owedExactly } from './sums.js';

const replay = ({ terms, facts, through }: LineHistory): LineState => computeLine(terms, facts, through);

/** A line as the service keeps it: it applies new facts to its state, and replays the history after a late fact. */
function live({ terms, facts, through }: LineHistory): LineState {
  let state = startLine(terms);
  const known: LineFact[] = [];
  for (const fact of facts) {
    known.push(fact);
    advanceLine(state, fact.recordedDay);
    if (canApplyLine(state, fact)) applyLineFact(state, fact);
    else state = computeLine(terms, known, fact.recordedDay);
  }
  advanceLine(state, through);
  return state;
}

function law(name: string, holds: (history: LineHistory) => boolean | void, histories = allLines): void {
  test(name, async (t) => {
    t.comment(`seed ${SEED}`);
    fc.assert(fc.property(histories, holds), { ...PARAMETERS, numRuns: Math.ceil(RUNS / 2) });
    t.pass('holds');
  });
}

law(
  'facts in any order give the same line',
  (history) => lineDigest(replay(history)) === lineDigest(replay({ ...history, facts: [...history.facts].reverse() })),
);

const movesAsReplayed = (history: LineHistory): boolean => lineDigest(live(history)) === lineDigest(replay(history));

law('a line that moves with its facts equals the replay of all of them', movesAsReplayed);

law('so does a line that comes from another system', movesAsReplayed, seededLines);

function stopsAsLeaps({ terms, facts, through }: LineHistory): boolean {
  const recorded = computeLine(terms, facts, through);
  // A ledger with a fact is never on a day before the one on which the fact was recorded.
  const state = cloneLine(
    computeLine(
      terms,
      facts,
      facts.reduce((last, { recordedDay }) => (recordedDay > last ? recordedDay : last), terms.activation),
    ),
  );
  for (let day = state.day; day <= through; day = (day + 1) as typeof day) advanceLine(state, day);
  return through < state.day || lineDigest(state) === lineDigest(recorded);
}

law('a line that stops on every day equals one that leaps', stopsAsLeaps);

law('so does a line that comes from another system and stops on every day', stopsAsLeaps, seededLines);

law(
  'watching changes nothing',
  (history) => lineDigest(recordLine(history.terms, history.facts, history.through).state) === lineDigest(replay(history)),
);

law('a replay of nothing new makes no difference', (history) => lineDifferences(replay(history), replay(history)).length === 0);

law('a payment that is taken back leaves no trace', ({ terms, facts, through }) => {
  const payment = { ...payLine(999, '2024-06-01', '123.45'), effective: { day: terms.activation, seconds: 50_000 }, sequence: 999 };
  const voided: LineFact = { ...payment, type: 'paymentVoided', transaction: 999, sequence: 1000 };
  const without = computeLine(terms, facts, through);
  const taken = computeLine(terms, [...facts, payment, voided], through);
  return lineDigest(without) === lineDigest(taken) && lineDifferences(without, taken).length === 0;
});

law('no balance is ever negative', (history) => isNothingNegative(replay(history)));

law('what was drawn, accrued and charged is either paid, owed, forgone or given back', (history) => isNothingLost(replay(history)));

law('obligations hold what is due and overdue, draw by draw', (history) => areObligationsWhole(replay(history)));

law(
  'so do those of lines that come from another system',
  (history) => areObligationsWhole(replay(history)) && isNothingNegative(replay(history)),
  seededLines,
);

law('an obligation is the sum of what its draws bring', (history) =>
  replay(history).obligations.every((obligation) => {
    const sum = (of: (part: (typeof obligation.draws)[number]) => number): number =>
      obligation.draws.reduce((total, part) => total + of(part), 0);
    const fulfilled = obligation.paymentsCents + obligation.creditsCents + obligation.prepaidCents + obligation.capitalizedCents;
    return (
      sum((part) => part.amountCents) === obligation.amountCents &&
      sum((part) => part.remainingCents) === obligation.remainingCents &&
      sum((part) => part.paymentsCents) === obligation.paymentsCents &&
      fulfilled === obligation.amountCents - obligation.remainingCents
    );
  }),
);

law('rows of amortized draws stand on the due dates to come, one after another', (history) => {
  const state = replay(history);
  if (state.status !== 'active') return true;
  const running = state.periods.at(-1)?.ordinal ?? 0;
  return state.draws.every(({ rows }) => {
    const last = rows.at(-1)?.dueDate ?? state.day;
    const coming = linePeriodsOf(state, last)
      .filter(({ ordinal }) => ordinal >= running)
      .map(({ dueDay }) => dueDay);
    return rows.every(({ dueDate }, position) => dueDate === coming[position]);
  });
});

law('parts of a schedule are never below nothing, and make its amounts', (history) => {
  const state = replay(history);
  return [null, ...state.draws.map(({ draw }) => draw)].every((draw) =>
    lineScheduleOf(state, draw).every(
      ({ amountCents, principalCents, interestCents, feesCents }) =>
        Math.min(principalCents, interestCents, feesCents) >= 0 && principalCents + interestCents + feesCents === amountCents,
    ),
  );
});

law('figures of the line are the sums of its draws and its own', (history) => {
  const state = replay(history);
  const sum = (of: (totals: LineState['totals']) => number): number => state.draws.reduce((total, draw) => total + of(draw.totals), 0);
  const lineBalances = lineBalancesOf(state);
  const outstanding = state.draws.reduce((total, { draw }) => total + lineBalancesOf(state, draw).outstanding.totalCents, 0);
  const ownFees = state.fees.reduce((total, fee) => (fee.dueStatus === 'chargedOff' ? total : total + fee.openCents), 0);
  return (
    sum((totals) => totals.purchasesCents) === state.totals.purchasesCents &&
    sum((totals) => totals.paidPrincipalCents) === state.totals.paidPrincipalCents &&
    sum((totals) => totals.paidInterestCents) === state.totals.paidInterestCents &&
    outstanding + ownFees === lineBalances.outstanding.totalCents
  );
});

law('allocations sum to their payment, part by part', (history) => {
  const recorded = recordLine(history.terms, history.facts, history.through);
  return recorded.state.payments.every((payment) => {
    const rows = lineAllocationOf(recorded, payment.transaction);
    const sum = (ending: string): number => rows.reduce((total, row) => (row.bucket.endsWith(ending) ? total + row.amountCents : total), 0);
    const split = payment.splits.reduce((total, part) => total + part.principalCents + part.interestCents + part.feesCents, 0);
    return (
      sum('Principal') === payment.principalCents &&
      sum('Interest') === payment.interestCents &&
      sum('Fees') === payment.feesCents &&
      sum('paidOver') === payment.overCents &&
      split + payment.overCents === payment.amountCents
    );
  });
});

law('every entry balances, and all entries together are the balances', (history) => {
  const { state, entries } = recordLine(history.terms, history.facts, history.through);
  let owed = 0n;
  for (const entry of entries) {
    if (entry.lines.reduce((sum, { amount }) => sum + amount, 0n) !== 0n) return false;
    for (const row of entry.lines) if (row.bucket !== 'counter') owed += row.amount;
  }
  return owed === owedExactly(state);
});

law('before the next action day nothing happens but interest', (history) => {
  const state = replay(history);
  const next = nextLineActionDay(state);
  const before = Math.min(next - 1, state.day + 200) as typeof next;
  if (before <= state.day) return true;
  const copy = cloneLine(state);
  const happened: LineLedgerEvent[] = [];
  copy.watcher = { happened: (ledgerEvent) => happened.push(ledgerEvent) };
  advanceLine(copy, before);
  return happened.length === 0;
});

law('the payoff amount of a day, paid on that day, leaves nothing on either side', (history) => {
  const state = replay(history);
  if (state.status === 'canceled') return true;
  const day = (state.day + 17) as typeof state.day;
  const { payoffCents } = linePayoffOf(state, day);
  if (payoffCents === 0) return true;
  const copy = cloneLine(state);
  applyLineFact(copy, {
    ...payLine(5000, '2024-01-01', text(payoffCents)),
    sequence: 5000,
    effective: { day, seconds: 86_399 },
    recordedDay: day,
  });
  const isRest = copy.draws.some(({ balances }) => balances.nonDueInterest.parts !== 0);
  return lineOwedCents(copy) === 0 && copy.payments.at(-1)?.overCents === 0 && !isRest;
});

law('interest by day is all interest of the line', (history) => {
  const recorded = recordLine(history.terms, history.facts, history.through);
  const days = lineInterestDays(recorded, history.terms.activation, history.through);
  return days.reduce((sum, { interest }) => sum + interest, 0n) === accruedOf(recorded.state.totals.interestAccrued);
});

law('reading a line moves nothing', (history) => {
  const state = replay(history);
  const digest = lineDigest(state);
  lineObligationsOf(state);
  lineBalancesOf(state);
  linePayoffOf(state, state.day);
  return lineDigest(state) === digest;
});

law(
  'nothing that is recorded behind a due date raises what had been asked for',
  ({ terms, facts }) => {
    return facts.every((change, position) => {
      if ((change.type !== 'purchase' && change.type !== 'drawRatesChanged') || change.recordedDay === change.effective.day) return true;
      const before = computeLine(terms, facts.slice(0, position), change.recordedDay);
      const after = computeLine(terms, facts.slice(0, position + 1), change.recordedDay);
      return after.obligations.every(({ ordinal, dueDay, baseCents }) => {
        const old = before.obligations.find((obligation) => obligation.ordinal === ordinal);
        // An acceleration asks for everything, whatever its due date.
        if (ordinal === ACCELERATION_ORDINAL) return true;
        return dueDay >= change.recordedDay || old === undefined || baseCents <= old.baseCents;
      });
    });
  },
  ordinaryLines,
);
