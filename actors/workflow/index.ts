export { workflowModule } from './module.js';
export type * from './requests.js';
export { requireWorkflowDone, workflowCanceled, workflowCreated, workflowResumed } from './starting.js';
export type { WorkflowState } from './state.js';
