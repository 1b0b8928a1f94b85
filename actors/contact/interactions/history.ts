import { isIn } from '../../kernel/lists/row-fields.js';
import { rowFieldsOf } from '../../kernel/erased.js';
import {
  type AgentOutcome,
  askedOf,
  type Channel,
  COUNTED_STATUSES,
  type Direction,
  firstAskedFrom,
  type InteractionStatus,
  type InteractionTheme,
  isAboutLoan,
  isCollecting,
  isLasting,
  NEWEST_ASKED,
  type Situation,
  type StatusDetail,
  type Subject,
  windowStart,
} from '../../../engine/index.js';
import type { CatalogRow, DecideEnv } from '../../kernel/actor.js';
import { LIMITS } from '../../kernel/limits.js';
import type { KeptOrder, KeptSpan } from '../../kernel/lists/kept-lists.js';

/** The longest time that a rule of contacts looks back: calls a week, mail a month. */
const HISTORY_DAYS = 30;

/** Maximum number of a borrower's contacts that are read, the newest first. More within these days exceed every limit anyway. */
const MAX_HISTORY = 5_000;

/** So many contacts are looked at one by one: the list index keeps no orders of fewer, and would filter them again for each. */
const SHORT_HISTORY = LIMITS.keptFrom;

const DAY_MS = 86_400_000;

/** What limits of contacts need to know of an earlier contact. */
export interface PastContact {
  readonly id: string;
  readonly channel: Channel;
  readonly direction: Direction;
  readonly status: InteractionStatus;
  readonly statusDetails: StatusDetail | null;
  /** Null if no theme was recorded: such a contact counts. */
  readonly theme: InteractionTheme | null;
  readonly subject: Subject | null;
  /** Milliseconds; for a planned contact, when it was recorded. */
  readonly startedAt: number;
  /** Empty for a contact about the borrower as a whole. */
  readonly loanIds: readonly string[];
  readonly caseId: string | null;
  readonly contactId: string | null;
  readonly agentOutcome: AgentOutcome | null;
  /** Null if not recorded. */
  readonly isTransactional: boolean | null;
  readonly isExternal: boolean;
}

/** Which contacts are asked for. Of their statuses, `COUNTED_STATUSES` of the engine says which count. */
export interface HistoryAsked {
  /** Milliseconds, inclusive. Default: `HISTORY_DAYS` before now. */
  readonly since?: number;
  /** Default: both. */
  readonly direction?: Direction;
}

/** The start of a contact; for a planned one, when it was recorded. */
const startedAtOf = ({ fields }: CatalogRow): number => Number(fields['startedAt'] ?? fields['createdAt']);

const keptWhere = (holds: (past: PastContact) => boolean): KeptOrder => ({ holds: (row) => holds(pastContact(row)), of: startedAtOf });

const ALL: KeptOrder = { holds: () => true, of: startedAtOf };
const LASTING = keptWhere(isLasting);
const NEWEST = NEWEST_ASKED.map(keptWhere);
const COLLECTING = keptWhere(isCollecting);

/**
 * The contacts with a borrower on which a verdict of the guard at a moment depends (`engine/compliance/judge.ts`), the
 * newest first. They are read from sorted orders of the list index, so the cost does not grow with the borrower's history.
 */
export function historyAskedFor(
  env: Pick<DecideEnv, 'list'>,
  personId: string,
  { at, loans, zone }: { readonly at: number; readonly loans: Situation['loans']; readonly zone: string },
): readonly PastContact[] {
  const newest = env.list('interaction', { parentId: personId, kept: { order: ALL }, limit: SHORT_HISTORY });
  if (!newest.hasMore) return askedOf(newest.rows.map(pastContact), at, loans, zone);
  const found = new Map<string, CatalogRow>();
  const add = (kept: KeptSpan, limit: number): void => {
    for (const row of env.list('interaction', { parentId: personId, kept, limit }).rows) found.set(row.id, row);
  };
  add({ order: ALL, from: windowStart(at) }, MAX_HISTORY);
  add({ order: LASTING }, MAX_HISTORY);
  for (const order of NEWEST) add({ order }, 1);
  for (const loan of loans) {
    for (const from of firstAskedFrom(loan, zone)) {
      const first = firstAbout(env, personId, { order: COLLECTING, from }, loan.id);
      if (first !== undefined) found.set(first.id, first);
    }
  }
  return [...found.values()].sort((a, b) => startedAtOf(b) - startedAtOf(a) || b.createdStamp - a.createdStamp).map(pastContact);
}

