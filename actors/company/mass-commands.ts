import { refuse } from '../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../kernel/actor.js';
import type { MassFacts } from '../kernel/jobs/mass-facts.js';
import type { MassWork } from '../kernel/jobs/mass-works.js';
import type { CompanyState } from './state.js';

type Move = Exclude<keyof MassFacts, 'MassOrdered'>;

/**
 * `pause`, `resume` and `cancel` of mass work. They are facts of the company, so that every process of a cluster hears of them. To
 * pause what is paused changes nothing; what was canceled stays so.
 */
export const massCommands: readonly CommandSpec<CompanyState>[] = [
  move('pause', 'MassPaused', (work) => !work.isPaused),
  move('resume', 'MassResumed', (work) => work.isPaused),
  move('cancel', 'MassCanceled', (work) => {
    requireCancelable(work);
    return true;
  }),
];

function move(verb: string, type: Move, isChange: (work: MassWork) => boolean): CommandSpec<CompanyState> {
  return {
    kind: 'company',
    type: `operation.${verb}`,
    place: { on: 'target' },
    catchUpFirst: false,
    decide(context): Decision<CompanyState> {
      const work = workOf(context);
      if (work.canceledAt !== null) refuse('invalidState', 'The operation was canceled.');
      const { operationId } = work;
      return { facts: isChange(work) ? [{ type, body: { operationId } }] : [], reply: () => ({ data: { operationId } }) };
    },
  };
}

function workOf({ env, command }: CommandContext<CompanyState>): MassWork {
  const operationId = command.params['operationId'] ?? '';
  return env.massWork(operationId) ?? refuse('notFound', `The operation ${operationId} is unknown, expired, or was done with its reply.`);
}

/** What all reads show already cannot be left half done: it is taken back by another order. */
function requireCancelable({ task, isDryRun }: MassWork): void {
  if (isDryRun || task.type === 'command') return;
  refuse(
    'invalidState',
    task.type === 'day'
      ? 'A closed day stays closed.'
      : 'The value holds since it was accepted: pause the operation, or change or delete the value.',
  );
}
