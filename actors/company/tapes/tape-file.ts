import { type OpenContent, type SealedContent, sealedContentsOf } from '../../kernel/sealed-contents.js';
import { applyFact, type Applying } from '../../kernel/applying.js';
import { type Day, LAST_DAY, must } from '../../../engine/index.js';
import type { ActorDefinition } from '../../kernel/actor.js';
import type { Tenant } from '../../kernel/fact.js';

/*
 * A file of a loan tape. It is made once: its name, its digest and where it lies are a fact before it leaves.
 *
 *   pending (ordered ─► made ─► put, up to three times) ─► succeeded | failed
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

export interface TapeFileState {
  readonly id: string;
  readonly tenant: Tenant;
  loanTapeId: string;
  reportDay: Day;
  trigger: 'schedule' | 'manual';
  status: TapeFileStatus;
  made: (MadeTape & SealedContent) | null;
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

export interface TapeFileFacts {
  readonly TapeFileOrdered: Pick<TapeFileState, 'loanTapeId' | 'reportDay' | 'trigger'>;
  readonly TapeFileMade: MadeTape & SealedContent;
  readonly TapeFileNotPut: { readonly description: string; readonly putAgainAt: number };
  readonly TapeFileEnded: { readonly status: 'succeeded' | 'failed'; readonly failureDescription: string | null };
}

const APPLY: Applying<TapeFileState, TapeFileFacts> = {
  TapeFileOrdered(state, body, fact) {
    Object.assign(state, body);
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
  },
  TapeFileMade(state, made) {
    state.made = made;
  },
  TapeFileNotPut(state, { description, putAgainAt }) {
    state.triesFailed += 1;
    state.failureDescription = description;
    state.putAgainAt = putAgainAt;
  },
  TapeFileEnded(state, { status, failureDescription }, fact) {
    Object.assign(state, { status, failureDescription });
    state.putAgainAt = null;
    state.uploadedAt = status === 'succeeded' ? fact.businessAt : null;
  },
};

export const LOAN_TAPE_FILE = 'loanTapeFile';

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
    status: 'pending',
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
    applyFact(APPLY, state, fact);
  },
  clone: (state) => ({ ...state }),
  row: ({ id, createdStamp, updatedStamp, loanTapeId, status, reportDay, trigger }) =>
    createdStamp === 0
      ? null
      : { id, externalId: null, createdStamp, updatedStamp, parentId: loanTapeId, fields: { status, reportDay, trigger } },
  pack: (state) => state,
  unpack(packed: TapeFileState) {
    return packed;
  },
};

const CONTENTS = sealedContentsOf('loanTapeFile');

export const sealedTape = CONTENTS.seal;

export const openedTape = (env: Parameters<typeof CONTENTS.open>[0], id: string, content: SealedContent): OpenContent =>
  must(CONTENTS.open(env, id, content), 'the key of a file of a tape is never destroyed');
