import { addDays, type Day } from '../../../engine/index.js';
import type { ScheduledWork } from '../scheduled-work.js';
import type { AdvanceMoved } from './evolve.js';

/** A scheduled advance whose status has not moved by its day is canceled on the next one. */
export const advanceWork: ScheduledWork = {
  nextDay({ advances }) {
    let next: Day | null = null;
    for (const { status, day } of advances) {
      if (status === 'scheduled' && (next === null || day < next)) next = day;
    }
    return next === null ? null : addDays(next, 1);
  },
  *due({ advances }, today) {
    for (const { id, status, day } of advances) {
      if (status !== 'scheduled' || day >= today) continue;
      yield { type: 'AdvanceMoved', body: { advanceId: id, status: 'canceled', number: null, day } satisfies AdvanceMoved };
    }
  },
};
