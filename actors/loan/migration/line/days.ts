import { type Day, formatDay } from '../../../../engine/index.js';
import type { Fault } from '../../../errors.js';
import type { LoanState } from '../../state.js';

interface DayAsked {
  readonly path: string;
  /** What is to be recorded instead after the cutoff. */
  readonly live: string;
}

/** History is from the activation to the cutoff: it changes no balance. What comes later is recorded as usual. */
export function historyDayFaults({ migration }: Pick<LoanState, 'migration'>, day: Day, { path, live }: DayAsked): readonly Fault[] {
  const from = migration?.activatedDay ?? null;
  const cutoff = migration?.line?.period?.statementDay ?? null;
  if (from !== null && day < from) return [{ path, expected: `${formatDay(from)} or later`, message: 'is before activation' }];
  if (cutoff === null || day < cutoff) return [];
  return [{ path, expected: `before ${formatDay(cutoff)}`, message: `is after the cutoff: record it as ${live}` }];
}
