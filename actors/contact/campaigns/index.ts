import { type ActorModule, actorModule } from '../../kernel/actor.js';
import { runCommands } from './commands.js';
import { runDefinition, type RunState } from './run.js';
import { runQueries } from './view.js';

export { exportedContacts } from './exporting.js';
export { rowNamed } from './row-named.js';
export { unpackBatch } from './run-files.js';
export { CampaignRunner } from './runner.js';
export { type CampaignMeasure, OutsideFault } from './runner-ports.js';
export { CAMPAIGN_RUN, CAMPAIGN_RUN_RETENTION, type RunState } from './run.js';
export type { QueryList } from './rows.js';
export type { CampaignRowQuery, CampaignRowView, CampaignRunQuery, CampaignRunView, RunContents, RunFileContent } from './view.js';

/** Runs of campaigns, on the shared shard. */
export const campaignRunModule: ActorModule = actorModule<RunState>({
  definition: runDefinition,
  commands: runCommands,
  queries: runQueries,
});
