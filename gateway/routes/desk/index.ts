import type { Route } from '../../routing/route.js';
import { caseTypeRoutes } from './case-types.js';
import { noteRoutes } from './notes.js';
import { pairingRoutes } from './pairing.js';
import { taskRoutes } from './tasks.js';
import { workerRoutes } from './workers.js';
import { workflowRoutes } from './workflows.js';
import { workflowTypeRoutes } from './workflow-types.js';

/** What the servicing desk works with, and how it is configured. */
export const deskRoutes: readonly Route[] = [
  ...caseTypeRoutes,
  ...noteRoutes,
  ...pairingRoutes,
  ...taskRoutes,
  ...workerRoutes,
  ...workflowRoutes,
  ...workflowTypeRoutes,
];
