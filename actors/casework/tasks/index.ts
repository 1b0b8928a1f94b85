export { openTasksCanceled } from './creation.js';
export { taskModule } from './module.js';
export type { CountItem, LoadItem } from './view.js';
export type * from './requests.js';
export { type QueueParts, queuesOf, type TaskQueueView } from './queue-statistics.js';
export { TaskRouter } from './router.js';
export type { Tally } from './tally.js';
export { TASK_CHART, taskIdOf } from './state.js';
