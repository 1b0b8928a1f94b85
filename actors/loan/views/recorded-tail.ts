import { type Day, earliest, FIRST_DAY, latest, must, positionOfPayment } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf } from '../context.js';
import type { LoanState, StoredFact } from '../state.js';
import {
  type AnyLedgerFact,
  changeNoPast,
  factsBehind,
  factsKnown,
  lastAppliedDay,
  recordedFirst,
  recordedFrom,
  type RecordedRunning,
  type RunningLedger,
  runningOf,
} from '../ledger/running.js';
import { activityTypeOf } from './activity-types.js';

/*
 * Readers mostly ask for the newest entries of a ledger. So they begin with a ledger of some time ago, a head, and not with the activation:
 *
 *   facts   1 .. 9,200 | 9,201 .. 9,232 | 9,233 .. 9,264 | 9,265 .. 9,300
 *                     head             head             head
 *
 * The first reader computes everything. Later heads continue from the one before. What is recorded from a head on is the end of the whole
 * record, to the byte: a head ends with a day by which its facts were recorded, and later facts are effective after that day and change
 * nothing before it.
 */

const HEADS = {
  /** The whole record of fewer facts costs as little. */
  leastFacts: 256,
  /** Facts between two heads. */
  apart: 32,
  /** The newest facts are in no head: they are on the first page. */
  outside: 16,
  /** Heads that are kept, the oldest for long pages. */
  most: 6,
} as const;

/** What is before a record, and counts in it. */
export interface Before {
  readonly facts: number;
  readonly entries: number;
  /** The sum of all movements. */
  readonly balance: bigint;
  /** The last day on which one of the facts was recorded or is effective. */
  readonly day: Day;
  /** When the last of the facts was recorded. */
  readonly recordedAt: number;
  /** Those of the facts that the activity of the loan lists. */
  readonly listed: number;
}

export interface Head extends Before {
  readonly ledger: RunningLedger;
}

/** The newest facts of a loan, and the ledger before them. */
export interface Tail {
  readonly head: Head;
  readonly stored: readonly AnyStored[];
}

type AnyStored = StoredFact<AnyLedgerFact>;

/** By a loan's list of facts, oldest first. */
const headsOfLists = new WeakMap<object, readonly Head[]>();

/** The ends of a loan's facts of which no whole record is needed, the longest first. None of a loan with few facts. */
export function tailsOf(state: LoanState, env: EvolveEnv): readonly Tail[] {
  const list = activationOf(state)?.facts;
  if (list === undefined || list.length < HEADS.leastFacts) return [];
  const known = unchanged(state, env, headsOfLists.get(list) ?? []);
  const made = newHeads(state, env, known.at(-1)?.head ?? null);
  const heads = [...known.map(({ head }) => head), ...made].slice(-HEADS.most);
  headsOfLists.set(list, heads);
  return made.length === 0 ? known : tailsBehind(state, heads);
}

function tailsBehind(state: LoanState, heads: readonly Head[]): readonly Tail[] {
  const [longest] = heads;
  if (longest === undefined) return [];
  const behind = factsBehind(state, longest.facts);
  return heads.map((head) => ({ head, stored: behind.slice(head.facts - longest.facts) }));
}

/** The end of a ledger's record. */
export interface RecordedTail extends Tail {
  readonly recorded: RecordedRunning;
}

/** The shortest end of the record through a day whose head passes; null: only the whole record will do. */
export function recordedTail(state: LoanState, env: EvolveEnv, day: Day, passes: (before: Before) => boolean): RecordedTail | null {
  const tail = tailsOf(state, env).findLast(({ head }) => head.day <= day && passes(head));
  const recorded = tail === undefined ? null : recordedFrom(tail.head.ledger, factsIn(tail.stored), day);
  return tail === undefined || recorded === null ? null : { ...tail, recorded };
}

/** The heads that later facts have not changed. */
function unchanged(state: LoanState, env: EvolveEnv, heads: readonly Head[]): readonly Tail[] {
  if (heads.length === 0) return [];
  const { terms } = runningOf(state, env);
  return tailsBehind(state, heads).filter(({ head, stored }) => head.ledger.terms === terms && isBefore(head, factsIn(stored)));
}

/** Heads for the facts since the last reading. */
function newHeads(state: LoanState, env: EvolveEnv, last: Head | null): readonly Head[] {
  const made: Head[] = [];
  for (let next = nextHead(state, env, last); next !== null; next = nextHead(state, env, next)) made.push(next);
  return made;
}

/**
 * Whether a record can continue from a head. The ledger has passed the days on which its facts were recorded: until then they bound what is
 * asked for. Later facts are effective after that, and change nothing that is before.
 */
