import type { Route } from '../../routing/route.js';
import { caseTypeRoutes } from './case-types.js';
import { caseRoutes } from './cases.js';
import { doNotInteractRoutes } from './do-not-interacts.js';
import { noteRoutes } from './notes.js';
import { pairingRoutes } from './pairing.js';
import { casePartRoutes } from './parts.js';
import { bulkRoutes } from './supercase-bulk.js';
import { memberRoutes } from './supercase-members.js';
import { supercaseNoteRoutes } from './supercase-notes.js';
import { supercaseRoutes } from './supercases.js';
import { taskRoutes } from './tasks.js';
import { workerRoutes } from './workers.js';
import { workflowTypeRoutes } from './workflow-types.js';
import { workflowRoutes } from './workflows.js';

/** Cases with their parts, supercases, and the work of agents: tasks, workflows, notes. */
export const allCaseRoutes: readonly Route[] = [
  ...caseRoutes,
  ...casePartRoutes,
  ...doNotInteractRoutes,
  ...caseTypeRoutes,
  ...supercaseRoutes,
  ...memberRoutes,
  ...bulkRoutes,
  ...supercaseNoteRoutes,
  ...taskRoutes,
  ...workerRoutes,
  ...pairingRoutes,
  ...workflowRoutes,
  ...workflowTypeRoutes,
  ...noteRoutes,
];
