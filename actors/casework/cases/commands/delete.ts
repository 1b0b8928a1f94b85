import { refuse } from '../../../errors.js';
import { doneToLoans } from '../at-loans.js';
import { fact, onCase } from '../context.js';
import { deskAfterDelete } from '../desk.js';
import { caseOfLoans } from '../loans-meant.js';
import { notificationsCanceled } from '../notifications/firing.js';
import { activeBlock } from '../state.js';

/**
 * `DELETE /people/{personId}/cases/{caseId}`: the case is kept and out of reach, its block is lifted, what was to be sent for it is not.
 */
export const deleteCase = onCase('case.delete', 'delete', ({ state, env }) => {
  if (state.supercaseId !== null) refuse('invalidState', `The case belongs to the supercase ${state.supercaseId}, which closes it.`);
  const block = activeBlock(state);
  const lifted = block ? [fact('BlockEnded', { id: block.id, status: 'lifted' })] : [];
  const atLoans = doneToLoans(env, caseOfLoans(state), caseOfLoans({ ...state, status: 'deleted' }));
  return {
    facts: [...lifted, ...notificationsCanceled(state), ...deskAfterDelete(env, state), ...atLoans, fact('CaseDeleted', {})],
    reply: () => ({ data: undefined }),
  };
});
