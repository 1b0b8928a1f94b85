import type { Situation } from '../../engine/index.js';
import type { TaskType } from '../company/index.js';
import type { DecideEnv, EvolveEnv } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import { question } from '../kernel/question.js';
import type { ScreenEnv } from './guard/index.js';
import type { HydrationEnv } from './messages/index.js';
import type { LastTaskMeta } from './interactions/index.js';

/*
 * What contacts need to know of cases and tasks, which come later in the order of domains. The answers are rows of `actors/policies.ts`.
 */

/** Who works a case: an employee, or a team. */
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
  /** The cases and blocks that the guard looks at: of the borrower, and of others about one of the loans. */
  caseworkAbout: question<ScreenEnv, [personId: string, loanIds: readonly string[]], Pick<Situation, 'cases' | 'blocks'>>('case.about'),
  /** A case as a template shows it; undefined where it is gone. */
  shownCase: question<HydrationEnv, [caseId: string], unknown>('case.shown'),
  /** The worker to whom a case is escalated, else its owner; null where the case is gone. */
  workerOfCase: question<DecideEnv, [caseId: string], WorkerOfCase | null>('case.worker'),
  /** The fact of a task about an interaction, of its case where it has one; none where there is one already. */
  taskAbout: question<DecideEnv, [interaction: InteractionOfTask, taskType: TaskType], readonly FactDraft[]>('task.about'),
  /** Facts that end the open tasks about an interaction which no agent has begun. */
  tasksEnded: question<DecideEnv, [interactionId: string, reason: string], readonly FactDraft[]>('task.ended'),
  /** What an interaction shows of a task; null where it is gone. */
  shownTask: question<EvolveEnv, [taskId: string], LastTaskMeta | null>('task.shown'),
};
