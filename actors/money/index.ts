import { type ActorModule, actorModule, type EvolveEnv } from '../kernel/actor.js';
import { ACH_FILE, achFileDefinition, type AchFileState } from './ach/ach-file.js';
import { achFileCommands } from './ach/commands.js';
import { achFileQueries } from './ach/view.js';
import { ledgerBatchModule } from './general-ledger/index.js';
import { reconciliationDefinition, type ReconciliationState } from './reconciliation/reconciliation.js';
import { reconciliationCommands, reconciliationQueries } from './reconciliation/index.js';

export { unpackIncoming, unpackOutgoing } from './ach/entries.js';
export { type BankServers, type InboxFile, type Placed, UploadUncertain } from './ach/ports.js';
export { AchRunner } from './ach/runner.js';
export * from './general-ledger/index.js';
export type { AchFileListQuery, AchFileTransactionView, AchFileView, AchFileWork } from './ach/view.js';
export type { ReconciliationListQuery, BankReconciliationView, ResolveReconciliationRequest } from './reconciliation/index.js';

/** Files for banks and from them, and what the days of processors came to, on the shared shard. */
export const moneyModules: readonly ActorModule[] = [
  actorModule<AchFileState>({ definition: achFileDefinition, commands: achFileCommands, queries: achFileQueries }),
  actorModule<ReconciliationState>({
    definition: reconciliationDefinition,
    commands: reconciliationCommands,
    queries: reconciliationQueries,
  }),
  ledgerBatchModule,
];

/** Whether the bank has confirmed a file. */
export const isFileConfirmed = (env: EvolveEnv, achFileId: string): boolean =>
  env.read<AchFileState>(ACH_FILE, achFileId)?.status === 'confirmed';
