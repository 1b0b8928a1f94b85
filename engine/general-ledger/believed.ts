import type { Day } from '../calendar/index.js';
import { type Cents, cents } from '../money/index.js';
import type { Role } from './chart.js';
import type { Dimensions, Line } from './entry.js';
import type { CourseItem } from './course.js';
import { accountKey } from './lines.js';
import type { Keeping } from './parts.js';
import { postingsOf } from './rules.js';

/** The fact of an entry, with the fields of its envelope. */
export interface Cause {
  readonly factId: string;
  readonly factType: string;
  /** Milliseconds since 1970. */
  readonly recordedAt: number;
  readonly actor?: string;
  readonly caseId?: string;
}

/**
 * What the general ledger holds to be true about a loan: lines of one fact or day on their effective day. All that is believed through a
 * day is the loan's part of the general ledger, whenever it was booked.
 */
export interface Believed extends Cause {
  readonly rule: string;
  readonly effectiveDate: Day;
  readonly drawId?: string;
  readonly explanation?: string;
  /** Every day has such lines, so that corrections are gathered: interest, and what is earned day by day. */
  readonly isDaily: boolean;
  /** Of a daily amount, before it is rounded: days whose rounded amounts agree may still differ. */
  readonly exact?: bigint;
  /** The fact whose money it moves on, where that is not its own. */
  readonly meets?: string;
  readonly lines: readonly Line[];
}

export interface RoleBalance {
  readonly role: Role;
  readonly dimensions: Dimensions;
  readonly owner?: string;
  /** Debits minus credits. */
  readonly amount: Cents;
}

/** The balance of each account through a day; accounts at zero are left out. */
export function believedBalances(believed: readonly Pick<Believed, 'effectiveDate' | 'lines'>[], through: Day): readonly RoleBalance[] {
  const lines = believed.flatMap((one) => (one.effectiveDate <= through ? one.lines : []));
  return balancesOfLines(lines);
}

/** Lines added up by account. */
export function balancesOfLines(lines: readonly Line[]): readonly RoleBalance[] {
  const balances = new Map<string, Line>();
  for (const line of lines) {
    const key = accountKey(line);
    balances.set(key, { ...line, amount: cents((balances.get(key)?.amount ?? 0) + line.amount) });
  }
  return [...balances.entries()]
    .filter(([, { amount }]) => amount !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, balance]) => balance);
}

/** What a loan's course posts on a basis. */
export function believedOf(
  items: readonly CourseItem[],
  keeping: Keeping,
  { drawIdOf }: { readonly drawIdOf: (draw: number) => string },
): readonly Believed[] {
  return items.flatMap(({ cause, day, isDaily, exact, draw, meets, event }) =>
    postingsOf(keeping, event).map(({ rule, lines }) => ({
      ...cause,
      rule,
      effectiveDate: day,
      isDaily,
      ...(exact === undefined ? {} : { exact }),
      ...(draw === undefined ? {} : { drawId: drawIdOf(draw) }),
      ...(meets === undefined ? {} : { meets }),
      lines,
    })),
  );
}
