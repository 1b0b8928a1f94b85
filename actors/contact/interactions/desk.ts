import type { Channel } from '../../../engine/index.js';
import type { CaseState } from '../../casework/cases/state.js';
import type { TaskType } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { openTasksCanceled, taskBesideOnce, taskForCase } from '../../casework/tasks/creation.js';
import type { InteractionState } from './state.js';

/** What an agent has to do when the window of a planned contact begins. */
const PLANNED_TASKS: Readonly<Record<Channel, TaskType>> = {
  voice: 'makeScheduledCall',
  text: 'replyToNewText',
  chat: 'replyToNewWebChat',
  email: 'replyToNewConvo',
  mail: 'replyToNewConvo',
  gui: 'replyToNewConvo',
  document: 'replyToNewConvo',
  fax: 'replyToNewConvo',
};

type OfTask = Pick<InteractionState, 'id' | 'personId' | 'caseId'>;

/** A task about an interaction, of its case where it has one; none where there is one already. */
export function taskAbout(env: DecideEnv, { id: interactionId, personId, caseId }: OfTask, taskType: TaskType): readonly FactDraft[] {
  const ofCase = caseId === null ? undefined : env.read<CaseState>('case', caseId);
  const made = ofCase && taskForCase(env, ofCase.id, ofCase, { taskType, interactionId });
  const task = made ?? taskBesideOnce(env, { taskType, personId, interactionId });
  return task === null ? [] : [task];
}

export const plannedTask = (env: DecideEnv, state: InteractionState): readonly FactDraft[] =>
  taskAbout(env, state, PLANNED_TASKS[state.channel]);

/** The window is over, or the contact was called off: what nobody has taken goes with it. */
export const plannedTaskEnded = (env: DecideEnv, { id }: OfTask, reason: string): readonly FactDraft[] =>
  openTasksCanceled(env, id, reason);
