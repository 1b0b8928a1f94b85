import type { Day } from '../calendar/index.js';
import { FIRST_DAY, LAST_DAY } from '../rates/index.js';
import type { Believed } from './believed.js';
import type { Knowledge } from './booking.js';
import type { Keeping } from './parts.js';
import { dailyDifference, type Replay } from './replay.js';

/** What is believed by a computed ledger on one basis. */
export interface KnownReplay {
  readonly replay: Replay<object, unknown>;
  readonly keeping: Keeping;
  /** A difference on this day or before is read as a whole: a loan of another system begins with what was before. Null: no such day. */
  readonly wholeThrough: Day | null;
  /** What is daily before `dailyFrom` may be left out. */
  readonly read: (dailyFrom: Day) => readonly Believed[];
}

/** Knowledge that is compared before it is read, so that only days that may differ are read. */
export class ReplayKnowledge implements Knowledge {
  /** What was read last. */
  #last: { readonly from: Day; readonly believed: readonly Believed[] } | null = null;

  constructor(private readonly known: KnownReplay) {}

  believedFrom(day: Day): readonly Believed[] {
    if (this.#last?.from === day) return this.#last.believed;
    const believed = this.known.read(day);
    this.#last = { from: day, believed };
    return believed;
  }

  believedOn(day: Day): readonly Believed[] {
    const last = this.#last;
    const believed = last !== null && last.from <= day ? last.believed : this.believedFrom(day <= this.#wholeThrough ? FIRST_DAY : day);
    return believed.filter(({ effectiveDate }) => effectiveDate === day);
  }

  differsFrom(earlier: Knowledge): Day {
    if (!(earlier instanceof ReplayKnowledge) || earlier.known.keeping !== this.known.keeping) return FIRST_DAY;
    const first = dailyDifference(earlier.known.replay, this.known.replay);
    if (first === null) return LAST_DAY;
    return first <= this.#wholeThrough ? FIRST_DAY : first;
  }

  get #wholeThrough(): Day {
    return this.known.wholeThrough ?? FIRST_DAY;
  }
}
