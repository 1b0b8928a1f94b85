import { type Cents, type Day, instantAt, must, parseDay } from '../../../engine/index.js';
import { actorView, type ActorView } from '../../kernel/actor-logic.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { Items } from '../../list-order.js';
import { type Agent, SYSTEM_AGENT } from '../../kernel/fact.js';
import { amount, type Amount, dateText, type DateText, dateTimeText, type DateTimeText, orNull } from '../../wire.js';
import { activationOf, recordOf } from '../context.js';
import { type AnyLedgerFact, storedFacts } from '../ledger/running.js';
import type { LoanState, StatusChange, StoredFact } from '../state.js';
import { type ActivityType, activityTypeOf } from './activity-types.js';
import { type LedgerLine, ledgerLinesSince } from './ledger-lines.js';
import { tailsOf } from './recorded-tail.js';
import { supersededBy } from './superseded.js';

/** One line of a loan's timeline. */
export interface ActivityReply {
  readonly id: string;
  readonly type: ActivityType;
  /** The type of the ledger's fact, as `payment`, `freeze` or `ratesChanged`; for a status change the new status. */
  readonly action: string;
  readonly effectiveDate: DateText;
  readonly recordedAt: DateTimeText;
  readonly createdBy: ActorView;
  readonly caseId: string | null;
  readonly amount: Amount | null;
  readonly reason: string | null;
  /** Its changes of the balances in the current computation, with their rules; empty if it has no effect, or no longer has one. */
  readonly entries: readonly LedgerLine[];
  /** The line of the timeline that canceled its effect or moved it. */
  readonly supersededBy: string | null;
}

interface Line {
  readonly type: ActivityReply['type'];
  readonly action: string;
  readonly day: Day;
  readonly recordedAt: number;
  readonly by: Agent;
  readonly caseId: string | null;
  readonly cents: Cents | null;
  readonly reason: string | null;
  /** Sequence of the ledger's fact; null for a status and for the daily work. */
  readonly fact: number | null;
  /** Of a line of the daily work. */
  readonly entry: LedgerLine | null;
}

/** A line of the timeline without its entries, which only the lines of a page need. */
export interface ActivityItem {
  readonly id: string;
  readonly line: Line;
  readonly supersededBy: string | null;
}

/**
 * Changes of status, terms and money, newest recorded first. Older lines are read once somebody asks for them: mostly, nobody asks for more
 * than the newest.
 */
export function newestActivity(state: LoanState, env: EvolveEnv): Items<ActivityItem> {
  const [tail] = tailsOf(state, env);
  if (tail === undefined) return activityItems(state, null);
  const { recordedAt, listed } = tail.head;
  const lines = linesOf(state, tail.stored);
  const isAfterHead = ({ line }: ActivityItem): boolean =>
    line.recordedAt > recordedAt || (line.fact !== null && line.recordedAt === recordedAt);
  const newest = inOrder(state, lines, { stored: tail.stored, listedBefore: listed }).filter(isAfterHead);
  let whole: readonly ActivityItem[] | null = null;
  const all = (): readonly ActivityItem[] => (whole ??= activityItems(state, null));
  return {
    length: lines.length + listed,
    slice: (from, to) => (to <= newest.length ? newest : all()).slice(from, to),
    findIndex(test) {
      const index = newest.findIndex(test);
      return index >= 0 ? index : all().findIndex(test);
    },
  };
}

/** All changes of status, terms and money, newest recorded first, and those of the daily work, which come from all lines of the ledger. */
export function activityItems(state: LoanState, ledger: readonly LedgerLine[] | null): readonly ActivityItem[] {
  const stored: readonly AnyStored[] = storedFacts(state);
  const daily = (ledger ?? []).filter(({ fact }) => fact === null).map((entry) => dailyLine(state, entry));
  return inOrder(state, [...linesOf(state, stored), ...daily], { stored, listedBefore: 0 });
}

type AnyStored = StoredFact<AnyLedgerFact>;

const linesOf = (state: LoanState, stored: readonly AnyStored[]): readonly Line[] => [
  ...state.statusHistory.map(statusLine),
  ...stored.flatMap(factLine),
];

const statusLine = (change: StatusChange): Line => ({
  type: 'status',
  action: change.newStatus,
  day: change.effectiveDay,
  recordedAt: change.recordedAt,
  by: change.by,
  caseId: change.caseId,
  cents: null,
  reason: change.reason ?? change.writtenReason,
  fact: null,
  entry: null,
});

