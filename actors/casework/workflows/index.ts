export { WORKFLOW_CHART } from './state.js';
export { workflowModule } from './view.js';
export type * from './requests.js';
