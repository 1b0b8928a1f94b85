import type { Situation } from '../../engine/index.js';
import type { TaskType } from '../company/index.js';
import { refuse } from '../errors.js';
import type { DecideEnv, EvolveEnv } from '../kernel/actor.js';
import { resolveId, type Tenant } from '../kernel/ids.js';
import type { FactDraft } from '../kernel/fact.js';
import { question } from '../kernel/policy.js';
import type { LoanState } from '../loan/index.js';
import type { ScreenEnv } from './guard/index.js';
import type { LastTaskMeta } from './interactions/index.js';
import type { HydrationEnv } from './messages/index.js';

/*
 * Questions of contacts to cases and tasks, which come later in the order of domains. The answers are rows of `actors/policies.ts`.
 */

/** The employee or team that works a case. */
export interface WorkerOfCase {
  readonly employeeId: string | null;
  readonly teamId: string | null;
}

export interface InteractionOfTask {
  readonly id: string;
  readonly personId: string | null;
  readonly caseId: string | null;
}

export const contactAsks = {
  /** The cases and blocks that the guard evaluates: those of the borrower, and those of other borrowers about one of the loans. */
  caseworkAbout: question<ScreenEnv, [personId: string, loanIds: readonly string[]], Pick<Situation, 'cases' | 'blocks'>>('case.about'),
  /** A case as templates show it; undefined if there is none. */
  shownCase: question<HydrationEnv, [caseId: string], unknown>('case.shown'),
  /** The worker to which a case is escalated, else its owner; null if there is no such case. */
  workerOfCase: question<DecideEnv, [caseId: string], WorkerOfCase | null>('case.worker'),
  /** The fact of a task about an interaction, and about its case if it has one. No fact if there is such a task already. */
  taskAbout: question<DecideEnv, [interaction: InteractionOfTask, taskType: TaskType], readonly FactDraft[]>('task.about'),
  /** Facts that end the open tasks about an interaction which no agent has begun. */
  tasksEnded: question<DecideEnv, [interactionId: string, reason: string], readonly FactDraft[]>('task.ended'),
  /** A task as interactions show it; null if there is none. */
  shownTask: question<EvolveEnv, [taskId: string], LastTaskMeta | null>('task.shown'),
};

/** The service id of a case of the borrower, open or closed. */
export function caseOf(env: EvolveEnv, tenant: Tenant, personId: string, anyId: string): string {
  const id = resolveId(env, tenant, 'case', anyId);
  const found = id === undefined ? undefined : env.read<CaseOfBorrower>('case', id);
  return id !== undefined && found?.personId === personId && found.status !== 'deleted'
    ? id
    : refuse('notFound', `There is no case ${anyId} of the borrower ${personId}.`);
}

/** The service id of a loan of the borrower, as main borrower or co-borrower. */
export function loanOf(env: EvolveEnv, tenant: Tenant, personId: string, anyId: string): string {
  const id = resolveId(env, tenant, 'loan', anyId);
  const record = id === undefined ? undefined : env.read<LoanState>('loan', id)?.record;
  const isOn = record?.personId === personId || record?.additionalPeople.some((other) => other.personId === personId) === true;
  return id !== undefined && isOn ? id : refuse('notFound', `There is no loan ${anyId} of the borrower ${personId}.`);
}

/** The fields of a case that are read here. */
interface CaseOfBorrower {
  readonly personId: string;
  readonly status: string;
}
