import { setup } from 'xstate';
import { Chart, STAYS } from '../../../statechart.js';

/**
 * The life of one version of a type. A draft is changed in place. A published version is never changed: a change makes a new version, and
 * objects that began under the old one stay under it.
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
