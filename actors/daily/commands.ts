import { assert, type Day, formatDay } from '../../engine/index.js';
import { refuse } from '../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import { type DayWork, WORK_DAY, type WorkDayFacts, type WorkDayState } from './work-day.js';

type Context<Body> = CommandContext<WorkDayState, Body>;

export interface SeeWorksBody {
  readonly works: readonly DayWork[];
}

export interface OpenDayBody extends SeeWorksBody {
  readonly day: Day;
  readonly since: number;
}

const fact = <Type extends keyof WorkDayFacts>(type: Type, body: WorkDayFacts[Type]): FactDraft => ({ type, body });

const bySystem = ({ command }: Context<unknown>): void => assert(command.actor.type === 'system', 'the service watches its own work');

/** The service's own: no route leads here. */
export const workDayCommands: readonly CommandSpec<WorkDayState>[] = [
  {
    kind: WORK_DAY,
    type: 'workDay.open',
    place: { on: 'beside', kind: 'company' },
    catchesUp: false,
    decide(context: Context<OpenDayBody>): Decision<WorkDayState> {
      bySystem(context);
      const { day, since, works } = context.body;
      const { rows } = context.env.list(WORK_DAY, { matches: ({ fields }) => fields['day'] === day, limit: 1 });
      if (rows.length > 0) refuse('invalidState', `The work of ${formatDay(day)} is recorded already.`);
      return {
        facts: [fact('WorkDayOpened', { day, since }), fact('DayWorksSeen', { works })],
        reply: (after) => ({ data: { id: after.id } }),
      };
    },
  },
  {
    kind: WORK_DAY,
    type: 'workDay.see',
    place: { on: 'target' },
    catchesUp: false,
    decide(context: Context<SeeWorksBody>): Decision<WorkDayState> {
      bySystem(context);
      return { facts: [fact('DayWorksSeen', { works: context.body.works })], reply: () => ({ data: undefined }) };
    },
  },
];
