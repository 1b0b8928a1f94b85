import type { CommandContext } from '../../kernel/actor.js';
import { todayOf } from '../context.js';
import type { LedgerChanged } from '../facts.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';

export type Caused = Pick<ActionRequest, 'caseId'>;

/** What every fact of the ledger says beside what happens. */
export const recording = (
  { state, env }: CommandContext<LoanState>,
  request: Caused,
): Pick<LedgerChanged, 'recordedDay' | 'caseId' | 'reason'> => ({
  recordedDay: todayOf(env, state),
  caseId: request.caseId ?? null,
  reason: null,
});
