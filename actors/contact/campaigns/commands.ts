import type { OpenContent } from '../../kernel/sealed-contents.js';
import { assert, type Day, dayAt, must } from '../../../engine/index.js';
import { campaignOf, type CampaignRecord, companyOf, type CompanyState, campaignRan, runDueOn, zoneOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { dropCommand } from '../../kernel/retention.js';
import {
  CAMPAIGN_RUN,
  CAMPAIGN_RUN_RETENTION,
  isUnderWay,
  type RowStatus,
  type RunCounts,
  type RunFacts,
  type RunFile,
  type RunState,
  type RunStatus,
  sealedContent,
} from './run.js';
import { runView } from './view.js';

type Context<Body = unknown> = CommandContext<RunState, Body>;

const fact = <Type extends keyof RunFacts>(type: Type, body: RunFacts[Type]): FactDraft => ({ type, body });

/** What the scheduler says of the run that it starts. */
export interface ScheduledRunBody {
  /** The company's day. */
  readonly scheduledOn?: Day;
}

/** The rows that were done, with their counts in all. */
export interface RowsDoneBody {
  readonly from: number;
  readonly statuses: { readonly [Status in RowStatus]?: number };
  readonly counts: RunCounts;
  readonly content: OpenContent;
}

export interface RunListedBody {
  readonly rowCount: number;
  readonly list: OpenContent;
}

export interface RunFileBody extends OpenContent {
  readonly file: RunFile;
}

export interface RunEndedBody {
  readonly status: 'succeeded' | 'partiallyFailed' | 'failed';
  readonly error: string | null;
}

export const runCommands: readonly CommandSpec<RunState>[] = [
  {
    kind: CAMPAIGN_RUN,
    type: 'campaignRun.start',
    place: { on: 'beside', kind: 'company' },
    catchesUp: false,
    decide: startRun,
  },
  onRun('campaignRun.cancel', (context) => shown(context, [fact('CampaignRunEnded', { status: 'canceled', error: null })])),
  service('campaignRun.begin', ({ state }) => (state.status === 'queued' ? [fact('CampaignRunBegan', {})] : wrong(state))),
  service('campaignRun.listed', ({ state, env, body }: Context<RunListedBody>) => {
    if (state.status !== 'querying') return wrong(state);
    const { rowCount, list } = body;
    return [fact('CampaignRunListed', { rowCount, list: sealedContent(env, state.id, list) })];
  }),
  service('campaignRun.rowsDone', ({ state, env, body }: Context<RowsDoneBody>) => {
    const { from, statuses, counts, content } = body;
    if (state.status !== 'processing' || from !== state.counts.processed + 1) return wrong(state);
    return [fact('CampaignRowsDone', { batch: { from, statuses, content: sealedContent(env, state.id, content) }, counts })];
  }),
  service('campaignRun.fileStored', ({ state, env, body }: Context<RunFileBody>) => {
    const { file, ...content } = body;
    if (state.status !== 'processing') return wrong(state);
    return [fact('CampaignFileStored', { ...sealedContent(env, state.id, content), ...file })];
  }),
  service('campaignRun.end', ({ body }: Context<RunEndedBody>) => [fact('CampaignRunEnded', body)]),
  dropCommand(CAMPAIGN_RUN_RETENTION),
];

/** A run of a campaign that runs already is recorded, and skipped. */
function startRun({ env, id, besideId, body, command }: Context): Decision<RunState> {
  const company = companyOf(env, env.tenant);
  const campaign = livingCampaign(company, command.params['borrowerCampaignId'] ?? '');
  const { scheduledOn } = (body ?? {}) as ScheduledRunBody;
  const isScheduled = scheduledOn !== undefined;
  if (isScheduled) {
    assert(command.actor.type === 'system', 'days are scheduled by the service');
    if (campaign.stored.status !== 'active' || runDueOn(campaign.id, campaign.stored, scheduledOn, zoneOf(company)) === null)
      return refuse('invalidState', `The campaign ${campaign.id} has no run on that day.`);
  }
  const before = campaign.stored.lastRunId === null ? undefined : env.read<RunState>(CAMPAIGN_RUN, campaign.stored.lastRunId);
  const isRunning = before !== undefined && isUnderWay(before.status);
  const { secrets: _secret, ...shownCampaign } = campaign.stored;
  env.createKey(id);
  const day = scheduledOn ?? dayAt(zoneOf(company), env.now);
  const ordered: RunFacts['CampaignRunOrdered'] = {
    campaignId: campaign.id,
    campaign: shownCampaign,
    trigger: isScheduled ? 'schedule' : 'manual',
    day,
    status: isRunning ? 'skipped' : 'queued',
    error: isRunning ? `The run ${before.id} is still going.` : null,
  };
  const target = { kind: 'company', id: must(besideId, 'a run lies beside its company') };
  const ran = campaignRan(campaign, { runId: isRunning ? null : id, scheduledOn: scheduledOn ?? null });
  return {
    facts: [fact('CampaignRunOrdered', ordered), { ...ran, target }],
    reply: (after) => ({ data: runView(after, company), status: 202 }),
  };
}

function livingCampaign(company: CompanyState, anyId: string): CampaignRecord {
  const campaign = campaignOf(company, anyId);
  return campaign && campaign.stored.status !== 'deleted' ? campaign : refuse('notFound', `There is no campaign ${anyId}.`);
}

function onRun<Body>(type: string, decide: (context: Context<Body>) => Decision<RunState>): CommandSpec<RunState, Body> {
  return {
    kind: CAMPAIGN_RUN,
    type,
    place: { on: 'target' },
    catchesUp: false,
    decide(context) {
      const { state, command, env } = context;
      const { borrowerCampaignId } = command.params;
      if (borrowerCampaignId !== undefined && campaignOf(companyOf(env, env.tenant), borrowerCampaignId)?.id !== state.campaignId)
        return refuse('notFound', `The campaign ${borrowerCampaignId} has no run ${state.id}.`);
      return isUnderWay(state.status) ? decide(context) : wrong(state);
    },
  };
}

/** The service's own: no route leads here. */
function service<Body>(type: string, decide: (context: Context<Body>) => readonly FactDraft[]): CommandSpec<RunState, Body> {
  return onRun(type, (context) => {
    assert(context.command.actor.type === 'system', 'runs are made by the service');
    return { facts: decide(context), reply: () => ({ data: undefined }) };
  });
}

const shown = ({ env }: Context, facts: readonly FactDraft[]): Decision<RunState> => ({
  facts,
  reply: (after) => ({ data: runView(after, companyOf(env, env.tenant)) }),
});

const wrong = ({ id, status }: { readonly id: string; readonly status: RunStatus }): never =>
  refuse('invalidState', `The run ${id} is ${status}.`);
