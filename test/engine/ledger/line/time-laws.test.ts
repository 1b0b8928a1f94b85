import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  advanceLine,
  applyLineFact,
  canApplyLine,
  cloneLine,
  computeLine,
  type Day,
  lineBalancesOf,
  lineDifferences,
  lineDigest,
  type LineFact,
  type LineState,
  recordLine,
  startLine,
} from '../../../../engine/index.js';
import { PARAMETERS, RUNS } from '../installment/histories.js';
import { SEED } from '../../../seed.js';
import { allLines, type LineHistory } from './histories.js';
import { areObligationsWhole, isNothingLost, isNothingNegative, owedExactly } from './sums.js';

/** Most of these tests replay the history for each day. */
const RUNS_OF_LAW = Math.ceil(RUNS / 4);

/** In few histories a copy shares an obligation with its line, so a handful of runs may have none. */
const ENOUGH_RUNS = 300;

function law<Drawn>(name: string, drawn: fc.Arbitrary<Drawn>, holds: (value: Drawn) => boolean | void): void {
  test(`of a line: ${name}`, async (t) => {
    t.comment(`seed ${SEED}`);
    fc.assert(fc.property(drawn, holds), { ...PARAMETERS, numRuns: RUNS_OF_LAW });
    t.pass('holds');
  });
}

/** The days between checks: over time they cover all days of the week. */
function eachDay({ terms, through }: LineHistory, step: number, see: (day: Day) => void): void {
  for (let day = terms.activation; day <= through; day = (day + step) as Day) see(day);
}

law('on every day no balance is negative, no cent is lost or made, and obligations hold what is due', allLines, (history) => {
  eachDay(history, 3, (day) => {
    const state = computeLine(history.terms, history.facts, day);
    if (!isNothingNegative(state)) throw new Error(`a balance is negative on ${day}`);
    if (!isNothingLost(state)) throw new Error(`a cent is lost or made on ${day}`);
    if (!areObligationsWhole(state)) throw new Error(`obligations are not what is due on ${day}`);
  });
});

law('on every day the entries up to it balance, and are what is owed', allLines, (history) => {
  eachDay(history, 7, (day) => {
    const { state, entries } = recordLine(history.terms, history.facts, day);
    let owed = 0n;
    let total = 0n;
    for (const { lines } of entries) {
      for (const { bucket, amount } of lines) {
        total += amount;
        if (bucket !== 'counter') owed += amount;
      }
    }
    if (total !== 0n || owed !== owedExactly(state)) throw new Error(`lines differ from what is owed on ${day}`);
  });
});

law('money recorded late equals money recorded in time', allLines, ({ terms, facts, through }) => {
  const inTime = facts.map((fact) => (fact.type === 'payment' ? { ...fact, recordedDay: fact.effective.day } : fact));
  return lineDigest(computeLine(terms, inTime, through)) === lineDigest(computeLine(terms, facts, through));
});

/** Goes on from a copy that was made after some fact, as a checkpoint does. */
function fromCheckpoint({ terms, facts, through }: LineHistory, count: number): LineState {
  let state = startLine(terms);
  const known: LineFact[] = [];
  facts.forEach((fact, position) => {
    known.push(fact);
    advanceLine(state, fact.recordedDay);
    if (canApplyLine(state, fact)) applyLineFact(state, fact);
    else state = computeLine(terms, known, fact.recordedDay);
    if (position === count) state = cloneLine(state);
  });
  advanceLine(state, through);
  return state;
}

law('a replay from any checkpoint is the replay from the start', fc.tuple(allLines, fc.nat(17)), ([history, count]) => {
  return lineDigest(fromCheckpoint(history, count)) === lineDigest(computeLine(history.terms, history.facts, history.through));
});

/** Facts that are not about other facts and are ordered by their own effective time. */
const isIndependent = ({ type, recordedDay, effective }: LineFact): boolean =>
  type === 'payment' || (type === 'purchase' && recordedDay === effective.day);

