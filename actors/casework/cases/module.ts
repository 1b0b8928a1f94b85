import { day } from '../../../engine/index.js';
import { type ActorModule, actorModule, type AgendaEntry, type CatalogRow, type DecideEnv, type EvolveEnv } from '../../kernel/actor.js';
import { dayOfMoment, type FactDraft, MOMENTS } from '../../kernel/fact.js';
import { moveWorkflowItem, startWorkflow } from '../workflows/decide.js';
import { workflowOfCase } from '../workflows/view.js';
import { changeBlock, liftBlock, setBlock } from './blocks.js';
import { cancelCall, rescheduleCall, scheduleCall } from './calls.js';
import { associateLoans, blockSubcase, closeSubcase, endAssociation, liftSubcaseBlock, sendForSubcase } from './commands/bulk.js';
import { createCase, deleteCase, viewCase } from './commands/create.js';
import { setCaseOwner, updateCase } from './commands/update.js';
import { fact } from './context.js';
import { callToMake, reviewOfSnoozed } from './agent-work.js';
import { endSnooze, snoozeCase } from './snooze.js';
import { attachDocument, detachDocument } from './documents.js';
import { cancelEscalation, changeEscalation, escalateCase } from './escalations.js';
import { evolveCase } from './evolve.js';
import { isActive } from './machine.js';
import { isScheduled, notificationDue, notificationSent } from './notifications.js';
import { listCases, listPersonCases, partQueries } from './list.js';
import { isPlanStale, planned, previewReviews, reviewDue } from './reviews.js';
import { selectCases } from './selection.js';
import { activeBlock, type CaseState, isReachable, newCase, openEscalation } from './state.js';
import { caseMachine } from './machine.js';

/** Facts that are due at a moment. */
interface Deadline {
  readonly at: number;
  readonly facts: (env: DecideEnv) => readonly FactDraft[];
}

/** The deadlines of a case. The shard asks for the next one and records its facts when it is due. */
function* deadlines(state: CaseState): Iterable<Deadline> {
  const { snooze } = state;
  if (snooze)
    yield { at: snooze.until, facts: (env) => [fact('CaseWoken', { id: snooze.id, at: snooze.until }), ...reviewOfSnoozed(env, state)] };
  for (const { id, status, isDue, scheduledAt: at } of state.calls) {
    if (status === 'scheduled' && !isDue) yield { at, facts: (env) => [fact('CallFellDue', { id, at }), ...callToMake(env, state, id)] };
  }
  for (const notification of state.notifications) {
    const { isDue, scheduledAt: at } = notification;
    if (isScheduled(notification))
      yield { at, facts: (env) => (isDue ? notificationSent(env, state, notification) : [notificationDue(env, state, notification)]) };
  }
  const { at: reviewAt } = state.review;
  if (reviewAt !== null) yield { at: reviewAt, facts: (env) => reviewDue(env, state, reviewAt) };
  const block = activeBlock(state);
  const { endsAt = null } = block ?? {};
  if (block && endsAt !== null) yield { at: endsAt, facts: () => [fact('BlockEnded', { id: block.id, status: 'expired', at: endsAt })] };
}

function nextDeadline(state: CaseState): Deadline | null {
  let next: Deadline | null = null;
  for (const deadline of deadlines(state)) if (next === null || deadline.at < next.at) next = deadline;
  return next;
}

function caseAgenda(state: CaseState): AgendaEntry | null {
  const next = isReachable(state) ? nextDeadline(state) : null;
  return next && { zone: MOMENTS, nextDay: dayOfMoment(next.at) };
}

const AT_ONCE: AgendaEntry = { zone: MOMENTS, nextDay: day(0) };

/** A case whose plan of reviews does not fit its type and fields has to plan again. */
const caseBehind = (state: CaseState, env: EvolveEnv): AgendaEntry | null =>
  isReachable(state) && isPlanStale(state, env) ? AT_ONCE : null;

/** The facts that are due by now, the earliest first. Each is applied before the next one is requested. */
function* catchUpCase(state: CaseState, env: DecideEnv): Iterable<FactDraft> {
  for (;;) {
    if (isPlanStale(state, env)) yield planned(state, env);
    const next = nextDeadline(state);
    if (next === null || dayOfMoment(next.at) > env.today(MOMENTS)) return;
    yield* next.facts(env);
  }
}

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
