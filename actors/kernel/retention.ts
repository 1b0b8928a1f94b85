import { addDays, assert, dayAt, type Day } from '../../engine/index.js';
import { Refusal } from '../errors.js';
import { ALL_ROWS, type CommandSpec, type QueryOf, type QuerySpec } from './actor.js';
import { CONTENTS_DROPPED, type FactDraft } from './fact.js';
import type { SealedContent } from './sealed-contents.js';

/*
 * Files that name many borrowers (for banks, agencies and buyers) are sealed with keys of their own: the erasure of one borrower cannot
 * reach them. So each kind is kept for a named time, and then its contents and its key go, by a fact. The time is counted in days that the
 * company has closed, never by the clock of a machine: what was dropped cannot be brought back when the clock is set right again.
 */

/**
 * Evidence of electronic payments, and of what was reported about a borrower: two years. 12 CFR 1005.13(b)(1) asks for them, the claims of
 * 15 USC 1681p(1) run for them, and 16 CFR 314.4(c)(6)(i) asks that customer information is disposed of after them.
 */
export const EVIDENCE_DAYS = 731;

/** Copies of what the service has in its own records: they can be made again. */
export const COPY_DAYS = 90;

/** What every file knows of itself. */
interface KeptFile {
  readonly id: string;
  /** Milliseconds of the company's clock. */
  readonly createdAt: number;
  readonly updatedAt: number | null;
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

/** What the runner asks and orders: the time zone of the company. */
export interface RetentionAsked {
  readonly zone: string;
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

const isOutlived = <State extends KeptFile>(retention: Retention<State>, state: State, zone: string, today: Day): boolean =>
  retention.isDone(state) &&
  hasContents(retention, state) &&
  addDays(dayAt(zone, state.updatedAt ?? state.createdAt), retention.keptDays) < today;

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

/** Drops contents and key of a file whose time is over. The service's own: no route leads here. */
export const dropCommand = <State extends KeptFile>(retention: Retention<State>): CommandSpec<State, RetentionAsked> => ({
  kind: retention.kind,
  type: dropCommandOf(retention.kind),
  place: { on: 'target' },
  catchUpFirst: false,
  decide({ state, env, command, body: { zone } }) {
    assert(command.actor.type === 'system', 'the time of a file is over by itself');
    const contentIds = isOutlived(retention, state, zone, env.today(zone)) ? keptOf(retention, state) : [];
    const facts: readonly FactDraft[] = contentIds.length === 0 ? [] : [{ type: CONTENTS_DROPPED, body: {} }];
    return { facts, reply: () => ({ data: { contentIds } satisfies DroppedContents }) };
  },
});

/** `what`: such as "The file CF-…". */
export const noLongerKept = (what: string): Refusal =>
  new Refusal('notFound', `${what} are no longer kept: their time is over. docs/data.md says how long each kind is kept.`);

/** The bodies of the fact, for the table of facts of a kind. */
export interface RetentionFacts {
  readonly ContentsDropped: Readonly<Record<string, never>>;
}
