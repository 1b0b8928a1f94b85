import { type Day, LAST_DAY } from '../../../engine/index.js';
import type { Sealed, SftpAddress } from '../../company/index.js';
import { applyFact, type FactTable } from '../../kernel/fact-table.js';
import type { ActorDefinition, Emit } from '../../kernel/actor.js';
import { type SealedContent, sealedContentsOf } from '../../kernel/sealed-contents.js';
import type { Agent, Tenant } from '../../kernel/fact.js';
import { dateText } from '../../wire.js';
import type { Basis, DayContent } from './entries.js';

/*
 * A day of the books on one basis, sealed once all zones of the company have closed it. Its entries are not stored: computing them again
 * gives the same. What is stored are their totals and the hash that proves it, chained to the batch before.
 */

export const LEDGER_BATCH = 'generalLedgerBatch';

export type ExportFormat = 'csv' | 'json' | 'netsuite' | 'sageIntacct' | 'quickBooksOnline' | 'iif';
export type ExportDetail = 'entries' | 'summary';
export type ExportStatus = 'pending' | 'succeeded' | 'failed';

interface MadeFile {
  readonly name: string;
  readonly rowCount: number;
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** A file of the batch, as somebody has ordered it. */
export interface BatchExport {
  readonly id: string;
  readonly format: ExportFormat;
  readonly detail: ExportDetail;
  readonly operationId: string;
  readonly orderedBy: Agent;
  readonly orderedAt: number;
  /** Null: it waits to be downloaded. */
  readonly sftp: SftpAddress | null;
  readonly secrets: Sealed | null;
  readonly status: ExportStatus;
  readonly made: (MadeFile & SealedContent) | null;
  readonly triesFailed: number;
  /** Milliseconds of the company's clock: not put again before. */
  readonly putAgainAt: number | null;
  readonly failureDescription: string | null;
  readonly finishedAt: number | null;
}

/** The entries of the day compute to something else than was sealed. */
interface Difference {
  readonly contentHash: string;
  readonly entryCount: number;
  readonly debitCents: number;
  readonly foundAt: number;
}

export interface BatchState extends DayContent {
  readonly id: string;
  readonly tenant: Tenant;
  basis: Basis;
  day: Day;
  /** From 1, without gaps. */
  sequence: number;
  previousBatchId: string | null;
  previousHash: string | null;
  hash: string;
  /** The mapping that holds on the day. */
  mappingId: string;
  /** The version of how entries are written for their hash. */
  format: number;
  exports: readonly BatchExport[];
  difference: Difference | null;
  /** Milliseconds of the company's clock. */
  createdAt: number;
  updatedAt: number;
  /** Microseconds; 0 before it is sealed. */
  createdStamp: number;
  updatedStamp: number;
}

type Sealing = Pick<BatchState, 'basis' | 'day' | 'sequence' | 'previousBatchId' | 'previousHash' | 'hash' | 'mappingId' | 'format'>;

export interface BatchFacts {
  readonly LedgerDaySealed: Sealing & DayContent;
  readonly LedgerExportOrdered: Pick<BatchExport, 'id' | 'format' | 'detail' | 'operationId' | 'sftp' | 'secrets'>;
  readonly LedgerExportMade: { readonly exportId: string; readonly made: MadeFile & SealedContent };
  readonly LedgerExportNotPut: { readonly exportId: string; readonly description: string; readonly putAgainAt: number };
  readonly LedgerExportEnded: {
    readonly exportId: string;
    readonly status: 'succeeded' | 'failed';
    readonly failureDescription: string | null;
  };
  readonly LedgerDifferenceFound: Omit<Difference, 'foundAt'>;
}

const changedExport = (state: BatchState, exportId: string, change: (one: BatchExport) => Partial<BatchExport>): void => {
  state.exports = state.exports.map((one) => (one.id === exportId ? { ...one, ...change(one) } : one));
};

function announce(emit: Emit | null, state: BatchState, eventType: string, more: Readonly<Record<string, unknown>> = {}): void {
  emit?.({
    eventType,
    objectType: LEDGER_BATCH,
    objectId: state.id,
    refs: {},
    data: {
      batchId: state.id,
      basis: state.basis,
      accountingDate: dateText(state.day),
      sequence: state.sequence,
      hash: state.hash,
      entryCount: state.entryCount,
      ...more,
    },
  });
}

const APPLY: FactTable<BatchState, BatchFacts> = {
  LedgerDaySealed(state, body, fact, emit) {
    Object.assign(state, body);
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
    announce(emit, state, 'generalledger.batch.sealed');
  },
  LedgerExportOrdered(state, ordered, fact) {
    const one: BatchExport = {
      ...ordered,
      orderedBy: fact.by,
      orderedAt: fact.businessAt,
      status: 'pending',
      made: null,
      triesFailed: 0,
      putAgainAt: null,
      failureDescription: null,
      finishedAt: null,
    };
    state.exports = [...state.exports, one];
  },
  LedgerExportMade(state, { exportId, made }) {
    changedExport(state, exportId, () => ({ made }));
  },
  LedgerExportNotPut(state, { exportId, description, putAgainAt }) {
    changedExport(state, exportId, ({ triesFailed }) => ({
      triesFailed: triesFailed + 1,
      failureDescription: description,
      putAgainAt,
    }));
  },
  LedgerExportEnded(state, { exportId, status, failureDescription }, fact, emit) {
    changedExport(state, exportId, () => ({ status, failureDescription, putAgainAt: null, finishedAt: fact.businessAt }));
    const one = state.exports.find(({ id }) => id === exportId);
    if (status === 'succeeded' && one !== undefined)
      announce(emit, state, 'generalledger.batch.exported', {
        exportId,
        format: one.format,
        detail: one.detail,
        sha256: one.made?.sha256 ?? null,
      });
  },
  LedgerDifferenceFound(state, found, fact, emit) {
    state.difference = { ...found, foundAt: fact.businessAt };
    announce(emit, state, 'generalledger.difference.found', { foundContentHash: found.contentHash, foundEntryCount: found.entryCount });
  },
};

export type BatchStatus = 'sealed' | 'exported' | 'different';

export const statusOf = ({ difference, exports }: Pick<BatchState, 'difference' | 'exports'>): BatchStatus => {
  if (difference !== null) return 'different';
  return exports.some(({ status }) => status === 'succeeded') ? 'exported' : 'sealed';
};

export const batchDefinition: ActorDefinition<BatchState> = {
  kind: LEDGER_BATCH,
  prefix: 'GB',
  isShared: true,
  initial: (id, tenant) => ({
    id,
    tenant,
    basis: 'accrual',
    day: LAST_DAY,
    sequence: 0,
    previousBatchId: null,
    previousHash: null,
    hash: '',
    mappingId: '',
    format: 0,
    contentHash: '',
    entryCount: 0,
    lineCount: 0,
    loanCount: 0,
    correctionCount: 0,
    debitCents: 0,
    creditCents: 0,
    totals: [],
    exports: [],
    difference: null,
    createdAt: 0,
    updatedAt: 0,
    createdStamp: 0,
    updatedStamp: 0,
  }),
  evolve(state, fact, emit) {
    applyFact(APPLY, state, fact, emit);
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
            basis: state.basis,
            day: state.day,
            status: statusOf(state),
            hasPending: state.exports.some(({ status }) => status === 'pending'),
            isDifferent: state.difference !== null,
          },
        },
  pack: (state) => state,
  unpack(packed: BatchState) {
    return packed;
  },
};

const CONTENTS = sealedContentsOf(LEDGER_BATCH);

export const sealedFile = CONTENTS.seal;
export const openedFile = CONTENTS.open;
