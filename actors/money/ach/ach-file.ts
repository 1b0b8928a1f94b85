import { type OpenContent, type SealedContent, sealedContentsOf } from '../../kernel/sealed-contents.js';
import { type Cents, type Day, formatDay, ZERO } from '../../../engine/index.js';
import type { ActorDefinition } from '../../kernel/actor.js';
import type { Fact, Tenant } from '../../kernel/fact.js';
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

/*
 * A file for a bank or from it: small facts on the shared shard. Its text and its entries are contents, encrypted with keys that
 * the file keeps sealed. An outgoing file has its name, its digest and its entries as a fact before anything of it leaves:
 *
 *   built ─► upload begun ─► uploaded ─► its payments are pending (applied) ─► confirmed
 *               │    ▲           └─► failed (rejected, or never confirmed)
 *               ▼    │ resend
 *             failed ┘
 *
 * A file from the bank is received, and applied when all that follows from it is recorded. One that cannot be processed has failed after
 * some tries: it stands aside until a user orders another.
 *
 * A file of a processor that encrypts or signs is sealed between the first two: what leaves then is a fact of its own.
 */

export type AchDirection = 'outgoing' | 'return' | 'confirmation';
export type AchFileStatus = 'created' | 'uploaded' | 'confirmed' | 'failed';

/** The cut-off for which a file is made. */
export interface AchSlot {
  /** The day of the cut-off in the processor's zone. */
  readonly day: Day;
  readonly kind: 'sameDay' | 'nextDay';
}

export const slotText = ({ day, kind }: AchSlot): string => `${formatDay(day)}/${kind}`;

/** What an outgoing file is before it leaves. */
export interface BuiltFile {
  readonly processorId: string;
  readonly slot: AchSlot;
  readonly fileName: string;
  readonly fileDay: Day;
  /** On which the bank settles its entries. */
  readonly effectiveDay: Day;
  readonly modifier: string;
  /** The last seven digits of the trace number of its first entry; those of the others follow. */
  readonly firstSequence: number;
  readonly entryCount: number;
  readonly debitCents: Cents;
  readonly creditCents: Cents;
  /** SHA-256 of its bytes, lower-case hexadecimal. */
  readonly sha256: string;
}

/** What the entries of a file come to. */
export interface AchFigures {
  readonly entryCount: number;
  readonly debitCents: Cents;
  readonly creditCents: Cents;
}

export interface AchFileState extends KeptFile {
  readonly id: string;
  readonly tenant: Tenant;
  processorId: string;
  direction: AchDirection;
  status: AchFileStatus;
  fileName: string;
  fileDay: Day | null;
  sha256: string;
  entryCount: number;
  debitCents: Cents;
  creditCents: Cents;
  built: BuiltFile | null;
  /** The bytes of the file, and what its entries stand for. */
  content: SealedContent | null;
  entries: SealedContent | null;
  /** What leaves instead, encrypted or signed: its digest is that of the file. Absent: the file leaves in clear. */
  sealed?: SealedContent | null;
  /** Of a file from the bank: name, size and time in its folder. */
  sourceKey: string | null;
  /** Whether an upload was begun whose end is not known. */
  isUploading: boolean;
  uploadTries: number;
  /** Of a file from the bank: how often it could not be processed since it came or another try was ordered. Absent: never. */
  takingTries?: number;
  /** Whether all that follows from it is recorded: of payments, instruments, reconciliation. */
  isApplied: boolean;
  failure: string | null;
  /** Milliseconds of the company's clock. */
  createdAt: number;
  updatedAt: number | null;
  uploadedAt: number | null;
  confirmedAt: number | null;
  /** Microseconds; 0 before the first fact. */
  createdStamp: number;
  updatedStamp: number;
}

export interface AchFileFacts extends RetentionFacts {
  readonly AchFileBuilt: BuiltFile & { readonly content: SealedContent; readonly entries: SealedContent };
  /** The bytes that leave, and their digest. They stay the same, however often they are put. */
  readonly AchFileSealed: { readonly sha256: string; readonly content: SealedContent };
  readonly AchUploadBegun: Readonly<Record<string, never>>;
  /** `isFinal`: it is not tried again by itself. */
  readonly AchUploadFailed: { readonly reason: string; readonly isFinal: boolean };
  readonly AchFileUploaded: Readonly<Record<string, never>>;
  /** What follows from the file is recorded. A file from the bank says what became of its entries. */
  readonly AchFileApplied: { readonly entries: SealedContent | null; readonly figures?: AchFigures };
  /** A file from the bank could not be processed. `isAside`: it is not tried again by itself, and those behind it are taken. */
  readonly AchFileNotTaken: { readonly reason: string; readonly isAside: boolean };
  /** A user wants it to be processed again. */
  readonly AchTakingOrdered: Readonly<Record<string, never>>;
  readonly AchFileConfirmed: Readonly<Record<string, never>>;
  /** The bank has rejected it, or has not confirmed it in time. */
  readonly AchFileRefused: { readonly reason: string };
  readonly AchResendOrdered: Readonly<Record<string, never>>;
  /** Of earlier releases: its bytes are gone, and what its entries stand for stays. */
  readonly AchFileEmptied: Readonly<Record<string, never>>;
  readonly AchFileReceived: {
    readonly processorId: string;
    readonly direction: 'return' | 'confirmation';
    readonly fileName: string;
    readonly fileDay: Day;
    readonly sourceKey: string;
    readonly sha256: string;
    readonly entryCount: number;
    readonly debitCents: Cents;
    readonly creditCents: Cents;
    readonly content: SealedContent;
    /** Why nothing of it can be used; null: it can. */
    readonly failure: string | null;
  };
}

