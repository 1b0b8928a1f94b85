import type { Day } from '../calendar/index.js';
import type { OwnershipSpan } from '../ownership.js';
import { type Cents, cents } from '../money/index.js';
import type { Role } from './chart.js';
import type { Dimensions, Line, Posting } from './entry.js';
import type { CourseItem } from './course.js';
import { accountKey } from './lines.js';
import { OwnShareLedger } from './own-share-ledger.js';
import type { ShareOwner } from './owner-shares.js';
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

/** The owners of a loan from a day on, with the fact that made them its owners. */
export interface OwnersFrom extends OwnershipSpan<ShareOwner> {
  readonly cause: Cause;
}

export interface Posted {
  readonly drawIdOf: (draw: number) => string;
  /** For books that hold the lender's own share: who owned the loan when, the first owners first. Absent: the lender owns it alone. */
  readonly ownership?: readonly OwnersFrom[];
  readonly through: Day;
}

/** What a loan's course posts on a basis. */
export function believedOf(items: readonly CourseItem[], keeping: Keeping, posted: Posted): readonly Believed[] {
  const { drawIdOf, ownership = [], through } = posted;
  if (ownership.length > 0 && keeping.settings.ownerBooks === 'ownShare')
    return believedOwn(items, keeping, { drawIdOf, ownership, through });
  return items.flatMap((item) => believedItem(item, postingsOf(keeping, item.event), drawIdOf));
}

/**
 * The lender's own share. New owners take over what was owed at the end of the day before. Items are taken by their days, since a ledger
 * reports interest of a day behind what happened on it.
 */
function believedOwn(
  items: readonly CourseItem[],
  keeping: Keeping,
  { drawIdOf, ownership, through }: Required<Posted>,
): readonly Believed[] {
  const [first, ...changes] = ownership;
  const own = new OwnShareLedger(keeping, first?.owners ?? []);
  const believed: Believed[] = [];
  const changeUntil = (day: Day): void => {
    for (let next = changes[0]; next !== undefined && (next.from ?? day) <= day; next = changes[0]) {
      changes.shift();
      const { from, owners, cause } = next;
      for (const posting of own.changeOwners(owners, from ?? day))
        believed.push({ ...cause, ...posting, effectiveDate: from ?? day, isDaily: false });
    }
  };
  for (const item of [...items].sort((a, b) => a.day - b.day)) {
    changeUntil(item.day);
    believed.push(...believedItem(item, own.post(item.event, item.paid), drawIdOf));
  }
  changeUntil(through);
  return believed;
}

/** What an item has posted. Each property by its name: a spread of the cause costs V8 more than the rest, and each day has some. */
export function believedItem(
  { cause, day, isDaily, exact, draw, meets }: CourseItem,
  postings: readonly Posting[],
  drawIdOf: Posted['drawIdOf'],
): readonly Believed[] {
  if (postings.length === 0) return NOTHING;
  const { factId, factType, recordedAt, actor, caseId } = cause;
  const drawId = draw === undefined ? undefined : drawIdOf(draw);
  return postings.map(({ rule, lines }) => {
    const believed: Believed =
      exact === undefined
        ? { factId, factType, recordedAt, rule, effectiveDate: day, isDaily, lines }
        : { factId, factType, recordedAt, rule, effectiveDate: day, isDaily, exact, lines };
    if (actor !== undefined) Object.assign(believed, { actor });
    if (caseId !== undefined) Object.assign(believed, { caseId });
    if (drawId !== undefined) Object.assign(believed, { drawId });
    if (meets !== undefined) Object.assign(believed, { meets });
    return believed;
  });
}

const NOTHING: readonly Believed[] = [];
