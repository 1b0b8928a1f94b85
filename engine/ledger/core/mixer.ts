import { RATE_ZERO } from '../../money/index.js';
import type { RateSegment, RateTimeline } from '../../rates/index.js';
import type { Interest } from './interest.js';
import type { Digested, IdleDays } from './state.js';

const UINT32_RANGE = 4_294_967_296;

export const NOTHING_DIGESTED: Digested = { count: 0, a: 0x811c9dc5 | 0, b: 0x9747b28c | 0 };

/** A digest of a sequence of integers, in two multiplicative lanes of 32 bits. */
export class Mixer {
  #a: number;
  #b: number;

  constructor(begun: Digested) {
    this.#a = begun.a;
    this.#b = begun.b;
  }

  /** Mixes a safe integer, as two words of 32 bits. */
  number(value: number): void {
    const low = value | 0;
    this.#word(low);
    this.#word(low === value ? low >> 31 : Math.floor(value / UINT32_RANGE) | 0);
  }

  interest(value: Interest): void {
    this.number(value.cents);
    this.number(value.parts);
  }

  /** Mixes the lanes of another sequence. */
  lanes(other: Mixer): void {
    this.#word(other.#a);
    this.#word(other.#b);
  }

  digested(count: number): Digested {
    return { count, a: this.#a, b: this.#b };
  }

  flags(first: boolean, second: boolean, third: boolean): void {
    this.#word((first ? 1 : 0) + (second ? 2 : 0) + (third ? 4 : 0));
  }

  text(): string {
    return hex(finish(this.#a)) + hex(finish(this.#b ^ this.#a));
  }

  #word(word: number): void {
    this.#a = Math.imul(this.#a ^ word, 0x01000193);
    this.#a = (this.#a << 13) | (this.#a >>> 19);
    this.#b = Math.imul(this.#b ^ word ^ (word >>> 15), 0x85ebca6b);
    this.#b = (this.#b << 17) | (this.#b >>> 15);
  }
}

/** Spreads the last words over all bits. */
function finish(lane: number): number {
  let value = lane ^ (lane >>> 16);
  value = Math.imul(value, 0x7feb352d);
  value ^= value >>> 15;
  value = Math.imul(value, 0x846ca68b);
  return (value ^ (value >>> 16)) >>> 0;
}

const hex = (value: number): string => value.toString(16).padStart(8, '0');

/** The rates, with a rate of zero on idle days. */
export function withoutIdleDays(rates: RateTimeline, idle: readonly IdleDays[]): RateTimeline {
  return idle.length === 0 ? rates : { segments: idle.reduce(silenced, rates.segments) };
}

function silenced(segments: readonly RateSegment[], { from, until }: IdleDays): readonly RateSegment[] {
  return segments.flatMap((segment) => {
    if (segment.until <= from || segment.from >= until) return [segment];
    const parts: RateSegment[] = [];
    const start = segment.from < from ? from : segment.from;
    const end = segment.until > until ? until : segment.until;
    if (segment.from < start) parts.push({ ...segment, until: start });
    parts.push({ from: start, until: end, gross: RATE_ZERO, net: RATE_ZERO });
    if (end < segment.until) parts.push({ ...segment, from: end });
    return parts;
  });
}
