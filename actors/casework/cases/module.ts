import { referredToScreen } from '../../contact/index.js';
import { type ActorModule, actorModule, type CatalogRow } from '../../kernel/actor.js';
import { moveWorkflowItem, startWorkflow } from '../workflows/decide.js';
import { workflowOfCase } from '../workflows/view.js';
import { changeBlock, liftBlock, setBlock } from './blocks.js';
import { cancelCall, rescheduleCall, scheduleCall } from './calls.js';
import { associateLoans, blockSubcase, closeSubcase, endAssociation, liftSubcaseBlock, sendForSubcase } from './commands/bulk.js';
import { createCase, deleteCase, viewCase } from './commands/create.js';
import { setCaseOwner, updateCase } from './commands/update.js';
import { endSnooze, snoozeCase } from './snooze.js';
import { attachDocument, detachDocument } from './documents.js';
import { cancelEscalation, changeEscalation, escalateCase } from './escalations.js';
import { evolveCase } from './evolve.js';
import { caseOfLoans } from './loans.js';
import { caseMachine, isActive } from './machine.js';
import { listCases, listPersonCases, partQueries } from './list.js';
import { isScheduled } from './notifications.js';
import { previewReviews } from './reviews.js';
import { selectCases } from './selection.js';
import { type CaseState, isReachable, newCase, openEscalation } from './state.js';
import { caseAgenda, caseBehind, catchUpCase } from './catch-up.js';

const PERSONAL: ReadonlySet<string> = new Set(['externalId', 'metaData', 'name']);

/** Cases, each on the shard of its borrower. */
export const caseModule: ActorModule = actorModule<CaseState>({
  definition: {
    kind: 'case',
    prefix: 'CS',
    initial: newCase,
    evolve: evolveCase,
    clone: (state) => ({ ...state }),
    personal: { names: PERSONAL, refused: PERSONAL, ownerOf: ({ personId }) => personId },
    row: caseRow,
    pack: (state) => state,
    unpack: (packed: CaseState) => packed,
    selects: selectCases,
    agenda: caseAgenda,
    behind: caseBehind,
    refersTo: (state, env) =>
      state.notifications.some(isScheduled) ? referredToScreen(env, state.personId, caseOfLoans(state).loanIds) : [],
    catchUp: (state, _throughDay, env) => catchUpCase(state, env),
    lifecycle: { machine: caseMachine, at: ({ status }) => ({ value: status }) },
  },
  commands: [
    createCase,
    updateCase,
    deleteCase,
    viewCase,
    setCaseOwner,
    associateLoans,
    endAssociation,
    snoozeCase,
    endSnooze,
    scheduleCall,
    rescheduleCall,
    cancelCall,
    escalateCase,
    changeEscalation,
    cancelEscalation,
    attachDocument,
    detachDocument,
    setBlock,
    changeBlock,
    liftBlock,
    closeSubcase,
    blockSubcase,
    liftSubcaseBlock,
    sendForSubcase,
    startWorkflow,
    moveWorkflowItem,
  ],
  queries: [listCases, listPersonCases, previewReviews, ...partQueries, workflowOfCase],
});

/** The case's row in the list index: the fields by which lists filter and sort, and the objects under which it is listed. */
function caseRow(state: CaseState): CatalogRow | null {
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
      // Never the name of the type instead: for an erased borrower the stored row has no name, and must equal the row from the journal.
      name: state.name,
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
