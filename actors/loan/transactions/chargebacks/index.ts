import type { CommandSpec } from '../../../kernel/actor.js';
import type { LoanState } from '../../state.js';
import { disputeByCard } from './card-dispute.js';
import { createChargeback, updateChargeback } from './decide.js';

export { APPLY_CHARGEBACKS } from './record.js';
export { chargebackQueries } from './queries.js';

export const chargebackCommands: readonly CommandSpec<LoanState>[] = [createChargeback, updateChargeback, disputeByCard];