/** The last contact about a loan in a sorted order of the index. Usually it is in the first step. */
function firstAbout(env: Pick<DecideEnv, 'list'>, parentId: string, kept: KeptSpan, loanId: string): CatalogRow | undefined {
  let end = env.list('interaction', { parentId, kept, limit: 1 }).total;
  while (end > 0) {
    const offset = Math.max(0, end - FIRST_STEP);
    const { rows } = env.list('interaction', { parentId, kept, offset, limit: end - offset });
    const found = rows.findLast((row) => isAboutLoan(pastContact(row), loanId));
    if (found !== undefined) return found;
    end = offset;
  }
  return undefined;
}

/** Number of contacts read in one step of this search. */
const FIRST_STEP = 64;

/**
 * The contacts with a borrower since a moment, of every status, the newest first. It reads rows of the list index and loads no
 * interaction. Deleted interactions are left out.
 */
export function contactHistory(
  env: Pick<DecideEnv, 'list' | 'now'>,
  personId: string,
  { since = env.now - HISTORY_DAYS * DAY_MS, direction }: HistoryAsked = {},
): readonly PastContact[] {
  const { rows } = env.list('interaction', {
    parentId: personId,
    kept: { order: ALL, from: since },
    ...(direction === undefined ? {} : { matches: ({ fields }: CatalogRow) => fields['direction'] === direction }),
    limit: MAX_HISTORY,
  });
  return rows.map(pastContact);
}

/** When a borrower was last contacted, and when a contact last succeeded in either direction; null = never. Milliseconds. */
export interface LastContacts {
  readonly outbound: number | null;
  readonly successful: number | null;
}

/** Planned, failed and canceled interactions are not contacts. */
export function lastContacts(env: Pick<DecideEnv, 'list'>, personId: string): LastContacts {
  const last = (order: KeptOrder): number | null => {
    const [row] = env.list('interaction', { parentId: personId, kept: { order }, limit: 1 }).rows;
    return row ? Number(row.fields['startedAt']) : null;
  };
  return { outbound: last(OUTBOUND), successful: last(SUCCESSFUL) };
}

const keptMade = (isMeant: (row: CatalogRow) => boolean): KeptOrder => ({
  holds: (row) => row.fields['startedAt'] !== null && isIn(row.fields['status'], COUNTED_STATUSES) && isMeant(row),
  of: startedAtOf,
});

const OUTBOUND = keptMade(({ fields }) => fields['direction'] === 'outbound' && fields['theme'] !== 'agentNotification');
const SUCCESSFUL = keptMade(({ fields }) => fields['status'] === 'succeeded' || fields['agentOutcome'] === 'voiceSpokeWithFirstParty');

function pastContact(row: CatalogRow): PastContact {
  const { id } = row;
  const {
    channel,
    direction,
    status,
    statusDetails,
    theme,
    subject,
    loanIds,
    caseId,
    contactId,
    agentOutcome,
    isTransactional,
    isExternal,
  } = rowFieldsOf<Omit<PastContact, 'id' | 'startedAt'>>(row);
  return {
    id,
    channel,
    direction,
    status,
    statusDetails,
    theme,
    subject,
    startedAt: startedAtOf(row),
    loanIds,
    caseId,
    contactId,
    agentOutcome,
    isTransactional,
    isExternal,
  };
}
