import { setup } from 'xstate';
import { Chart, STAYS } from '../../../statechart.js';

/**
 * The life of one version of a type. A draft is changed in place; what was published stays as it is, so that whoever
 * began under it goes on under it: a change of it is a new version.
 */
export const typeVersionMachine = setup({
  types: { events: {} as { readonly type: VersionMove } },
}).createMachine({
  id: 'typeVersion',
  initial: 'draft',
  states: {
    draft: { on: { change: STAYS, publish: 'active', delete: 'deleted' } },
    active: { on: { deprecate: 'deprecated', derive: STAYS } },
    deprecated: { on: { derive: STAYS } },
    deleted: { type: 'final' },
  },
});

export type VersionStatus = 'draft' | 'active' | 'deprecated';
export type VersionMove = 'change' | 'publish' | 'delete' | 'deprecate' | 'derive';

export const VERSION_CHART = new Chart<VersionStatus, VersionMove>(typeVersionMachine);
