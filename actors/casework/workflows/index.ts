export { workflowModule } from './view.js';
export type * from './requests.js';
