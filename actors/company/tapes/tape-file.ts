import { type OpenContent, type SealedContent, sealedContentsOf } from '../../kernel/sealed-contents.js';
import type { FactTable } from '../../kernel/fact-table.js';
import {
  applyFileFact,
  COPY_DAYS,
  HAS_CONTENTS,
  hasContents,
  type KeptFile,
  type Retention,
  type RetentionFacts,
} from '../../kernel/retention.js';
import { type Day, LAST_DAY, must } from '../../../engine/index.js';
import type { LoanTapeType } from './tape-type.js';
import type { ActorDefinition } from '../../kernel/actor.js';
import type { Tenant } from '../../kernel/fact.js';

/*
 * A file of a loan tape. It is made once: its name, its digest and where it lies are a fact before it leaves. It is made in sections,
 * all as of one day and as known at one moment, by the settings of its order: a section is a fact before the next one is recorded.
 *
 *   pending (ordered ─► section by section ─► made ─► put, up to three times) ─► succeeded | failed
 */

export type TapeFileStatus = 'pending' | 'succeeded' | 'failed';

/** What a file is: it stays so, however often it is put. */
interface MadeTape {
  readonly name: string;
  readonly rowCount: number;
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** Behind which loan of which unit of the cluster the next section begins. */
export interface TapeCursor {
  readonly shard: number;
  readonly after: string | null;
}

/** The rows of some loans, one after the other in the order of the list. */
export interface TapeSection {
  readonly rowCount: number;
  readonly bytes: number;
  /** Null: it has no rows. */
  readonly content: SealedContent | null;
  /** Null: it is the last one. */
  readonly next: TapeCursor | null;
}

/** What a file shows, as it was when it was ordered. */
export interface TapeTerms {
  readonly type: LoanTapeType;
  readonly investorId: string | null;
  /** By loan type: the days after payoff for which its loans have data. */
  readonly daysOfData: readonly (readonly [string, number])[];
}

export interface TapeFileState extends KeptFile {
  readonly id: string;
  readonly tenant: Tenant;
  loanTapeId: string;
  reportDay: Day;
  trigger: 'schedule' | 'manual';
  /** Milliseconds of the company's clock: what was recorded later is not on it. Null: ordered in an earlier release. */
  knownAt: number | null;
  /** The same. */
  terms: TapeTerms | null;
  status: TapeFileStatus;
  /** Until it is made. */
  sections: readonly TapeSection[];
  /** `pieces`: one behind the other they are the file. */
  made: (MadeTape & { readonly pieces: readonly SealedContent[] }) | null;
  /** Tries to put it that have failed. */
  triesFailed: number;
  /** Milliseconds of the company's clock: not put again before. */
  putAgainAt: number | null;
  failureDescription: string | null;
  uploadedAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** Microseconds; 0 before it is ordered. */
  createdStamp: number;
  updatedStamp: number;
}

export interface TapeFileFacts extends RetentionFacts {
  /** Earlier releases recorded neither moment nor terms. */
  readonly TapeFileOrdered: Pick<TapeFileState, 'loanTapeId' | 'reportDay' | 'trigger'> & Partial<Pick<TapeFileState, 'knownAt' | 'terms'>>;
  readonly TapeSectionMade: TapeSection;
  /** Pieces absent: it is its sections as they are, or one content where an earlier release recorded that. */
  readonly TapeFileMade: MadeTape & Partial<SealedContent> & { readonly pieces?: readonly SealedContent[] };
  readonly TapeFileNotPut: { readonly description: string; readonly putAgainAt: number };
  readonly TapeFileEnded: { readonly status: 'succeeded' | 'failed'; readonly failureDescription: string | null };
}

const APPLY: FactTable<TapeFileState, TapeFileFacts> = {
  TapeFileOrdered(state, body, fact) {
    Object.assign(state, body);
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
  },
  TapeSectionMade(state, section) {
    state.sections = [...state.sections, section];
  },
  TapeFileMade(state, { contentId, key, pieces, ...made }) {
    const ofOneContent = contentId === undefined || key === undefined ? null : [{ contentId, key }];
    state.made = { ...made, pieces: pieces ?? ofOneContent ?? contentsOf(state.sections) };
    state.sections = [];
  },
  TapeFileNotPut(state, { description, putAgainAt }) {
    state.triesFailed += 1;
    state.failureDescription = description;
    state.putAgainAt = putAgainAt;
  },
  TapeFileEnded(state, { status, failureDescription }, fact) {
    Object.assign(state, { status, failureDescription });
    state.putAgainAt = null;
    state.sections = [];
    state.uploadedAt = status === 'succeeded' ? fact.businessAt : null;
  },
  ContentsDropped(state) {
    if (state.made !== null) state.made = { ...state.made, pieces: [] };
  },
};

const contentsOf = (sections: readonly TapeSection[]): readonly SealedContent[] => sections.flatMap(({ content }) => content ?? []);

export const LOAN_TAPE_FILE = 'loanTapeFile';

/** A file can be made again: it is ordered with `recordedAsOf` of this one. */
export const LOAN_TAPE_RETENTION: Retention<TapeFileState> = {
  kind: LOAN_TAPE_FILE,
  keptDays: COPY_DAYS,
  isDone: ({ status }) => status !== 'pending',
  contentsOf: ({ made }) => made?.pieces ?? [],
};

export const tapeFileDefinition: ActorDefinition<TapeFileState> = {
  kind: LOAN_TAPE_FILE,
  prefix: 'TF',
  isShared: true,
  initial: (id, tenant) => ({
    id,
    tenant,
    loanTapeId: '',
    reportDay: LAST_DAY,
    trigger: 'manual',
    knownAt: null,
    terms: null,
    status: 'pending',
    sections: [],
    made: null,
    triesFailed: 0,
    putAgainAt: null,
    failureDescription: null,
    uploadedAt: null,
    createdAt: 0,
    updatedAt: 0,
    createdStamp: 0,
    updatedStamp: 0,
  }),
  evolve(state, fact) {
    applyFileFact(APPLY, state, fact);
  },
  clone: (state) => ({ ...state }),
  row(state) {
    const { id, createdStamp, updatedStamp, loanTapeId: parentId, status, reportDay, trigger } = state;
    if (createdStamp === 0) return null;
    const fields = { status, reportDay, trigger, [HAS_CONTENTS]: hasContents(LOAN_TAPE_RETENTION, state) };
    return { id, externalId: null, createdStamp, updatedStamp, parentId, fields };
  },
  pack: (state) => state,
  unpack({ made, ...packed }: Omit<TapeFileState, 'made'> & { readonly made: (Made & Partial<SealedContent>) | null }) {
    return { ...NOT_IN_EARLIER_RELEASES, ...packed, made: made === null ? null : inPieces(made) };
  },
};

const NOT_IN_EARLIER_RELEASES = { knownAt: null, terms: null, sections: [] } satisfies Partial<TapeFileState>;

type Made = Exclude<TapeFileState['made'], null>;

/** A snapshot of an earlier release has one content. */
function inPieces({ contentId, key, ...made }: Made & Partial<SealedContent>): Made {
  return contentId === undefined || key === undefined ? made : { ...made, pieces: [{ contentId, key }] };
}

const CONTENTS = sealedContentsOf('loanTapeFile');

export const sealedTape = CONTENTS.seal;

/** The pieces of a file that is made. Null: it is not, or its key is gone. */
export function openedPieces(env: Parameters<typeof CONTENTS.open>[0], { id, made }: TapeFileState): readonly OpenContent[] | null {
  const pieces = made === null ? [] : made.pieces.flatMap((piece) => CONTENTS.open(env, id, piece) ?? []);
  return made === null || pieces.length < made.pieces.length ? null : pieces;
}

/** Of a file that is being made. */
export const openedSections = (env: Parameters<typeof CONTENTS.open>[0], { id, sections }: TapeFileState): readonly OpenContent[] =>
  contentsOf(sections).map((content) => must(CONTENTS.open(env, id, content), 'a file that is being made has its key'));
