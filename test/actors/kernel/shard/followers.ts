import type { Day } from '../../../../engine/index.js';
import { type ActorModule, actorModule, type CommandSpec } from '../../../../actors/index.js';
import { massCommands } from '../../../../actors/company/module.js';
import type { MassOrder } from '../../../../actors/kernel/jobs/mass-works.js';
import { operationIdOf } from '../../../../actors/kernel/jobs/operations.js';

/** A shared rate: each change triggers a job for its followers. */
export interface Leader {
  readonly id: string;
  percent: number;
  changes: number;
}

/** Takes the rate over, and says so. A follower with a bug throws instead. */
export interface Follower {
  readonly id: string;
  readonly leader: string;
  readonly made: number;
  readonly bug: boolean;
  percent: number;
  changes: number;
  turns: number;
}

const ZONE = 'America/New_York';
const FAR = 9_000_000 as Day;
const EVERY_LOAN = { kind: 'loan', filter: {} };

const ordered = (order: Partial<MassOrder>): MassOrder => ({
  kind: 'follower.turn',
  resultObjectId: null,
  isDryRun: false,
  isHeld: false,
  supposing: [],
  task: { type: 'command', selection: EVERY_LOAN, command: 'follower.turn', body: {} },
  ...order,
});

export const leaders: ActorModule = actorModule<Leader>({
  definition: {
    kind: 'leader',
    prefix: 'LD',
    isShared: true,
    initial: (id) => ({ id, percent: 0, changes: 0 }),
    evolve(state, fact) {
      if (fact.type !== 'LeaderSet') return;
      state.percent = (fact.body as { percent: number }).percent;
      state.changes += 1;
    },
    triggers: (fact) => (fact.type === 'LeaderSet' ? { kind: 'leader.change', objectId: fact.id, selection: EVERY_LOAN } : null),
    clone: (state) => ({ ...state }),
    row: ({ id }) => ({ id, externalId: null, createdStamp: 1, updatedStamp: 1, parentId: null, fields: {} }),
    pack: (state) => state,
    unpack: (packed) => packed as Leader,
  },
  commands: [
    ...(['create', 'change'] as const).map(
      (what): CommandSpec<Leader> => ({
        kind: 'leader',
        type: `leader.${what}`,
        place: { on: what === 'create' ? 'root' : 'target' },
        decide({ body, command }) {
          const { dryRun = false, ...rest } = body as { percent: number; dryRun?: boolean };
          const set = { type: 'LeaderSet', body: rest };
          const operationId = operationIdOf(command.commandId);
          const facts = dryRun
            ? [
                {
                  type: 'MassOrdered',
                  body: ordered({
                    kind: 'leader.change',
                    task: { type: 'catchUp', selection: EVERY_LOAN },
                    isDryRun: true,
                    supposing: [set],
                  }),
                },
              ]
            : [set];
          return { facts, reply: ({ id }) => ({ data: { id, operationId }, operationId }) };
        },
      }),
    ),
    {
      kind: 'leader',
      type: 'leader.turnAll',
      place: { on: 'target' },
      decide({ body, command }) {
        const operationId = operationIdOf(command.commandId);
        return {
          facts: [{ type: 'MassOrdered', body: ordered(body as Partial<MassOrder>) }],
          reply: () => ({ data: { operationId }, operationId }),
        };
      },
    },
    ...massCommands.map((spec) => ({ ...(spec as unknown as CommandSpec<Leader>), kind: 'leader' })),
  ],
  queries: [],
});

export const followers: ActorModule = actorModule<Follower>({
  definition: {
    kind: 'loan',
    prefix: 'LN',
    initial: (id) => ({ id, leader: '', made: 0, bug: false, percent: 0, changes: 0, turns: 0 }),
    evolve(state, fact, emit) {
      if (fact.type === 'Followed') Object.assign(state, fact.body, { made: fact.stamp });
      if (fact.type === 'Turned') state.turns += 1;
      if (fact.type === 'Took') {
        Object.assign(state, fact.body);
        if (state.bug) throw new Error('a bug of the test');
      }
      if (fact.type !== 'Followed')
        emit?.({
          eventType: 'follower.changed',
          objectType: 'follower',
          objectId: state.id,
          refs: { loanId: state.id },
          data: { percent: state.percent, turns: state.turns },
        });
    },
    clone: (state) => ({ ...state }),
    row: ({ id, made }) => ({ id, externalId: null, createdStamp: made, updatedStamp: made, parentId: null, fields: {} }),
    pack: (state) => state,
    unpack: (packed) => packed as Follower,
    agenda: () => ({ zone: ZONE, nextDay: FAR }),
    behind: (state, env) =>
      (env.read<Leader>('leader', state.leader)?.changes ?? 0) > state.changes ? { zone: ZONE, nextDay: 0 as Day } : null,
    *catchUp(state, _through, env) {
      const leader = env.read<Leader>('leader', state.leader);
      if (leader && leader.changes > state.changes) yield { type: 'Took', body: { percent: leader.percent, changes: leader.changes } };
    },
    selects: (filter) => {
      if ((filter as { readonly bug?: boolean }).bug === true) throw new Error('a bug of the test');
      return () => true;
    },
    figures: ({ percent, turns }) => [
      ['percent', percent],
      ['turns', String(turns)],
    ],
  },
  commands: [
    {
      kind: 'loan',
      type: 'follower.create',
      place: { on: 'root' },
      decide: ({ body, env }) => {
        env.today(ZONE);
        return { facts: [{ type: 'Followed', body }], reply: ({ id }) => ({ data: { id } }) };
      },
    },
    {
      kind: 'loan',
      type: 'follower.turn',
      place: { on: 'target' },
      decide: () => ({ facts: [{ type: 'Turned', body: {} }], reply: ({ id }) => ({ data: { id } }) }),
    },
  ],
  queries: [{ kind: 'loan', type: 'follower.get', on: 'target', read: ({ state }) => ({ ...state }) }],
});
