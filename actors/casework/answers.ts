import { type CaseOfHit, findDocument, type HitOfBorrower, type PersonFacts, type PersonState } from '../borrower/index.js';
import type { TaskType } from '../company/index.js';
import type { HydrationEnv, InteractionOfTask, LastTaskMeta, WorkerOfCase } from '../contact/index.js';
import { ALL_ROWS, type CommandContext, type DecideEnv, type EvolveEnv, type QueryEnv } from '../kernel/actor.js';
import { resolveId } from '../kernel/ids.js';
import { bodiesOf, type FactDraft } from '../kernel/fact.js';
import type { DisputedPurchase, DisputeStatus, LoanState, NamedCase, PurchaseFacts } from '../loan/index.js';
import { reviewOfUpload } from './cases/agent-work.js';
import { openedBySystem } from './cases/commands/create.js';
import { changedBySystem, closedBySystem } from './cases/commands/update.js';
import { isClosed } from './cases/machine.js';
import type { CaseState } from './cases/state.js';
import { caseView, courtCaseNumberOf } from './cases/view.js';
import { taskBesideOnce, taskForCase } from './tasks/creation.js';
import type { TaskState } from './tasks/state.js';
import { taskView } from './tasks/view.js';

/*
 * Answers of casework to questions of borrowers, loans and contacts. Each is a row of `actors/policies.ts`.
 */

export function caseNamed(env: DecideEnv, anyId: string): NamedCase | undefined {
  const id = resolveId(env, env.tenant, 'case', anyId);
  const found = id === undefined ? undefined : env.read<CaseState>('case', id);
  if (found === undefined || found.status === 'deleted') return undefined;
  const { personId, status } = found;
  return { id: found.id, personId, status, isClosed: isClosed(status) };
}

/** The type of case that a kind of hit opens. Disasters open supercases, reassigned numbers nothing. */
const TYPES_OF_HITS: {
  readonly [Kind in HitOfBorrower['kind']]?: 'bankruptcy' | 'deceased' | 'militaryDuty' | 'oFACSanctionedIndividual';
} = {
  bankruptcy: 'bankruptcy',
  deceased: 'deceased',
  militaryDuty: 'militaryDuty',
  sanctions: 'oFACSanctionedIndividual',
};

/** Opens the case of a new hit, or changes the case that the hit has opened before; when that one was deleted, it opens another. */
export function caseOfHit(env: DecideEnv, { personId, kind, details, caseId }: HitOfBorrower): CaseOfHit {
  const caseType = TYPES_OF_HITS[kind];
  if (caseType === undefined) return { caseId, facts: [] };
  const known = caseId === null ? undefined : env.read<CaseState>('case', caseId);
  if (known === undefined || known.status === 'deleted')
    return openedBySystem(env, personId, { ...details, caseType, status: 'processing' });
  return { caseId, facts: changedBySystem(env, known, details) };
}

export function courtCaseNumber(env: EvolveEnv & Pick<QueryEnv, 'stateOf'>, caseId: string): string | null {
  const state = env.stateOf<CaseState>('case', caseId);
  return state ? courtCaseNumberOf(env, state) : null;
}

export const disputeCaseOpened = (
  env: DecideEnv,
  { disputeId, purchaseId, personId, loanId, provisionalCreditDate, reason }: DisputedPurchase,
): { readonly caseId: string; readonly facts: readonly FactDraft[] } =>
  openedBySystem(
    env,
    personId,
    {
      caseType: 'disputeOfPurchase',
      purchaseIds: [purchaseId],
      purchaseDisputeId: disputeId,
      provisionalCreditDate,
      ...(reason === null ? {} : { disputeReason: reason }),
    },
    { loanIds: [loanId], autoCreated: false },
  );

export function shownCase(env: HydrationEnv, caseId: string): unknown {
  const state = env.read<CaseState>('case', caseId);
  return state && caseView(state, env);
}

export function workerOfCase(env: DecideEnv, caseId: string): WorkerOfCase | null {
  const known = env.read<CaseState>('case', caseId);
  if (known === undefined) return null;
  const { owningEmployeeId, owningTeamId, escalations } = known;
  const owner = { employeeId: owningEmployeeId, teamId: owningEmployeeId === null ? owningTeamId : null };
  return escalations.find(({ status }) => status === 'open') ?? owner;
}

export function taskAbout(
  env: DecideEnv,
  { id: interactionId, personId, caseId }: InteractionOfTask,
  taskType: TaskType,
): readonly FactDraft[] {
  const ofCase = caseId === null ? undefined : env.read<CaseState>('case', caseId);
  const made = ofCase && taskForCase(env, ofCase.id, ofCase, { taskType, interactionId });
  const task = made ?? taskBesideOnce(env, { taskType, personId, interactionId });
  return task === null ? [] : [task];
}

export function shownTask(env: EvolveEnv, taskId: string): LastTaskMeta | null {
  const task = env.read<TaskState>('task', taskId);
  if (task === undefined) return null;
  const { sid, taskType, assignmentStatus, assignedEmployee, taskInitAt } = taskView(task, env);
  return { sid, taskType, assignmentStatus, assignedEmployee, taskInitAt };
}

/*
 * Facts that casework records with those of borrowers and loans. Each is a row of `actors/reactions.ts`.
 */

/** A review task for a document that the borrower has uploaded for a case. A converted copy is not an upload. */
export const uploadsReviewed = ({ env, state }: CommandContext<PersonState>, facts: readonly FactDraft[]): readonly FactDraft[] =>
  bodiesOf<PersonFacts, 'DocumentAttached'>(facts, 'DocumentAttached').flatMap(({ id, isHumanBorrowerUpload }) => {
    const caseId = findDocument(state, id)?.caseId ?? null;
    const known = caseId === null || !isHumanBorrowerUpload ? undefined : env.read<CaseState>('case', caseId);
    return known ? reviewOfUpload(env, known, id).map((draft) => ({ ...draft, caseId })) : [];
  });

/** The outcome of the case for each outcome of its dispute. */
const ENDS: { readonly [Status in DisputeStatus]?: Parameters<typeof closedBySystem>[2] } = {
  won: { status: 'completed', outcome: 'approved' },
  lost: { status: 'completed', outcome: 'denied' },
  expired: { status: 'completed', outcome: 'expired' },
  canceled: { status: 'canceled', outcome: null },
};

/** Closes the case that was opened for a dispute. A case that the caller has named is left to the caller. */
/** The cases of a borrower who was deleted or erased are kept; their external ids may be used again. */
export const externalIdsFreed = ({ id, env }: CommandContext<PersonState>): readonly FactDraft[] =>
  env
    .list('case', { parentId: id, matches: ({ fields }) => fields['externalId'] !== null, limit: ALL_ROWS })
    .rows.map((row) => ({ type: 'CaseExternalIdFreed', body: {}, target: { kind: 'case', id: row.id } }));

export const disputeCasesClosed = ({ env, state }: CommandContext<LoanState>, facts: readonly FactDraft[]): readonly FactDraft[] =>
  bodiesOf<PurchaseFacts, 'DisputeChanged'>(facts, 'DisputeChanged').flatMap(({ disputeId, changes }) => {
    const caseId = state.disputes.find(({ id }) => id === disputeId)?.caseId ?? null;
    const end = changes.status && ENDS[changes.status];
    const opened = caseId === null || end === undefined ? undefined : env.read<CaseState>('case', caseId);
    return opened?.fields['purchaseDisputeId'] === disputeId && end !== undefined ? closedBySystem(env, opened, end) : [];
  });
