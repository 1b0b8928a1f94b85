export { type CaseOfTask, type NewTask, openTasksCanceled, taskForCase } from './creation.js';
export { taskModule } from './module.js';
export type { CountItem, LoadItem, WaitingItem } from './queries.js';
export type * from './requests.js';
export { type QueueParts, queuesOf, type TaskQueueView } from './statistics.js';
export { TaskRouter, type TaskRouterParts } from './router.js';
export type { Tally } from './tally.js';
export { isVoice, taskIdOf, type TaskState } from './state.js';
