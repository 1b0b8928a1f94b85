import { type ActorModule, actorModule } from '../../../../actors/index.js';

/** A shared rate, and holders that copy its present value. */
export interface Rate {
  readonly id: string;
  percent: number;
}

export interface Holder {
  readonly id: string;
  taken: number[];
}

export const rates: ActorModule = actorModule<Rate>({
  definition: {
    kind: 'rate',
    prefix: 'RT',
    isShared: true,
    initial: (id) => ({ id, percent: 0 }),
    evolve: (state, fact) => {
      state.percent = (fact.body as { percent: number }).percent;
    },
    clone: (state) => ({ ...state }),
    row: ({ id }) => ({ id, externalId: null, createdStamp: 1, updatedStamp: 1, parentId: null, fields: {} }),
    pack: (state) => state,
    unpack: (packed) => packed as Rate,
  },
  commands: (['create', 'change'] as const).map((what) => ({
    kind: 'rate',
    type: `rate.${what}`,
    place: { on: what === 'create' ? 'root' : 'target' } as const,
    decide: ({ body }) => ({ facts: [{ type: 'RateSet', body }], reply: ({ id }) => ({ data: { id } }) }),
  })),
  queries: [],
});

export const holders: ActorModule = actorModule<Holder>({
  definition: {
    kind: 'holder',
    prefix: 'HD',
    initial: (id) => ({ id, taken: [] }),
    evolve: (state, fact, _emit, env) => {
      const { rate } = fact.body as { rate: string };
      state.taken.push(env.read<Rate>('rate', rate)?.percent ?? -1);
    },
    clone: (state) => ({ ...state, taken: [...state.taken] }),
    row: ({ id }) => ({ id, externalId: null, createdStamp: 1, updatedStamp: 1, parentId: null, fields: {} }),
    pack: (state) => state,
    unpack: (packed) => packed as Holder,
  },
  commands: (['create', 'take'] as const).map((what) => ({
    kind: 'holder',
    type: `holder.${what}`,
    place: { on: what === 'create' ? 'root' : 'target' } as const,
    decide: ({ body }) => ({ facts: [{ type: 'Taken', body }], reply: ({ id }) => ({ data: { id } }) }),
  })),
  queries: [{ kind: 'holder', type: 'holder.get', on: 'target', read: ({ state }) => state.taken }],
});
