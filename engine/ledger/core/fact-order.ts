import { must } from '../../assert.js';
import type { Day } from '../../calendar/index.js';
import type { FactPlace } from './facts.js';

/** Effective time, then the order of recording. */
export function compareFacts(a: FactPlace, b: FactPlace): number {
  return a.effective.day - b.effective.day || a.effective.seconds - b.effective.seconds || a.sequence - b.sequence;
}

/** Facts come as they were recorded, nearly in order: each late one is put back to its place. */
export function inOrder<Fact extends FactPlace>(facts: readonly Fact[]): readonly Fact[] {
  let sorted: Fact[] | null = null;
  for (let at = 1; at < facts.length; at += 1) {
    const fact = must(facts[at], 'a fact');
    const last: Fact = must((sorted ?? facts)[at - 1], 'a fact before it');
    if (compareFacts(last, fact) > 0) {
      sorted ??= facts.slice(0, at);
      sorted.splice(placeOf(sorted, fact), 0, fact);
    } else sorted?.push(fact);
  }
  return sorted ?? facts;
}

function placeOf(sorted: readonly FactPlace[], fact: FactPlace): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareFacts(must(sorted[middle], 'a fact'), fact) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of the last fact that a ledger has taken in. */
interface LastFact {
  readonly lastFactDay: Day;
  readonly lastFactSeconds: number;
  readonly lastFactSequence: number;
}

/** Whether a fact comes after the last one that a ledger has taken in. */
export function sortsLast(state: LastFact, fact: FactPlace): boolean {
  if (fact.effective.day !== state.lastFactDay) return fact.effective.day > state.lastFactDay;
  if (fact.effective.seconds !== state.lastFactSeconds) return fact.effective.seconds > state.lastFactSeconds;
  return fact.sequence > state.lastFactSequence;
}
