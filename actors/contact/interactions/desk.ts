import type { Channel } from '../../../engine/index.js';
import type { TaskType } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { ask } from '../../kernel/question.js';
import { contactAsks, type InteractionOfTask } from '../questions.js';
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

export const plannedTask = (env: DecideEnv, state: InteractionState): readonly FactDraft[] =>
  ask(env, contactAsks.taskAbout, state, PLANNED_TASKS[state.channel]);

/** The window is over, or the contact was called off: what no agent has begun ends with it. */
export const plannedTaskEnded = (env: DecideEnv, { id }: Pick<InteractionOfTask, 'id'>, reason: string): readonly FactDraft[] =>
  ask(env, contactAsks.tasksEnded, id, reason);
