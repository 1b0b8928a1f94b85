import type { CatalogRow } from '../../kernel/actor.js';
import { isActive } from './machine.js';
import { type CaseState, isReachable, openEscalation } from './state.js';

/** The case's line in the list index: what lists filter and order by. It hangs on whatever lists are asked for most. */
export function caseRow(state: CaseState): CatalogRow | null {
  if (!isReachable(state)) return null;
  const { owningEmployeeId, owningTeamId, supercaseId, supercasePopulationId, createdBy } = state;
  const loanIds = state.associations.map(({ objectId }) => objectId);
  return {
    id: state.id,
    externalId: state.externalId,
    createdStamp: state.createdStamp,
    updatedStamp: state.updatedStamp,
    parentId: state.personId,
    alsoUnder: [...loanIds, ...[owningEmployeeId, owningTeamId, supercasePopulationId, supercaseId].filter((id) => id !== null)],
    fields: {
      status: state.status,
      isActive: isActive(state.status),
      outcome: state.outcome,
      caseType: state.caseType,
      typeName: state.typeName,
      caseTypeId: state.caseTypeId,
      name: state.name ?? state.typeName,
      externalId: state.externalId,
      autoCreated: state.autoCreated,
      isEscalated: openEscalation(state) !== undefined,
      snoozedUntil: state.snooze?.until ?? null,
      owningEmployeeId,
      owningTeamId,
      supercaseId,
      createdAt: state.createdAt,
      updatedAt: state.updatedAt ?? state.createdAt,
      statusUpdatedAt: state.statusUpdatedAt,
      lastViewedAt: state.lastViewedAt,
      lastSubresourceUpdatedAt: state.lastSubresourceUpdatedAt,
      createdBy: createdBy?.userId ?? createdBy?.id ?? null,
    },
  };
}
