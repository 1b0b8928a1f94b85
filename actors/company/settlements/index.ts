import { type ActorModule, actorModule } from '../../kernel/actor.js';
import { settlementCommands } from './commands.js';
import { settlementDefinition, type SettlementState } from './settlement.js';
import { settlementQueries } from './view.js';

export {
  type CreateSettlementBody,
  type FailSettlementBody,
  type CreateSettlementQuery,
  nextPeriodEnd,
  NOTE_REMITTANCE,
  REMIT,
  type SettlementLinesBody,
  type SettlementMovedBody,
} from './commands.js';
export { type LastSettled, type LinesOfLoan, type SettlementLine, SettlementRunner, Sums } from './runner.js';
export { isPaidBy, SETTLEMENT, type SettlementState } from './settlement.js';
export {
  settlementAmounts,
  type SettlementContents,
  type SettlementTransfer,
  type SettlementListQuery,
  type SettlementView,
} from './view.js';

/** Settlements with investors, on the shared shard. */
export const settlementModule: ActorModule = actorModule<SettlementState>({
  definition: settlementDefinition,
  commands: settlementCommands,
  queries: settlementQueries,
});
