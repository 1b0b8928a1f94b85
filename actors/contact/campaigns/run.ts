import { type Day, must } from '../../../engine/index.js';
import type { Campaign } from '../../company/index.js';
import type { ActorDefinition } from '../../kernel/actor.js';
import type { Agent, Fact, Tenant } from '../../kernel/fact.js';

/*
 * A run of a campaign (communications 8.5): small facts on the shared shard. The list of the query, what became of its rows and the file
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

/** Where a content lies; its key is sealed with that of the run. */
export interface RunContent {
  readonly contentId: string;
  readonly key: Uint8Array;
}

/** What became of some rows that follow each other. */
export interface RowBatch {
  /** Number of the first. */
  readonly from: number;
  /** How many rows have each status. */
  readonly statuses: { readonly [Status in RowStatus]?: number };
  readonly content: RunContent;
}

/** A campaign without what is secret in it. */
export type ShownCampaign = Omit<Campaign, 'secrets'>;

export interface RunState {
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
  list: RunContent | null;
  batches: readonly RowBatch[];
  file: (RunContent & { readonly name: string; readonly bytes: number }) | null;
  error: string | null;
  /** Microseconds; 0 before it is ordered. */
  createdStamp: number;
  updatedStamp: number;
}

export interface RunFacts {
  readonly CampaignRunOrdered: Pick<RunState, 'campaignId' | 'trigger'> & {
    readonly campaign: ShownCampaign;
    readonly day: Day;
    readonly status: 'queued' | 'skipped';
    readonly error: string | null;
  };
  readonly CampaignRunBegan: Readonly<Record<string, never>>;
  readonly CampaignRunListed: { readonly rowCount: number; readonly list: RunContent };
  readonly CampaignRowsDone: { readonly batch: RowBatch; readonly counts: RunCounts };
  readonly CampaignFileStored: NonNullable<RunState['file']>;
  readonly CampaignRunEnded: { readonly status: RunStatus; readonly error: string | null };
  /** Its contents are gone: the file, the list, and what became of each row. */
  readonly CampaignRunEmptied: Readonly<Record<string, never>>;
}

type Apply = { readonly [Type in keyof RunFacts]: (state: RunState, body: RunFacts[Type], fact: Fact) => void };

const APPLY: Apply = {
  CampaignRunOrdered(state, body, fact) {
    Object.assign(state, body);
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
    state.createdBy = fact.by;
    if (body.status === 'skipped') state.finishedAt = fact.businessAt;
  },
  CampaignRunBegan(state, _body, fact) {
    state.status = 'querying';
    state.startedAt = fact.businessAt;
  },
  CampaignRunListed(state, { rowCount, list }) {
    state.status = 'processing';
    state.rowCount = rowCount;
    state.list = list;
  },
  CampaignRowsDone(state, { batch, counts }) {
    state.batches = [...state.batches, batch];
    state.counts = counts;
  },
  CampaignFileStored(state, file) {
    state.file = file;
  },
  CampaignRunEnded(state, { status, error }, fact) {
    state.status = status;
    state.error = error;
    state.finishedAt = fact.businessAt;
  },
  CampaignRunEmptied(state) {
    state.list = null;
    state.batches = [];
    state.file = null;
  },
};

export const CAMPAIGN_RUN = 'campaignRun';

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
  evolve(state, fact) {
    const apply = must(APPLY[fact.type as keyof RunFacts], `a run of a campaign knows no fact ${fact.type}`);
    (apply as (state: RunState, body: unknown, fact: Fact) => void)(state, fact.body, fact);
    state.updatedStamp = fact.stamp;
    state.updatedAt = fact.businessAt;
  },
  clone: (state) => ({ ...state }),
  row: ({ id, createdStamp, updatedStamp, campaignId, status, list, batches, file }) =>
    createdStamp === 0
      ? null
      : {
          id,
          externalId: null,
          createdStamp,
          updatedStamp,
          parentId: campaignId,
          fields: { status, isUnderWay: isUnderWay(status), hasContents: list !== null || file !== null || batches.length > 0 },
        },
  pack: (state) => state,
  unpack: (packed) => packed as RunState,
};

/** What the key of a content is sealed for. */
const keyContext = (id: string, contentId: string): string => `campaignRun/${id}/${contentId}`;

interface Sealing {
  seal(owner: string, plain: string, context: string): Uint8Array;
}

interface Opening {
  open(owner: string, sealed: Uint8Array, context: string): string | undefined;
}

/** A content as its store gave it: the key in clear, in hexadecimal. */
export interface OpenContent {
  readonly contentId: string;
  readonly key: string;
}

export const sealedContent = (env: Sealing, id: string, { contentId, key }: OpenContent): RunContent => ({
  contentId,
  key: env.seal(id, key, keyContext(id, contentId)),
});

/** Null where the key of the run is gone. */
export function openContent(env: Opening, id: string, { contentId, key }: RunContent): OpenContent | null {
  const opened = env.open(id, key, keyContext(id, contentId));
  return opened === undefined ? null : { contentId, key: opened };
}