function factLine({ fact, recordedAt, by, caseId }: AnyStored): readonly Line[] {
  const type = activityTypeOf(fact);
  if (type === null) return [];
  return [
    {
      type,
      action: fact.type,
      day: fact.effective.day,
      recordedAt,
      by,
      caseId,
      cents: 'amountCents' in fact ? fact.amountCents : null,
      reason: null,
      fact: fact.sequence,
      entry: null,
    },
  ];
}

/** A line of the daily work. It is computed, not recorded, so it counts as recorded at the beginning of its day. */
function dailyLine(state: LoanState, entry: LedgerLine): Line {
  const day = must(parseDay(entry.effectiveDate), entry.effectiveDate);
  return {
    type: 'ledger',
    action: entry.entryType,
    day,
    recordedAt: instantAt(recordOf(state).zone, day, { hour: 2, minute: 0, second: 0 }),
    by: SYSTEM_AGENT,
    caseId: null,
    cents: null,
    reason: null,
    fact: null,
    entry,
  };
}

/** The facts of some lines, and how many lines of facts are before these: ids count all lines, statuses first. */
interface Facts {
  readonly stored: readonly AnyStored[];
  readonly listedBefore: number;
}

function inOrder(state: LoanState, lines: readonly Line[], { stored, listedBefore }: Facts): readonly ActivityItem[] {
  const superseded = supersededBy(stored.map(({ fact }) => fact));
  const statuses = state.statusHistory.length;
  const idAt = (index: number): string => `${state.id}-${index + (index < statuses ? 0 : listedBefore) + 1}`;
  const idOfFact = new Map(lines.map(({ fact }, index) => [fact, idAt(index)]));
  const supersederOf = ({ fact }: Line): string | null => {
    const later = fact === null ? undefined : superseded.get(fact);
    return later === undefined ? null : (idOfFact.get(later) ?? null);
  };
  return lines
    .map((line, index) => ({ line, index }))
    .sort((a, b) => b.line.recordedAt - a.line.recordedAt || b.index - a.index)
    .map(({ line, index }) => ({ id: idAt(index), line, supersededBy: supersederOf(line) }));
}

/** The lines of a page with their entries. Only a page with old facts needs the whole record of the ledger. */
export function activityReplies(state: LoanState, env: EvolveEnv, items: readonly ActivityItem[]): readonly ActivityReply[] {
  const first = Math.min(...items.map(({ line }) => line.fact ?? Infinity));
  const entries = first === Infinity ? [] : activityEntries(state, env, first);
  const byFact = new Map<number | null, LedgerLine[]>(items.map(({ line }) => [line.fact, []]));
  for (const entry of entries) if (entry.fact !== null) byFact.get(entry.fact.number)?.push(entry);
  return items.map(({ id, line, supersededBy: superseder }) => ({
    id,
    type: line.type,
    action: line.action,
    effectiveDate: dateText(line.day),
    recordedAt: dateTimeText(line.recordedAt),
    createdBy: actorView(line.by),
    caseId: line.caseId,
    amount: orNull(amount, line.cents),
    reason: line.reason,
    entries: line.entry === null ? (byFact.get(line.fact) ?? []) : [line.entry],
    supersededBy: superseder,
  }));
}

/** The lines of the ledger through its last finished day, at least those of the facts from a number on. */
export function activityEntries(state: LoanState, env: EvolveEnv, first: number): readonly LedgerLine[] {
  const through = activationOf(state)?.summary.through;
  return through === undefined ? [] : ledgerLinesSince(state, env, { through, first });
}

export interface StatusChangeReply {
  readonly oldStatus: string | null;
  readonly newStatus: string;
  readonly effectiveDate: DateText;
  readonly createdAt: DateTimeText;
  readonly createdBy: ActorView;
  readonly caseId: string | null;
  readonly reason: string | null;
}

export const statusChangeReply = (change: StatusChange): StatusChangeReply => ({
  oldStatus: change.oldStatus,
  newStatus: change.newStatus,
  effectiveDate: dateText(change.effectiveDay),
  createdAt: dateTimeText(change.recordedAt),
  createdBy: actorView(change.by),
  caseId: change.caseId,
  reason: change.reason ?? change.writtenReason,
});
