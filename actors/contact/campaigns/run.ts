import { type SealedContent, sealedContentsOf } from '../../kernel/sealed-contents.js';
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
import { type Day } from '../../../engine/index.js';
import type { Campaign } from '../../company/index.js';
import type { ActorDefinition, Emit } from '../../kernel/actor.js';
import type { Agent, Tenant } from '../../kernel/fact.js';

/*
 * A run of a campaign: small facts on the shared shard. The list of the query, what became of its rows and the file
 * are contents, encrypted with keys that the run keeps sealed: 100,000 rows are no state that each process would hold.
 *
 *   queued ─► querying ─► processing ─► succeeded | partiallyFailed | failed      queued, querying, processing ─► canceled
 */

export type RunStatus = 'queued' | 'querying' | 'processing' | 'succeeded' | 'partiallyFailed' | 'failed' | 'canceled' | 'skipped';

const OPEN: ReadonlySet<RunStatus> = new Set(['queued', 'querying', 'processing']);

export const isUnderWay = (status: RunStatus): boolean => OPEN.has(status);

export type RowStatus = 'exported' | 'sent' | 'blocked' | 'failed' | 'skipped';

/** What became of the rows. Of an exporter `exported` counts contacts: a borrower may have several. */
export interface RunCounts {
  readonly processed: number;
  readonly exported: number;
  readonly sent: number;
  readonly blocked: number;
  readonly failed: number;
  readonly duplicate: number;
}

const NO_COUNTS: RunCounts = { processed: 0, exported: 0, sent: 0, blocked: 0, failed: 0, duplicate: 0 };

/** What became of some rows that follow each other. */
export interface RowBatch {
  /** Number of the first. */
  readonly from: number;
  /** How many rows have each status. */
  readonly statuses: { readonly [Status in RowStatus]?: number };
  readonly content: SealedContent;
}

export interface RunFile {
  readonly name: string;
  readonly bytes: number;
  /** Absent in files of earlier releases, which may hold some. */
  readonly holdsPersonalData?: boolean;
}

/** A campaign without what is secret in it. */
type ShownCampaign = Omit<Campaign, 'secrets'>;

export interface RunState extends KeptFile {
  readonly id: string;
  readonly tenant: Tenant;
  campaignId: string;
  /** As it was when the run was ordered. */
  campaign: ShownCampaign | null;
  trigger: 'schedule' | 'manual';
  /** The company's day. */
  day: Day | null;
  status: RunStatus;
  /** Milliseconds of the company's clock. */
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  updatedAt: number | null;
  createdBy: Agent | null;
  rowCount: number | null;
  counts: RunCounts;
  list: SealedContent | null;
  batches: readonly RowBatch[];
  file: (SealedContent & RunFile) | null;
  error: string | null;
  /** Microseconds; 0 before it is ordered. */
  createdStamp: number;
  updatedStamp: number;
}

export interface RunFacts extends RetentionFacts {
  readonly CampaignRunOrdered: Pick<RunState, 'campaignId' | 'trigger'> & {
    readonly campaign: ShownCampaign;
    readonly day: Day;
    readonly status: 'queued' | 'skipped';
    readonly error: string | null;
  };
  readonly CampaignRunBegan: Readonly<Record<string, never>>;
  readonly CampaignRunListed: { readonly rowCount: number; readonly list: SealedContent };
  readonly CampaignRowsDone: { readonly batch: RowBatch; readonly counts: RunCounts };
  readonly CampaignFileStored: NonNullable<RunState['file']>;
  readonly CampaignRunEnded: { readonly status: RunStatus; readonly error: string | null };
  /** Of earlier releases: its contents are gone, the file, the list, and what became of each row. */
  readonly CampaignRunEmptied: Readonly<Record<string, never>>;
}

const APPLY: FactTable<RunState, RunFacts> = {
  CampaignRunOrdered(state, body, fact, emit) {
    Object.assign(state, body);
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
    state.createdBy = fact.by;
    if (body.status === 'skipped') state.finishedAt = fact.businessAt;
    emit?.(statusEvent(state, null));
  },
  CampaignRunBegan(state, _body, fact, emit) {
    state.startedAt = fact.businessAt;
    move(state, 'querying', emit);
  },
  CampaignRunListed(state, { rowCount, list }, _fact, emit) {
    state.rowCount = rowCount;
    state.list = list;
    move(state, 'processing', emit);
  },
  CampaignRowsDone(state, { batch, counts }) {
    state.batches = [...state.batches, batch];
    state.counts = counts;
  },
  CampaignFileStored(state, file) {
    state.file = file;
  },
  CampaignRunEnded(state, { status, error }, fact, emit) {
    state.error = error;
    state.finishedAt = fact.businessAt;
    move(state, status, emit);
  },
  CampaignRunEmptied: dropAll,
  ContentsDropped: dropAll,
};

function dropAll(state: RunState): void {
  state.list = null;
  state.batches = [];
  state.file = null;
}

function move(state: RunState, status: RunStatus, emit: Emit | null): void {
  const before = state.status;
  state.status = status;
  emit?.(statusEvent(state, before));
}

/** Without the error: it may quote what others have answered. */
const statusEvent = (
  { id, campaignId, trigger, status, rowCount, counts }: RunState,
  oldStatus: RunStatus | null,
): Parameters<Emit>[0] => ({
  eventType: 'campaign.run.statuschanged',
  objectType: CAMPAIGN_RUN,
  objectId: id,
  refs: {},
  externalIds: {},
  data: {
    campaignId,
    trigger,
    oldStatus,
    newStatus: status,
    rowCount,
    processedCount: counts.processed,
    exportedCount: counts.exported,
    sentCount: counts.sent,
    blockedCount: counts.blocked,
    failedCount: counts.failed,
    duplicateCount: counts.duplicate,
  },
});

export const CAMPAIGN_RUN = 'campaignRun';

/** The messages of a run are with their borrowers, as interactions. */
export const CAMPAIGN_RUN_RETENTION: Retention<RunState> = {
  kind: CAMPAIGN_RUN,
  keptDays: COPY_DAYS,
  isDone: ({ status }) => !isUnderWay(status),
  contentsOf: ({ list, file, batches }) => [list, file, ...batches.map(({ content }) => content)],
};

export const runDefinition: ActorDefinition<RunState> = {
  kind: CAMPAIGN_RUN,
  prefix: 'RN',
  isShared: true,
  initial: (id, tenant) => ({
    id,
    tenant,
    campaignId: '',
    campaign: null,
    trigger: 'manual',
    day: null,
    status: 'queued',
    createdAt: 0,
    startedAt: null,
    finishedAt: null,
    updatedAt: null,
    createdBy: null,
    rowCount: null,
    counts: NO_COUNTS,
    list: null,
    batches: [],
    file: null,
    error: null,
    createdStamp: 0,
    updatedStamp: 0,
  }),
  evolve(state, fact, emit) {
    applyFileFact(APPLY, state, fact, emit);
  },
  clone: (state) => ({ ...state }),
  row(state) {
    const { id, createdStamp, updatedStamp, campaignId: parentId, status } = state;
    if (createdStamp === 0) return null;
    const fields = { status, isUnderWay: isUnderWay(status), [HAS_CONTENTS]: hasContents(CAMPAIGN_RUN_RETENTION, state) };
    return { id, externalId: null, createdStamp, updatedStamp, parentId, fields };
  },
  pack: (state) => state,
  unpack(packed: RunState) {
    return packed;
  },
};

const CONTENTS = sealedContentsOf('campaignRun');

export const sealedContent = CONTENTS.seal;
export const openContent = CONTENTS.open;
