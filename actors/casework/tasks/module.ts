import { type ActorModule, actorModule, type AgendaEntry, type DecideEnv } from '../../kernel/actor.js';
import { dayOfMoment, type FactDraft, MOMENTS } from '../../kernel/fact.js';
import { TaskBoards } from './board.js';
import { released, taskCommands } from './decide.js';
import { evolveTask, newTask, rowOf, taskMachine, type TaskState } from './state.js';
import { taskQueries } from './view.js';

/** Fields that callers write freely. */
const PERSONAL: ReadonlySet<string> = new Set(['attributes', 'reason', 'terminationReason']);

/** Tasks. Each engine needs a module of its own, since the module keeps the engine's boards. */
export function taskModule(): ActorModule {
  const boards = new TaskBoards();
  return actorModule<TaskState>({
    definition: {
      kind: 'task',
      prefix: 'TK',
      initial: newTask,
      evolve(state, fact, emit) {
        boards.touch(state, fact, emit !== null);
        evolveTask(state, fact);
      },
      clone: (state) => ({ ...state }),
      personal: { names: PERSONAL, ownerOf: ({ id, personId }) => personId ?? id },
      row: rowOf,
      pack: (state) => state,
      unpack: (packed: TaskState) => packed,
      agenda,
      catchUp,
      lifecycle: { machine: taskMachine, at: ({ status }) => ({ value: status }) },
    },
    commands: taskCommands,
    queries: taskQueries(boards),
  });
}

/** The time at which an offer ends. */
const agenda = ({ reservation }: TaskState): AgendaEntry | null =>
  reservation && { zone: MOMENTS, nextDay: dayOfMoment(reservation.expiresAt) };

function* catchUp({ reservation }: TaskState, _throughDay: unknown, env: DecideEnv): Iterable<FactDraft> {
  if (reservation && dayOfMoment(reservation.expiresAt) <= env.today(MOMENTS))
    yield released(reservation.employeeId, 'timedOut', reservation.expiresAt);
}
