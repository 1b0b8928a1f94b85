import { type ActorModule, actorModule } from '../../kernel/actor.js';
import { creditFileCommands } from './commands.js';
import { creditFileDefinition, type CreditFileState } from './credit-file.js';
import { creditFileQueries } from './view.js';

export type { CreateCreditFileRequest } from './commands.js';
export { CREDIT_FILE, CREDIT_FILE_RETENTION, type CreditFileState } from './credit-file.js';
export { missingForHeader } from './header.js';
export type { PreviewedRecord } from './preview.js';
export { CreditFileRunner } from './runner.js';
export {
  type CreditFileContents,
  type CreditFilesQuery,
  type CreditFileView,
  creditFileQueriesOfLoans,
} from './view.js';

/** Files for credit agencies, on the shared shard. */
export const creditFileModule: ActorModule = actorModule<CreditFileState>({
  definition: creditFileDefinition,
  commands: creditFileCommands,
  queries: creditFileQueries,
});