law('two lawful orders of independent facts agree', fc.tuple(allLines, fc.nat(17)), ([{ terms, facts, through }, at]) => {
  const [one, other] = [facts[at], facts[at + 1]];
  if (one === undefined || other === undefined || !isIndependent(one) || !isIndependent(other)) return true;
  if (one.effective.day === other.effective.day && one.effective.seconds === other.effective.seconds) return true;
  const swapped = facts.map((fact) => {
    if (fact === one) return { ...one, sequence: other.sequence };
    return fact === other ? { ...other, sequence: one.sequence } : fact;
  });
  const before = computeLine(terms, facts, through);
  const after = computeLine(terms, swapped, through);
  const shown = (state: LineState): string => {
    const parts = [lineBalancesOf(state), state.obligations, state.payments, state.fees, state.status];
    return JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  };
  return shown(before) === shown(after) && lineDifferences(before, after).length === 0;
});

law('a purchase that is taken back leaves no trace', allLines, ({ terms, facts, through }) => {
  const drawn = facts.find((fact) => fact.type === 'drawActivated');
  if (drawn?.type !== 'drawActivated') return true;
  const day = drawn.effective.day;
  const factPosition = { effective: { day, seconds: 86_399 }, sequence: 5_000, recordedDay: day };
  const bought: LineFact = {
    ...factPosition,
    type: 'purchase',
    purchase: 5_000,
    draw: drawn.draw,
    kind: 'regular',
    amountCents: drawn.fee.amountCents,
    transaction: null,
  };
  const voided: LineFact = { ...factPosition, type: 'purchaseVoided', purchase: 5_000, sequence: 5_001 };
  const without = computeLine(terms, facts, through);
  const taken = computeLine(terms, [...facts, bought, voided], through);
  return lineDigest(without) === lineDigest(taken) && lineDifferences(without, taken).length === 0;
});

/** Numbers of a fact as the next thing that happens, at the end of the last day. */
function nextOf(fact: LineFact, day: Day, sequence: number): LineFact {
  const factPosition = { effective: { day, seconds: 86_399 }, sequence, recordedDay: day };
  if (fact.type === 'payment' || fact.type === 'reimbursed') return { ...fact, ...factPosition, transaction: sequence };
  if (fact.type === 'purchase') return { ...fact, ...factPosition, purchase: sequence };
  return fact.type === 'feeCharged' ? { ...fact, ...factPosition, fee: sequence } : { ...fact, ...factPosition };
}

law('a preview of anything on a copy is what booking gives, and the line does not move', allLines, ({ terms, facts, through }) =>
  facts.every((other, position) => {
    if (other.type === 'drawActivated') return true;
    const next = nextOf(other, through, 5_000 + position);
    const state = computeLine(terms, facts, through);
    if (!canApplyLine(state, next)) return true;
    const digest = lineDigest(state);
    const preview = cloneLine(state);
    applyLineFact(preview, next);
    return lineDigest(state) === digest && lineDigest(preview) === lineDigest(computeLine(terms, [...facts, next], through));
  }),
);

/** Makes later writes to it throw. */
function freeze(value: object): void {
  for (const part of Object.values(value) as readonly unknown[]) if (typeof part === 'object' && part !== null) freeze(part);
  Object.freeze(value);
}

let shared = 0;

law('nothing writes to what a copy shares with its line', allLines, ({ terms, facts, through }) => {
  let state = startLine(terms);
  const known: LineFact[] = [];
  for (const fact of facts) {
    known.push(fact);
    advanceLine(state, fact.recordedDay);
    if (canApplyLine(state, fact)) applyLineFact(state, fact);
    else state = computeLine(terms, known, fact.recordedDay);
    const copy = cloneLine(state);
    for (const obligation of state.obligations.filter((one) => copy.obligations.includes(one))) {
      freeze(obligation);
      shared += 1;
    }
  }
  advanceLine(state, through);
  for (const [position, fact] of facts.entries()) {
    const next = nextOf(fact, addDays(through, 40 * position), 5_000 + position);
    if (fact.type !== 'drawActivated' && canApplyLine(state, next)) applyLineFact(state, next);
  }
  advanceLine(state, addDays(state.day, 100));
});

test('lines of these histories share obligations with their copies', async (t) => {
  t.ok(shared > RUNS_OF_LAW / 10 || RUNS < ENOUGH_RUNS, `${shared} were shared`);
});