export const isBefore = ({ ledger, day }: Pick<Head, 'ledger' | 'day'>, later: readonly AnyLedgerFact[]): boolean =>
  day === ledger.day && later.every((fact) => firstDayOf(fact) > day) && changeNoPast(ledger, later) && areOfCounted(ledger, later);

/** Whether facts about payments are about payments that count: one about a payment that was voided before the head has no effect. */
function areOfCounted({ payments }: RunningLedger, later: readonly AnyLedgerFact[]): boolean {
  const own = new Set(later.map((fact) => (fact.type === 'payment' ? fact.transaction : null)));
  return later.every(
    (fact) =>
      (fact.type !== 'paymentSettled' && fact.type !== 'paymentChargedBack') ||
      own.has(fact.transaction) ||
      positionOfPayment(payments, fact.transaction) >= 0,
  );
}

/** The earliest day on which a fact has an effect by itself, or moves another fact. */
const firstDayOf = (fact: AnyLedgerFact): Day =>
  fact.type === 'paymentMoved' && fact.newEffective.day < fact.effective.day ? fact.newEffective.day : fact.effective.day;

const factsIn = (stored: readonly AnyStored[]): readonly AnyLedgerFact[] => stored.map(({ fact }) => fact);

/** The head after `last`, which is null for the first. Null if there are too few facts, or no day with which one can end. */
function nextHead(state: LoanState, env: EvolveEnv, last: Head | null): Head | null {
  const count = factsKnown(state);
  const first = Math.max((last?.facts ?? 0) + HEADS.apart, count - HEADS.most * HEADS.apart);
  const mostFacts = count - HEADS.outside;
  if (first > mostFacts) return null;
  const from = last?.facts ?? first - 1;
  const stored = factsBehind(state, from);
  const ledger = runningOf(state, env);
  const end = endOf(ledger, factsIn(stored), { first: first - from, last: mostFacts - from });
  if (end === null) return null;
  const head = last === null ? firstHead(state, env, from + end) : headAfter(last, stored.slice(0, end));
  return head !== null && isBefore(head, factsIn(stored.slice(end))) ? head : null;
}

function firstHead(state: LoanState, env: EvolveEnv, count: number): Head | null {
  const stored = factsBehind(state, 0).slice(0, count);
  const day = lastAppliedDay(runningOf(state, env), factsIn(stored));
  return day === null ? null : headOf(NOTHING, recordedFirst(state, env, count, day), stored);
}

function headAfter(last: Head, stored: readonly AnyStored[]): Head | null {
  const facts = factsIn(stored);
  const day = lastAppliedDay(last.ledger, facts);
  const recorded = day === null ? null : recordedFrom(last.ledger, facts, day);
  return recorded === null ? null : headOf(last, recorded, stored);
}

const NOTHING: Before = { facts: 0, entries: 0, balance: 0n, day: FIRST_DAY, recordedAt: -Infinity, listed: 0 };

function headOf(before: Before, { state: ledger, entries }: RecordedRunning, stored: readonly AnyStored[]): Head {
  let { balance, day, recordedAt, listed } = before;
  for (const entry of entries) balance += movedBy(entry);
  for (const each of stored) {
    day = latest(day, latest(each.fact.recordedDay, each.fact.effective.day));
    recordedAt = Math.max(recordedAt, each.recordedAt);
    if (activityTypeOf(each.fact) !== null) listed += 1;
  }
  return {
    ledger,
    facts: before.facts + stored.length,
    entries: before.entries + entries.length,
    balance,
    day: latest(day, ledger.day),
    recordedAt,
    listed,
  };
}

function movedBy({ lines }: RecordedRunning['entries'][number]): bigint {
  let moved = 0n;
  for (const { bucket, amount } of lines) if (bucket !== 'counter') moved += amount;
  return moved;
}

/** The first number of facts, in a range, with whose last day a head can end; null if there is none. */
function endOf(
  ledger: RunningLedger,
  facts: readonly AnyLedgerFact[],
  { first, last }: { readonly first: number; readonly last: number },
): number | null {
  const firstDays = facts.map(firstDayOf);
  for (let at = firstDays.length - 2; at >= 0; at -= 1)
    firstDays[at] = earliest(must(firstDays[at], 'a day'), must(firstDays[at + 1], 'a day'));
  for (let end = first; end <= last; end += 1) {
    const before = must(facts[end - 1], 'a fact before the end');
    const laterDay = must(firstDays[end], 'a fact after the end');
    if (laterDay <= before.recordedDay || laterDay <= before.effective.day) continue;
    const day = lastAppliedDay(ledger, facts.slice(0, end));
    if (day !== null && day >= before.recordedDay && changeNoPast(ledger, facts.slice(end))) return end;
  }
  return null;
}
