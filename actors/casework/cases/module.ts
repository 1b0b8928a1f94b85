import { type ActorModule, actorModule } from '../../kernel/actor.js';
import { changeBlock, liftBlock, setBlock } from './blocks/commands.js';
import { cancelCall, rescheduleCall, scheduleCall } from './calls/commands.js';
import { associateLoans, endAssociation } from './commands/associations.js';
import { blockSubcase, closeSubcase, liftSubcaseBlock } from './commands/bulk.js';
import { sendForSubcase } from './commands/bulk-send.js';
import { createCase } from './commands/create.js';
import { deleteCase } from './commands/delete.js';
import { setCaseOwner, updateCase } from './commands/update.js';
import { viewCase } from './commands/view.js';
import { caseAgenda, caseBehind, catchUpCase } from './deadlines.js';
import { attachDocument, detachDocument } from './documents/commands.js';
import { cancelEscalation, changeEscalation, escalateCase } from './escalations/commands.js';
import { evolveCase } from './evolve.js';
import { listCases, listPersonCases } from './queries/list.js';
import { partQueries } from './queries/parts.js';
import { previewReviews } from './reviews/preview.js';
import { caseRow } from './row.js';
import { selectCases } from './selection.js';
import { snoozeCase, wakeCase } from './snooze/commands.js';
import { moveWorkflowItem, startWorkflow } from '../workflows/commands.js';
import { workflowOfCase } from '../workflows/queries.js';
import { type CaseState, newCase } from './state.js';

const PERSONAL: ReadonlySet<string> = new Set(['externalId', 'metaData', 'name']);

/** Cases, each on the shard of its borrower. */
export const caseModule: ActorModule = actorModule<CaseState>({
  definition: {
    kind: 'case',
    prefix: 'CS',
    initial: newCase,
    evolve: evolveCase,
    clone: (state) => ({ ...state }),
    personal: { names: PERSONAL, ownerOf: ({ personId }) => personId },
    row: caseRow,
    pack: (state) => state,
    unpack: (packed) => packed as CaseState,
    selects: selectCases,
    agenda: caseAgenda,
    behind: caseBehind,
    catchUp: (state, _throughDay, env) => catchUpCase(state, env),
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
    wakeCase,
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
