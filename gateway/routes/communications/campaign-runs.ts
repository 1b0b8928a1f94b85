import typia from 'typia';
import {
  type CampaignRowQuery,
  type CampaignRowView,
  type CampaignRunQuery,
  type CampaignRunView,
  type ListResult,
  Refusal,
  type RunContents,
  unpackBatch,
} from '../../../actors/index.js';
import type { ContentStore } from '../../documents/content-store.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';
import { ownCompany } from '../own-company.js';

const TAGS = ['Campaigns'];
const RUNS = '/companies/{companyId}/campaigns/{borrowerCampaignId}/runs';
const RUN = '/companies/{companyId}/campaigns/{borrowerCampaignId}/runs/{campaignRunId}';
const reply = typia.json.schemas<[CampaignRunView], '3.1'>();

/** Runs of campaigns, what became of their rows, and their files. */
export const campaignRunRoutes = (contents: ContentStore): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: RUNS,
    operation: 'listCampaignRuns',
    summary: 'List the runs of a campaign',
    tags: TAGS,
    permission: 'campaign:read',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<CampaignRunQuery>(), schemas: typia.json.schemas<[CampaignRunQuery], '3.1'>() },
    reply: typia.json.schemas<[CampaignRunView[]], '3.1'>(),
    handle: (call) => {
      ownCompany(call);
      return call.read('campaignRun.list', null);
    },
  }),
  defineRoute({
    method: 'POST',
    path: RUNS,
    operation: 'startCampaignRun',
    summary: 'Start a run of a campaign by hand',
    tags: TAGS,
    permission: 'campaign:run',
    success: 202,
    reply,
    handle: (call) => call.command('campaignRun.start', ownCompany(call), { body: {} }),
  }),
  defineRoute({
    method: 'GET',
    path: RUN,
    operation: 'getCampaignRun',
    summary: 'Get a run of a campaign',
    tags: TAGS,
    permission: 'campaign:read',
    reply,
    handle: (call) => {
      ownCompany(call);
      return call.read('campaignRun.get', call.params.campaignRunId);
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${RUN}/cancel`,
    operation: 'cancelCampaignRun',
    summary: 'Stop a run of a campaign',
    tags: TAGS,
    permission: 'campaign:run',
    reply,
    handle: (call) => {
      ownCompany(call);
      return call.command('campaignRun.cancel', call.params.campaignRunId);
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${RUN}/rows`,
    operation: 'listCampaignRunRows',
    summary: 'List what became of the rows of a run',
    tags: TAGS,
    permission: 'campaign:read',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<CampaignRowQuery>(), schemas: typia.json.schemas<[CampaignRowQuery], '3.1'>() },
    reply: typia.json.schemas<[CampaignRowView[]], '3.1'>(),
    handle: async (call) => ({ data: await rowPage(contents, await contentsOf(call), call.query) }),
  }),
  defineRoute({
    method: 'GET',
    path: `${RUN}/file`,
    operation: 'downloadCampaignRunFile',
    summary: 'Download the file of a run',
    description:
      'CSV (RFC 4180) in UTF-8. Kept for 90 days of the company after the run. A file with personal data also needs the permission ' +
      'person:read.',
    tags: TAGS,
    permission: 'campaign:read',
    envelope: 'file',
    handle: async (call): Promise<Reply> => {
      ownCompany(call);
      const { data: file } = await call.read('campaignRun.file', call.params.campaignRunId, { query: {} });
      return {
        data: await contents.get(file),
        headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': `attachment; filename="${file.name}"` },
      };
    },
  }),
];

type RunCall = Call<{ readonly companyId: string; readonly campaignRunId: string }>;

async function contentsOf(call: RunCall): Promise<RunContents> {
  ownCompany(call);
  return (await call.read('campaignRun.contents', call.params.campaignRunId, { query: {} })).data;
}

const DEFAULT_LIMIT = 25;

/** Rows by their numbers. Only batches are read that have rows of the page. */
async function rowPage(contents: ContentStore, { batches }: RunContents, query: CampaignRowQuery): Promise<ListResult<CampaignRowView>> {
  const { limit = DEFAULT_LIMIT, startingAfter, endingBefore, status } = query;
  const isBackward = endingBefore !== undefined;
  const bound = endingBefore ?? startingAfter;
  const edge = bound === undefined ? null : numberOf(bound, isBackward ? 'endingBefore' : 'startingAfter');
  const held = batches.map((batch) => {
    const count = status === undefined ? sum(Object.values(batch.statuses)) : (batch.statuses[status] ?? 0);
    return { ...batch, count, through: batch.from + sum(Object.values(batch.statuses)) - 1 };
  });
  const isBeyond = ({ from, through }: (typeof held)[number]): boolean => edge === null || (isBackward ? from < edge : through > edge);
  const wanted = held.filter((batch) => batch.count > 0 && isBeyond(batch));
  const found: CampaignRowView[] = [];
  for (const { content } of isBackward ? wanted.reverse() : wanted) {
    if (found.length > limit) break;
    const { results } = unpackBatch(await contents.get(content));
    const matching = results.filter(
      (row) =>
        (status === undefined || row.status === status) && (edge === null || (isBackward ? row.rowNumber < edge : row.rowNumber > edge)),
    );
    found.push(
      ...(isBackward ? matching.reverse() : matching).map(
        (row): CampaignRowView => ({ id: String(row.rowNumber), object: 'campaignRunRow', ...row }),
      ),
    );
  }
  const isCut = found.length > limit;
  const items = found.slice(0, limit);
  const total = sum(held.map(({ count }) => count));
  return isBackward
    ? { items: items.reverse(), total, hasMore: true, hasPrevious: isCut }
    : { items, total, hasMore: isCut, hasPrevious: edge !== null };
}

const sum = (counts: readonly (number | undefined)[]): number => counts.reduce<number>((total, count) => total + (count ?? 0), 0);

function numberOf(text: string, path: string): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isNaN(value)) return value;
  throw new Refusal('badRequest', 'The cursor names no row of this run.', {
    errors: [{ path, expected: 'the number of a row', message: 'unknown cursor' }],
  });
}
