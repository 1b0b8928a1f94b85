import type { InteractionStatus } from '../../../engine/index.js';
import type { EventDraft, EventRefs } from '../../kernel/fact.js';
import type { InteractionState } from './state.js';

/** Events of what the service itself sends (communications 4.8, platform 2): what others have said elsewhere is told of by nobody. */
export function eventsOf(state: InteractionState, before: InteractionStatus | null): readonly EventDraft[] {
  const { status, direction, isExternal } = state;
  if (isExternal || direction !== 'outbound' || status === before) return [];
  const isFirst = before === null || before === 'scheduled';
  if (status === 'failed' && state.statusDetails === 'blockedByComplianceGuard' && isFirst) return [blocked(state), sent(state)];
  return status === 'attempted' && isFirst ? [sent(state)] : [];
}

function about({ id, personId, loanId, loanIds, caseId }: InteractionState): Pick<EventDraft, 'objectType' | 'objectId' | 'refs'> {
  const loan = loanId ?? (loanIds.length === 1 ? loanIds[0] : undefined);
  const refs: EventRefs = {
    interactionId: id,
    ...(personId === null ? {} : { personId }),
    ...(loan === undefined ? {} : { loanId: loan }),
    ...(caseId === null ? {} : { caseId }),
  };
  return { objectType: 'interaction', objectId: id, refs };
}

function sent(state: InteractionState): EventDraft {
  const { id: interactionId, channel, subject, theme, status, statusDetails, isTransactional } = state;
  return {
    ...about(state),
    eventType: 'communication.send',
    data: { interactionId, channel, subject, theme, status, statusDetails, isTransactional },
  };
}

function blocked(state: InteractionState): EventDraft {
  const { id: interactionId, channel, subject, theme, statusDetails, complianceGuardRuleId: ruleId, blockReason: reason } = state;
  return {
    ...about(state),
    eventType: 'interaction.blocked',
    data: { interactionId, channel, subject, theme, statusDetails, ruleId, reason },
  };
}
