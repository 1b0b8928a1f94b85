import { type ActorModule, actorModule } from '../../kernel/actor.js';
import { batchDefinition, type BatchState } from './batch.js';
import { batchCommands } from './commands.js';
import { receiptQueries } from './receipts.js';
import { batchQueries } from './view.js';

export type { CreateLedgerExportBody } from './commands.js';
export type { LedgerEntryListQuery, LedgerEntryTrace, LedgerEntryView } from './entry-view.js';
export { type LedgerPeriodListQuery, type LedgerPeriodView, periodCommands, periodQueries } from './periods.js';
export type { OpenOfPeriod } from './period-work.js';
export { GeneralLedgerReading } from './reading.js';
export type { LedgerReport, LedgerReportQuery } from './reports.js';
export { GeneralLedgerRunner } from './runner.js';
export type { LedgerBatchDetailsView, LedgerBatchListQuery, LedgerBatchView, LedgerExportView, LedgerFile } from './view.js';

/** Days of the books, on the shared shard. */
export const ledgerBatchModule: ActorModule = actorModule<BatchState>({
  definition: batchDefinition,
  commands: batchCommands,
  queries: [...batchQueries, ...receiptQueries],
});
