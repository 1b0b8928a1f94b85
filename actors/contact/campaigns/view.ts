import type { OpenContent } from '../../kernel/sealed-contents.js';
import { must } from '../../../engine/index.js';
import {
  campaignOf,
  campaignView,
  type CampaignView,
  companyOf,
  type CompanyState,
  type ContactExporter,
  openSecrets,
  READ_PERSON,
} from '../../company/index.js';
import { refuse } from '../../errors.js';
import { isPermitted } from '../../permission.js';
import { ALL_ROWS, type QueryContext, type QueryEnv, type QueryRequest, type QuerySpec, type QueryOf } from '../../kernel/actor.js';
import { actorView } from '../../kernel/actor-logic.js';
import { recordsOf } from '../../kernel/resources/index.js';

import { outlivedQuery } from '../../kernel/retention.js';
import { DEFAULT_LIMIT, type PageQuery } from '../../list-order.js';
import { type AnyId, dateTimeText, type DateTimeText, type ListResult, orNull } from '../../wire.js';
import { CAMPAIGN_RUN, CAMPAIGN_RUN_RETENTION, openContent, type RowBatch, type RowStatus, type RunState } from './run.js';

export interface CampaignRunView {
  readonly id: string;
  readonly object: 'campaignRun';
  readonly campaignId: string;
  readonly companyId: string;
  readonly trigger: RunState['trigger'];
  readonly status: RunState['status'];
  readonly startedAt: DateTimeText | null;
  readonly finishedAt: DateTimeText | null;
  readonly rowCount: number | null;
  readonly processedCount: number;
  readonly exportedCount: number;
  readonly sentCount: number;
  readonly blockedCount: number;
  readonly failedCount: number;
  readonly duplicateCount: number;
  /** Of the file, which `GET …/file` answers. */
  readonly fileDocumentId: string | null;
  readonly fileName: string | null;
  readonly error: string | null;
  readonly createdBy: ReturnType<typeof actorView>;
  /** As it was when the run was ordered. */
  readonly campaign: RunCampaignView;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** The fields of a campaign that a run repeats. */
type RunCampaignView = Omit<CampaignView, 'object' | 'companyId' | 'createdAt' | 'updatedAt' | 'deletedAt' | 'nextRunAt'>;

export interface CampaignRunQuery extends PageQuery {
  readonly status?: RunState['status'];
}

export interface CampaignRowQuery extends PageQuery {
  readonly status?: RowStatus;
}

export interface CampaignRowView {
  /** The number of the row, as text: where the next page begins. */
  readonly id: string;
  readonly object: 'campaignRunRow';
  readonly rowNumber: number;
  readonly borrowerId: AnyId | null;
  readonly status: RowStatus;
  readonly interactionId: string | null;
  readonly reason: string | null;
}

/** What a row came to, as its batch keeps it. */
export type RowResult = Pick<CampaignRowView, 'rowNumber' | 'borrowerId' | 'status' | 'interactionId' | 'reason'>;

export function runView(state: RunState, company: CompanyState): CampaignRunView {
  const { counts, file, campaignId } = state;
  const { secrets = null } = campaignOf(company, campaignId)?.stored ?? {};
  const campaign = campaignView({ ...must(state.campaign, 'a run that was ordered'), secrets });
  return {
    id: state.id,
    object: 'campaignRun',
    campaignId,
    companyId: state.tenant.company,
    trigger: state.trigger,
    status: state.status,
    startedAt: orNull(dateTimeText, state.startedAt),
    finishedAt: orNull(dateTimeText, state.finishedAt),
    rowCount: state.rowCount,
    processedCount: counts.processed,
    exportedCount: counts.exported,
    sentCount: counts.sent,
    blockedCount: counts.blocked,
    failedCount: counts.failed,
    duplicateCount: counts.duplicate,
    fileDocumentId: file?.contentId ?? null,
    fileName: file?.name ?? null,
    error: state.error,
    createdBy: actorView(must(state.createdBy, 'a run that was ordered')),
    campaign: { id: campaignId, ...campaign },
    createdAt: dateTimeText(state.createdAt),
    updatedAt: orNull(dateTimeText, state.updatedAt),
    deletedAt: null,
  };
}

/** A batch whose key is open. */
type OpenBatch = Omit<RowBatch, 'content'> & { readonly content: OpenContent };

/** All that the runner needs, secrets among it: it goes to nobody else. */
export interface RunWork {
  readonly state: RunState;
  readonly list: OpenContent | null;
  readonly batches: readonly OpenBatch[];
  readonly queryApiKey: string | null;
  readonly sftpPassword: string | null;
}

/** Where the results of a run lie. */
export interface RunContents {
  readonly batches: readonly OpenBatch[];
}

/** Where the file of a run lies. */
export interface RunFileContent extends OpenContent {
  readonly name: string;
}

export const runQueries: readonly QuerySpec<RunState>[] = [
  {
    kind: CAMPAIGN_RUN,
    type: 'campaignRun.get',
    on: 'target',
    read: (context) => runView(runOf(context), companyOf(context.env, context.env.tenant)),
  },
  {
    kind: CAMPAIGN_RUN,
    type: 'campaignRun.contents',
    on: 'target',
    read: (context): RunContents => ({ batches: openBatches(context.env, runOf(context)) }),
  },
  {
    kind: CAMPAIGN_RUN,
    type: 'campaignRun.file',
    on: 'target',
    read(context): RunFileContent {
      const { id, file } = runOf(context);
      const key = file && openContent(context.env, id, file);
      if (file === null || key === null) return refuse('notFound', `The run ${id} has no file.`);
      if (file.holdsPersonalData !== false && !isPermitted(context.request.permissions, READ_PERSON))
        refuse('permissionDenied', `The file of the run ${id} holds personal data: you need the permission ${READ_PERSON}.`, {
          extra: { permission: READ_PERSON },
        });
      return { ...key, name: file.name };
    },
  },
  {
    kind: CAMPAIGN_RUN,
    type: 'campaignRun.list',
    on: 'tenant',
    read({ query, request, env }: QueryOf<CampaignRunQuery>): ListResult<CampaignRunView> {
      const { limit = DEFAULT_LIMIT, startingAfter, endingBefore, status } = query;
      const company = companyOf(env, env.tenant);
      const page = env.list(CAMPAIGN_RUN, {
        parentId: campaignNamed(company, request).id,
        limit,
        ...(startingAfter === undefined ? {} : { startingAfter }),
        ...(endingBefore === undefined ? {} : { endingBefore }),
        ...(status === undefined ? {} : { matches: ({ fields }) => fields['status'] === status }),
      });
      const items = page.rows.map(({ id }) => runView(must(env.stateOf<RunState>(CAMPAIGN_RUN, id), id), company));
      return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
    },
  },
  // The service's own: no route leads here.
  {
    kind: CAMPAIGN_RUN,
    type: 'campaignRun.work',
    on: 'target',
    read({ state, env }): RunWork {
      const { contactExporterId, campaignId } = { ...must(state.campaign, 'a run that was ordered'), campaignId: state.campaignId };
      const company = companyOf(env, env.tenant);
      const secrets = openSecrets(env, campaignId, campaignOf(company, campaignId)?.stored.secrets ?? null);
      const exporter =
        contactExporterId === null ? undefined : recordsOf<ContactExporter>(company, 'contactExporter').get(contactExporterId);
      const ofExporter = exporter?.stored;
      const own = ofExporter?.sftpSettings == null ? null : openSecrets(env, contactExporterId ?? '', ofExporter.secrets);
      return {
        state,
        list: state.list && openContent(env, state.id, state.list),
        batches: openBatches(env, state),
        queryApiKey: secrets.queryApiKey ?? null,
        sftpPassword: (own === null ? secrets.sftpPassword : own.sftpPassword) ?? null,
      };
    },
  },
  {
    kind: CAMPAIGN_RUN,
    type: 'campaignRun.open',
    on: 'tenant',
    read({ env }): ListResult<string> {
      const page = env.listAll(CAMPAIGN_RUN, { limit: ALL_ROWS, matches: ({ fields }) => fields['isUnderWay'] === true });
      const items = page.rows.map(({ id }) => id).reverse(); // oldest first
      return { items, total: items.length, hasMore: false, hasPrevious: false };
    },
  },
  outlivedQuery(CAMPAIGN_RUN_RETENTION),
];

const openBatches = (env: QueryEnv, { id, batches }: RunState): readonly OpenBatch[] =>
  batches.flatMap(({ content, ...batch }) => {
    const opened = openContent(env, id, content);
    return opened === null ? [] : [{ ...batch, content: opened }];
  });

function campaignNamed(company: CompanyState, { params }: QueryRequest): { readonly id: string } {
  const anyId = params['borrowerCampaignId'] ?? '';
  return campaignOf(company, anyId) ?? refuse('notFound', `There is no campaign ${anyId}.`);
}

function runOf({ state, request, env }: QueryContext<RunState>): RunState {
  const { id } = campaignNamed(companyOf(env, env.tenant), request);
  return state.campaignId === id ? state : refuse('notFound', `The campaign ${id} has no run ${state.id}.`);
}
