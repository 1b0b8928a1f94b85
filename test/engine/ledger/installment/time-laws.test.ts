import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  advanceTo,
  applyFact,
  balancesOf,
  canApply,
  computeLedger,
  type Day,
  decodeState,
  differences,
  encodeState,
  type LedgerFact,
  type LedgerState,
  recordLedger,
  startLedger,
  stateDigest,
} from '../../../../engine/index.js';
import { allHistories, type History, PARAMETERS, RUNS, termsHistories } from './histories.js';
import { SEED } from '../../../seed.js';
import { areObligationsWhole, isNothingLost, isNothingNegative } from './sums.js';

const nextDay = (day: Day): Day => (day + 1) as Day;

function law<Drawn>(name: string, drawn: fc.Arbitrary<Drawn>, holds: (value: Drawn) => boolean | void, numRuns = RUNS): void {
  test(name, async (t) => {
    t.comment(`seed ${SEED}`);
    fc.assert(fc.property(drawn, holds), { ...PARAMETERS, numRuns });
    t.pass('holds');
  });
}

/** These tests replay the history for each day. */
const RUNS_BY_DAY = Math.ceil(RUNS / 4);

law(
  'on every day no balance is negative, no cent is lost or made, and obligations hold what is due',
  allHistories,
  ({ terms, facts, through }) => {
    for (let day = terms.activation; day <= through; day = nextDay(day)) {
      const state = computeLedger(terms, facts, day);
      if (!isNothingNegative(state)) throw new Error(`a balance is negative on ${day}`);
      if (!isNothingLost(state)) throw new Error(`a cent is lost or made on ${day}`);
      if (!areObligationsWhole(state)) throw new Error(`obligations are not what is due on ${day}`);
    }
  },
  RUNS_BY_DAY,
);

law(
  'on every day the lines up to it are the balances, bucket by bucket',
  termsHistories,
  ({ terms, facts, through }) => {
    for (let day = terms.activation; day <= through; day = (day + 7) as Day) {
      const { state, entries } = recordLedger(terms, facts, day);
      const { nonDue, due, overdue, chargedOff } = balancesOf(state);
      const sums = new Map<string, bigint>();
      for (const { lines } of entries) {
        for (const { bucket, amount } of lines) sums.set(bucket, (sums.get(bucket) ?? 0n) + amount);
      }
      let total = 0n;
      for (const amount of sums.values()) total += amount;
      const blocks = { nonDue, due, overdue, chargedOff };
      const isSame = Object.entries(blocks).every(([bucket, { totalCents, interestCents, unroundedInterest }]) => {
        return (sums.get(bucket) ?? 0n) === BigInt(totalCents - interestCents) * CENT + unroundedInterest;
      });
      if (!isSame || total !== 0n) throw new Error(`lines differ from balances on ${day}`);
    }
  },
  RUNS_BY_DAY,
);

const CENT = 160_308_000_000_000n;

/** Stores the state after a fact like a snapshot, and continues from there. */
function reloadedAfter({ terms, facts, through }: History, count: number): LedgerState {
  let state = startLedger(terms);
  const known: LedgerFact[] = [];
  facts.forEach((fact, position) => {
    known.push(fact);
    advanceTo(state, fact.recordedDay);
    if (canApply(state, fact)) applyFact(state, fact);
    else state = computeLedger(terms, known, fact.recordedDay);
    if (position === count) state = decodeState(JSON.parse(JSON.stringify(encodeState(state))), terms);
  });
  advanceTo(state, through);
  return state;
}

law('a replay from any checkpoint is the replay from the start', fc.tuple(allHistories, fc.nat(15)), ([history, count]) => {
  return stateDigest(reloadedAfter(history, count)) === stateDigest(computeLedger(history.terms, history.facts, history.through));
});

/** Facts that are not about other facts and are ordered by their own effective time. */
const isIndependent = (fact: LedgerFact): boolean =>
  fact.type === 'payment' ||
  (fact.type === 'feeCharged' && fact.recordedDay === fact.effective.day) ||
  fact.type === 'freeze' ||
  fact.type === 'accelerate';

const isSameTime = (a: LedgerFact, b: LedgerFact): boolean =>
  a.effective.day === b.effective.day && a.effective.seconds === b.effective.seconds;

law('two lawful orders of independent facts agree', fc.tuple(allHistories, fc.nat(15)), ([{ terms, facts, through }, at]) => {
  const [one, other] = [facts[at], facts[at + 1]];
  if (one === undefined || other === undefined || !isIndependent(one) || !isIndependent(other) || isSameTime(one, other)) return true;
  const swapped = facts.map((fact) => {
    if (fact === one) return { ...one, sequence: other.sequence };
    return fact === other ? { ...other, sequence: one.sequence } : fact;
  });
  const before = computeLedger(terms, facts, through);
  const after = computeLedger(terms, swapped, through);
  const shown = (state: LedgerState): string => {
    const parts = [balancesOf(state), state.obligations, state.payments, state.fees, state.status];
    return JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  };
  return shown(before) === shown(after) && differences(before, after).length === 0;
});

law(
  'rates recorded late, with no due date and nothing else between, are rates recorded in time',
  termsHistories,
  ({ terms, facts, through }) => {
    const isBetween = (fact: LedgerFact, change: LedgerFact): boolean =>
      fact !== change && fact.recordedDay >= change.effective.day && fact.effective.day <= change.recordedDay;
    const inTime = facts.map((fact) => {
      if (fact.type !== 'ratesChanged' || fact.recordedDay === fact.effective.day || facts.some((other) => isBetween(other, fact)))
        return fact;
      const state = computeLedger(
        terms,
        facts.filter((other) => other.sequence < fact.sequence),
        fact.recordedDay,
      );
      const hasDueDate = state.rows.some(({ date }) => date > fact.effective.day && date <= fact.recordedDay);
      return hasDueDate ? fact : { ...fact, recordedDay: fact.effective.day };
    });
    return stateDigest(computeLedger(terms, inTime, through)) === stateDigest(computeLedger(terms, facts, through));
  },
);

/** A fact of another loan as the next fact of this one, at the end of its last day. */
function nextOf(fact: LedgerFact, day: Day, sequence: number): LedgerFact | null {
  const factPosition = { effective: { day, seconds: 86_399 }, sequence, recordedDay: day };
  if (fact.type === 'payment' || fact.type === 'reimbursed') return { ...fact, ...factPosition, transaction: sequence };
  if (fact.type === 'feeCharged') return { ...fact, ...factPosition, fee: sequence };
  if (fact.type === 'advance') return { ...fact, ...factPosition, advance: sequence };
  return fact.type === 'ratesChanged' || fact.type === 'freeze' ? { ...fact, ...factPosition } : null;
}

law(
  'a preview of anything on a copy is what booking gives',
  fc.tuple(termsHistories, allHistories),
  ([{ terms, facts, through }, { facts: others }]) => {
    return others.every((other, position) => {
      const next = nextOf(other, through, 1000 + position);
      const state = computeLedger(terms, facts, through);
      if (next === null || !canApply(state, next)) return true;
      const digest = stateDigest(state);
      const preview = decodeState(encodeState(state), terms);
      applyFact(preview, next);
      return stateDigest(state) === digest && stateDigest(preview) === stateDigest(computeLedger(terms, [...facts, next], through));
    });
  },
);