const APPLY: FactTable<AchFileState, AchFileFacts> = {
  AchFileBuilt(state, { content, entries, ...built }, fact) {
    const { processorId, fileName, fileDay, sha256, entryCount, debitCents, creditCents } = built;
    Object.assign(state, { processorId, fileName, fileDay, sha256, entryCount, debitCents, creditCents, content, entries, built });
    begin(state, fact);
  },
  AchFileSealed(state, { sha256, content }) {
    state.sha256 = sha256;
    state.sealed = content;
  },
  AchUploadBegun(state) {
    state.isUploading = true;
    state.uploadTries += 1;
  },
  AchUploadFailed(state, { reason, isFinal }) {
    state.isUploading = false;
    state.failure = reason;
    if (isFinal) state.status = 'failed';
  },
  AchFileUploaded(state, _body, fact) {
    state.isUploading = false;
    state.status = 'uploaded';
    state.failure = null;
    state.uploadedAt = fact.businessAt;
  },
  AchFileApplied(state, { entries, figures }) {
    state.isApplied = true;
    Object.assign(state, figures);
    if (state.direction !== 'outgoing') state.failure = null;
    if (entries !== null) state.entries = entries;
    if (state.direction !== 'outgoing' && state.status === 'created') state.status = 'confirmed';
  },
  AchFileNotTaken(state, { reason, isAside }) {
    state.takingTries = (state.takingTries ?? 0) + 1;
    state.failure = reason;
    if (isAside) state.status = 'failed';
  },
  AchTakingOrdered(state) {
    state.takingTries = 0;
    state.status = 'created';
  },
  AchFileConfirmed(state, _body, fact) {
    state.status = 'confirmed';
    state.failure = null;
    state.confirmedAt = fact.businessAt;
    state.uploadedAt ??= fact.businessAt;
    state.isUploading = false;
  },
  AchFileRefused(state, { reason }) {
    state.status = 'failed';
    state.failure = reason;
  },
  AchResendOrdered(state) {
    state.status = 'created';
    state.failure = null;
    state.uploadTries = 0;
    state.isUploading = false;
  },
  AchFileEmptied(state) {
    state.content = null;
    state.sealed = null;
  },
  ContentsDropped(state) {
    state.content = null;
    state.sealed = null;
    state.entries = null;
  },
  AchFileReceived(state, { failure, ...received }, fact) {
    Object.assign(state, received);
    state.failure = failure;
    begin(state, fact);
    if (failure === null) return;
    state.status = 'failed';
    state.isApplied = true;
  },
};

function begin(state: AchFileState, fact: Fact): void {
  state.createdAt = fact.businessAt;
  state.createdStamp = fact.stamp;
}

export const ACH_FILE = 'achFile';

/**
 * Returns of an entry come within months. An outgoing file that was never at the bank is kept: its payments are in no other file, until a
 * user sends it.
 */
export const ACH_FILE_RETENTION: Retention<AchFileState> = {
  kind: ACH_FILE,
  keptDays: EVIDENCE_DAYS,
  isDone: ({ status, direction, isApplied }) => status !== 'created' && (direction !== 'outgoing' || isApplied),
  contentsOf: ({ content, sealed, entries }) => [content, sealed, entries],
};

/** Whether the part that makes files has something to do about it. */
const isOpen = ({ direction, status, isApplied }: AchFileState): boolean =>
  direction === 'outgoing' ? status === 'created' || !isApplied : !isApplied && status !== 'failed';

/** A file from the bank that is processed again only if a user orders it. */
export const isAside = ({ direction, status, isApplied }: AchFileState): boolean =>
  direction !== 'outgoing' && status === 'failed' && !isApplied;

export const achFileDefinition: ActorDefinition<AchFileState> = {
  kind: ACH_FILE,
  prefix: 'AF',
  isShared: true,
  initial: (id, tenant) => ({
    id,
    tenant,
    processorId: '',
    direction: 'outgoing',
    status: 'created',
    fileName: '',
    fileDay: null,
    sha256: '',
    entryCount: 0,
    debitCents: ZERO,
    creditCents: ZERO,
    built: null,
    content: null,
    entries: null,
    sourceKey: null,
    isUploading: false,
    uploadTries: 0,
    isApplied: false,
    failure: null,
    createdAt: 0,
    updatedAt: null,
    uploadedAt: null,
    confirmedAt: null,
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
          parentId: state.processorId,
          fields: {
            direction: state.direction,
            status: state.status,
            isOpen: isOpen(state),
            isAside: isAside(state),
            awaitsConfirmation: state.direction === 'outgoing' && state.status !== 'confirmed',
            slot: state.built === null ? null : slotText(state.built.slot),
            sourceKey: state.sourceKey,
            fileDate: state.fileDay === null ? '' : formatDay(state.fileDay),
            firstSequence: state.built?.firstSequence ?? 0,
            entryCount: state.entryCount,
            [HAS_CONTENTS]: hasContents(ACH_FILE_RETENTION, state),
          },
        },
  pack: (state) => state,
  unpack(packed: AchFileState) {
    return packed;
  },
};

const CONTENTS = sealedContentsOf('achFile');

export const sealedFileContent = CONTENTS.seal;

/** Null where there is none, or the key of the file is gone. */
export const openFileContent = (env: Parameters<typeof CONTENTS.open>[0], id: string, content: SealedContent | null): OpenContent | null =>
  content && CONTENTS.open(env, id, content);
