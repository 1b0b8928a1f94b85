import { type ActorModule, actorModule } from '../../kernel/actor.js';
import { bankStatementCommands } from './commands.js';
import { bankStatementDefinition, type BankStatementState } from './statement.js';
import { bankStatementQueries } from './view.js';

export type { ImportStatementBody, MatchEntryRequest } from './commands.js';
export { keptEntries, packStatement, unpackEntryList, unpackResults } from './entries.js';
export { loanOfPayout } from './payouts.js';
export { BankStatementRunner } from './runner.js';
export { BANK_STATEMENT_RETENTION } from './statement.js';
export {
  bankEntryView,
  type BankStatementEntryQuery,
  type BankStatementEntryView,
  type BankStatementListQuery,
  type BankStatementView,
  type BankStatementWork,
  warningViews,
} from './view.js';

/** Statements of banks, on the shared shard. */
export const bankStatementModule: ActorModule = actorModule<BankStatementState>({
  definition: bankStatementDefinition,
  commands: bankStatementCommands,
  queries: bankStatementQueries,
});
