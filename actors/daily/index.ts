import { type ActorModule, actorModule } from '../kernel/actor.js';
import { workDayCommands } from './commands.js';
import { workDayQueries } from './view.js';
import { workDayDefinition, type WorkDayState } from './work-day.js';

export { DayWorkRunner, type LateWorkMeasure } from './runner.js';
export type { DayWorkView, WorkCalendarQuery, WorkCalendarView, WorkDayView } from './view.js';
export type { WorkName } from './work-day.js';
export { WORKS } from './works.js';

/** The calendar of automatic work, on the shared shard. */
export const workDayModule: ActorModule = actorModule<WorkDayState>({
  definition: workDayDefinition,
  commands: workDayCommands,
  queries: workDayQueries,
});
