export { workflowModule } from './module.js';
export type * from './requests.js';
