import type { CatalogRow } from '../../kernel/actor.js';
import { type InteractionState, isMissedCall, isReachable } from './state.js';

/**
 * The interaction's line in the list index, below its borrower, case and loans: what lists filter by, and all that limits of contacts ask.
 */
export function interactionRow(state: InteractionState): CatalogRow | null {
  if (!isReachable(state)) return null;
  const { id, externalId, personId, caseId, loanIds, createdStamp, updatedStamp } = state;
  return {
    id,
    externalId,
    createdStamp,
    updatedStamp,
    parentId: personId,
    alsoUnder: [caseId, ...loanIds].filter((other) => other !== null),
    fields: {
      channel: state.channel,
      direction: state.direction,
      status: state.status,
      statusDetails: state.statusDetails,
      subject: state.subject,
      theme: state.theme,
      agentOutcome: state.agentOutcome,
      contactId: state.contactId,
      caseId,
      loanIds,
      isExternal: state.isExternal,
      isTransactional: state.isTransactional,
      sensitive: state.sensitive,
      hasRecording: state.hasRecording,
      isOutgoing: state.delivery?.phase === 'waiting',
      missedCall: isMissedCall(state),
      templateVersionId: state.templateVersionId,
      supercaseBulkOperationId: state.supercaseBulkOperationId,
      startedAt: state.startedAt,
      scheduledAtFrom: state.scheduledAtFrom,
      createdAt: state.createdAt,
      updatedAt: state.updatedAt ?? state.createdAt,
    },
  };
}
