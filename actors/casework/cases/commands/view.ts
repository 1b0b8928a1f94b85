import { fact, onCase, showing } from '../context.js';

/** `POST .../views`: somebody has looked at the case. */
export const viewCase = onCase('case.view', 'view', (context) => showing(context, [fact('CaseViewed', {})]));
