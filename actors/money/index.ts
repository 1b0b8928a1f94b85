import { type ActorModule, actorModule, type EvolveEnv } from '../kernel/actor.js';
import { ACH_FILE, achFileDefinition, type AchFileState } from './ach/ach-file.js';
import { achFileCommands } from './ach/commands.js';
import { achFileQueries } from './ach/view.js';
import { bankStatementModule } from './bank-statements/index.js';
import { ledgerBatchModule } from './general-ledger/index.js';
import {
  reconciliationCommands,
  reconciliationDefinition,
  reconciliationQueries,
  type ReconciliationState,
} from './reconciliation/index.js';

export { ACH_FILE, ACH_FILE_RETENTION, type AchFileState, slotText } from './ach/ach-file.js';
export { unpackIncoming, unpackOutgoing } from './ach/entries.js';
export { type BankServers, type InboxFile, type Placed, UploadUncertain } from './ach/ports.js';
export { AchRunner, type BankSeen } from './ach/runner.js';
export {
  type CardServers,
  type CardResults,
  type CardResultItem,
  type VerificationAnswer,
  type AuthorizationAnswer,
  type MoneyAnswer,
  type VerificationAsked,
  type AuthorizationAsked,
  type MoneyAsked,
  ofReference,
} from './cards/ports.js';
export { keyOfCardCall, verificationOf } from './cards/payments.js';
export { CardRunner, type CardsSeen } from './cards/runner.js';
export * from './general-ledger/index.js';
export type { AchFileListQuery, AchFileTransactionView, AchFileView, AchFileWork } from './ach/view.js';
export * from './bank-statements/index.js';
export {
  type BankReconciliationView,
  RECONCILIATION,
  type ReconciliationListQuery,
  type ReconciliationState,
  type ResolveReconciliationRequest,
} from './reconciliation/index.js';

/** Files for banks and from them, and what the days of processors came to, on the shared shard. */
export const moneyModules: readonly ActorModule[] = [
  actorModule<AchFileState>({ definition: achFileDefinition, commands: achFileCommands, queries: achFileQueries }),
  actorModule<ReconciliationState>({
    definition: reconciliationDefinition,
    commands: reconciliationCommands,
    queries: reconciliationQueries,
  }),
  bankStatementModule,
  ledgerBatchModule,
];

/** Whether the bank has confirmed a file. */
export const isFileConfirmed = (env: EvolveEnv, achFileId: string): boolean =>
  env.read<AchFileState>(ACH_FILE, achFileId)?.status === 'confirmed';
