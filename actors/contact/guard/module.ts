import { type ActorModule, actorModule, type CatalogRow } from '../../kernel/actor.js';
import { canInteract, evolveDecision } from './can-interact.js';
import { COMPLIANCE_DECISION, decisionQueries, type DecisionState, newDecision } from './state.js';

/** The log of the guard. Each entry is an actor on its borrower's shard. */
export const complianceModule: ActorModule = (() => {
  const log = actorModule<DecisionState>({
    definition: {
      kind: COMPLIANCE_DECISION,
      prefix: 'CG',
      initial: newDecision,
      evolve: evolveDecision,
      clone: (state) => ({ ...state }),
      row: rowOf,
      pack: (state) => state,
      unpack: (packed: DecisionState) => packed,
    },
    commands: [],
    queries: decisionQueries,
  });
  return { ...log, commands: [canInteract] };
})();

/** An entry that is shelved, or left the log in an earlier release, has no row. */
function rowOf({ id, said, shelved, createdAt, createdStamp }: DecisionState): CatalogRow | null {
  if (said === null || shelved !== undefined) return null;
  const { personId, result, ruleId, rules } = said;
  const ruleIds = [...new Set([...(ruleId === null ? [] : [ruleId]), ...rules.filter(({ blocks }) => blocks).map((rule) => rule.ruleId)])];
  return { id, externalId: null, createdStamp, updatedStamp: createdStamp, parentId: personId, fields: { result, ruleIds, createdAt } };
}
