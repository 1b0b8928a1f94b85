import { type SealedContent, sealedContentsOf } from '../../kernel/sealed-contents.js';
import type { FactTable } from '../../kernel/fact-table.js';
import {
  applyFileFact,
  EVIDENCE_DAYS,
  HAS_CONTENTS,
  hasContents,
  type KeptFile,
  type Retention,
  type RetentionFacts,
} from '../../kernel/retention.js';
import { type Day } from '../../../engine/index.js';
import type { AgencyName } from '../../company/index.js';
import type { ActorDefinition } from '../../kernel/actor.js';
import type { Agent, Tenant } from '../../kernel/fact.js';

/*
 * A file for a credit agency: small facts on the shared shard. Its records are with the loans; the lines are contents, encrypted
 * with keys that the file keeps sealed.
 *
 *   recording ─► writing ─► sending ─► succeeded      each of the first three ─► failed
 *
 * `recording`: mass work records the month of each loan. `writing`: the lines are gathered in parts. `sending`: the file has its name and
 * its digest, and goes to the agency.
 */

export type CreditFileStatus = 'recording' | 'writing' | 'sending' | 'succeeded' | 'failed';

const OPEN: ReadonlySet<CreditFileStatus> = new Set(['recording', 'writing', 'sending']);

export const isOpenFile = (status: CreditFileStatus): boolean => OPEN.has(status);

/** Lines that follow each other, and a description of them. */
export interface FilePart {
  readonly name: string;
  readonly metadataName: string;
  readonly lines: number;
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
  /** Both are gone when the time of the file is over. */
  readonly content?: SealedContent;
  readonly metadata?: SealedContent;
}

/** A record that is not in the file, and why. */
export interface HeldRecord {
  readonly loanId: string;
  readonly checks: readonly string[];
}

/** What a gathering has come to. */
export interface Gathered {
  /** The last loan that was looked at. */
  readonly cursor: string;
  readonly isLast: boolean;
  /** Counters of the trailer. */
  readonly totals: Readonly<Record<string, number>>;
  readonly heldCount: number;
  /** The first of them. */
  readonly held: readonly HeldRecord[];
  /** How often each check was met by records in the file. */
  readonly warnings: Readonly<Record<string, number>>;
}

export interface NamedFile {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of the whole, hexadecimal. */
  readonly sha256: string;
  readonly head: string;
  readonly tail: string;
  /** What leaves, of a file that is encrypted: name, bytes and digest are its own. Absent: head, parts and tail leave in clear. */
  readonly sealed?: SealedContent;
}

export interface CreditFileState extends KeptFile {
  readonly id: string;
  readonly tenant: Tenant;
  creditAgencyId: string;
  agencyName: AgencyName;
  /** The last day of the month. */
  activityDay: Day | null;
  trigger: 'schedule' | 'manual';
  /** The mass work that records the months. */
  operationId: string;
  status: CreditFileStatus;
  parts: readonly FilePart[];
  gathered: Gathered | null;
  file: NamedFile | null;
  failureDescription: string | null;
  /** Milliseconds of the company's clock. */
  createdAt: number;
  finishedAt: number | null;
  updatedAt: number | null;
  createdBy: Agent | null;
  /** Microseconds; 0 before it is ordered. */
  createdStamp: number;
  updatedStamp: number;
}

export interface CreditFileFacts extends RetentionFacts {
  readonly CreditFileOrdered: Pick<CreditFileState, 'creditAgencyId' | 'agencyName' | 'trigger' | 'operationId'> & {
    readonly activityDay: Day;
  };
  readonly CreditFileRecorded: Readonly<Record<string, never>>;
  readonly CreditPartStored: { readonly part: FilePart | null; readonly gathered: Gathered };
  readonly CreditFileNamed: NamedFile;
  readonly CreditFileEnded: { readonly status: 'succeeded' | 'failed'; readonly failureDescription: string | null };
}

const APPLY: FactTable<CreditFileState, CreditFileFacts> = {
  CreditFileOrdered(state, body, fact) {
    Object.assign(state, body);
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
    state.createdBy = fact.by;
  },
  CreditFileRecorded(state) {
    state.status = 'writing';
  },
  CreditPartStored(state, { part, gathered }) {
    state.parts = part === null ? state.parts : [...state.parts, part];
    state.gathered = gathered;
  },
  CreditFileNamed(state, file) {
    state.file = file;
    state.status = 'sending';
  },
  CreditFileEnded(state, { status, failureDescription }, fact) {
    state.status = status;
    state.failureDescription = failureDescription;
    state.finishedAt = fact.businessAt;
  },
  ContentsDropped(state) {
    state.parts = state.parts.map(({ content: _content, metadata: _metadata, ...part }) => part);
    if (state.file !== null) {
      const { sealed: _sealed, ...file } = state.file;
      state.file = file;
    }
  },
};

export const CREDIT_FILE = 'creditFile';

/** The months of a loan, which say what was reported, are with the loan. */
export const CREDIT_FILE_RETENTION: Retention<CreditFileState> = {
  kind: CREDIT_FILE,
  keptDays: EVIDENCE_DAYS,
  isDone: ({ status }) => !isOpenFile(status),
  contentsOf: ({ parts, file }) => [...parts.flatMap(({ content, metadata }) => [content, metadata]), file?.sealed],
};

export const creditFileDefinition: ActorDefinition<CreditFileState> = {
  kind: CREDIT_FILE,
  prefix: 'CF',
  isShared: true,
  initial: (id, tenant) => ({
    id,
    tenant,
    creditAgencyId: '',
    agencyName: 'experian',
    activityDay: null,
    trigger: 'manual',
    operationId: '',
    status: 'recording',
    parts: [],
    gathered: null,
    file: null,
    failureDescription: null,
    createdAt: 0,
    finishedAt: null,
    updatedAt: null,
    createdBy: null,
    createdStamp: 0,
    updatedStamp: 0,
  }),
  evolve(state, fact) {
    applyFileFact(APPLY, state, fact);
  },
  clone: (state) => ({ ...state }),
  row: (state) =>
    state.createdStamp === 0
      ? null
      : {
          id: state.id,
          externalId: null,
          createdStamp: state.createdStamp,
          updatedStamp: state.updatedStamp,
          parentId: null,
          fields: {
            status: state.status,
            creditAgencyId: state.creditAgencyId,
            activityDay: state.activityDay,
            isOpen: isOpenFile(state.status),
            [HAS_CONTENTS]: hasContents(CREDIT_FILE_RETENTION, state),
          },
        },
  pack: (state) => state,
  unpack(packed: CreditFileState) {
    return packed;
  },
};

const CONTENTS = sealedContentsOf('creditFile');

export const sealedPart = CONTENTS.seal;
export const openedPart = CONTENTS.open;
