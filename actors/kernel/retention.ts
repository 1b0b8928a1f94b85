import { addDays, assert, dayAt, type Day } from '../../engine/index.js';
import { Refusal } from '../errors.js';
import { ALL_ROWS, type CommandSpec, type Emit, type QueryOf, type QuerySpec } from './actor.js';
import { CONTENTS_DROPPED, type Fact, factTest, type FactDraft } from './fact.js';
import { applyFact, type FactTable } from './fact-table.js';
import type { SealedContent } from './sealed-contents.js';

/*
 * Files that name many borrowers (for banks, agencies and buyers) are sealed with keys of their own: the erasure of one borrower cannot
 * reach them. So each kind is kept for a named time, and then its contents and its key go, by a fact. The time is counted in days that the
 * company has closed.
 *
 * A clock of a machine that is set years ahead closes years of days, and what was dropped cannot be brought back when the clock is right
 * again. So a file whose time is over is noted first. It goes after a grace by the time of the journal, which never jumps, if the clock of
 * the machine still says that its time is over. A test clock moves by order alone: its company needs no grace.
 */

/**
 * Evidence of electronic payments, and of what was reported about a borrower: two years. 12 CFR 1005.13(b)(1) asks for them, the claims of
 * 15 USC 1681p(1) run for them, and 16 CFR 314.4(c)(6)(i) asks that customer information is disposed of after them.
 */
export const EVIDENCE_DAYS = 731;

/** Copies of what the service has in its own records: they can be made again. */
export const COPY_DAYS = 90;

/** Between the note that the time of a file is over and the end of its contents: time to set a clock right. */
export const GRACE_DAYS = 7;
const GRACE_MS = GRACE_DAYS * 24 * 3_600_000;

/** What every file knows of itself. */
export interface KeptFile {
  readonly id: string;
  /** Milliseconds of the company's clock. */
  createdAt: number;
  updatedAt: number | null;
  updatedStamp: number;
  /** Its time was found to be over; absent before, and in earlier releases. */
  outlived?: Outlived | undefined;
}

interface Outlived {
  /** When it was found, in milliseconds of the journal. */
  readonly at: number;
  /** The last change of the file, as it was then: a later one voids the note. */
  readonly changedAt: number;
}

interface OutlivedFacts {
  readonly ContentsOutlived: Outlived;
}

const isOutlivedFact = factTest<OutlivedFacts>();

/** Applies a fact of a file. The note that its time is over is no change of it. */
export function applyFileFact<State extends KeptFile, Facts>(
  table: FactTable<State, Facts>,
  state: State,
  fact: Fact,
  emit: Emit | null = null,
): void {
  if (isOutlivedFact(fact, 'ContentsOutlived')) state.outlived = fact.body;
  else applyFact(table, state, fact, emit);
}

/** How long the contents of a kind of files are kept. */
export interface Retention<State extends KeptFile = KeptFile> {
  readonly kind: string;
  /** Days of the company behind the last change of the file. */
  readonly keptDays: number;
  /** Whether nothing is to be done with the file any more, unless somebody orders it. */
  readonly isDone: (state: State) => boolean;
  /** What is still kept of it. */
  readonly contentsOf: (state: State) => readonly (SealedContent | null | undefined)[];
}

/** What the runner asks and orders. */
export interface RetentionAsked {
  /** The time zone of the company. */
  readonly zone: string;
  /** Milliseconds of the machine that closes the days; null where a test clock closes them. */
  readonly clock: { readonly journalMs: number; readonly machineMs: number } | null;
}

/** Contents that nobody can read any more. */
export interface DroppedContents {
  readonly contentIds: readonly string[];
}

export const outlivedQueryOf = (kind: string): string => `${kind}.outlived`;
export const dropCommandOf = (kind: string): string => `${kind}.dropContents`;

/** The field of a row that says whether the file has contents; absent from rows of earlier releases. */
export const HAS_CONTENTS = 'hasContents';

const keptOf = <State extends KeptFile>({ contentsOf }: Retention<State>, state: State): readonly string[] =>
  contentsOf(state).flatMap((content) => content?.contentId ?? []);

export const hasContents = <State extends KeptFile>(retention: Retention<State>, state: State): boolean =>
  keptOf(retention, state).length > 0;

const changedAtOf = ({ updatedAt, createdAt }: KeptFile): number => updatedAt ?? createdAt;

const isOutlived = <State extends KeptFile>(retention: Retention<State>, state: State, zone: string, today: Day): boolean =>
  retention.isDone(state) && hasContents(retention, state) && addDays(dayAt(zone, changedAtOf(state)), retention.keptDays) < today;

/** What is recorded of a file whose time is over by the closed days: first the note, then that its contents are dropped. */
function endOf<State extends KeptFile>(retention: Retention<State>, state: State, { zone, clock }: RetentionAsked): FactDraft | null {
  const dropped: FactDraft = { type: CONTENTS_DROPPED, body: {} };
  if (clock === null) return dropped;
  const changedAt = changedAtOf(state);
  const { outlived } = state;
  if (outlived?.changedAt !== changedAt)
    return { type: 'ContentsOutlived', body: { at: clock.journalMs, changedAt } satisfies OutlivedFacts['ContentsOutlived'] };
  const isOver = clock.journalMs - outlived.at >= GRACE_MS && isOutlived(retention, state, zone, dayAt(zone, clock.machineMs));
  return isOver ? dropped : null;
}

/** The ids of files whose time is over. The service's own: no route leads here. */
export const outlivedQuery = <State extends KeptFile>(retention: Retention<State>): QuerySpec<State> => ({
  kind: retention.kind,
  type: outlivedQueryOf(retention.kind),
  on: 'tenant',
  read({ query: { zone }, env }: QueryOf<RetentionAsked>) {
    const { rows } = env.listAll(retention.kind, {
      limit: ALL_ROWS,
      matches: ({ fields }) => fields[HAS_CONTENTS] !== false,
    });
    const today = env.today(zone);
    const items = rows.flatMap(({ id }) => {
      const state = env.stateInPassing<State>(retention.kind, id);
      return state !== undefined && isOutlived(retention, state, zone, today) ? [id] : [];
    });
    return { items, total: items.length, hasMore: false, hasPrevious: false };
  },
});

/** Drops contents and key of a file whose time is over, after its grace. The service's own: no route leads here. */
export const dropCommand = <State extends KeptFile>(retention: Retention<State>): CommandSpec<State, RetentionAsked> => ({
  kind: retention.kind,
  type: dropCommandOf(retention.kind),
  place: { on: 'target' },
  catchesUp: false,
  decide({ state, env, command, body }) {
    assert(command.actor.type === 'system', 'the time of a file is over by itself');
    const end = isOutlived(retention, state, body.zone, env.today(body.zone)) ? endOf(retention, state, body) : null;
    const contentIds = end?.type === CONTENTS_DROPPED ? keptOf(retention, state) : [];
    return { facts: end === null ? [] : [end], reply: () => ({ data: { contentIds } satisfies DroppedContents }) };
  },
});

/** `what`: such as "The file CF-…". */
export const noLongerKept = (what: string): Refusal =>
  new Refusal('notFound', `${what} are no longer kept: their time is over. docs/data.md says how long each kind is kept.`);

/** The bodies of the fact, for the table of facts of a kind. */
export interface RetentionFacts {
  readonly ContentsDropped: Readonly<Record<string, never>>;
}
