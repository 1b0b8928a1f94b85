import { test } from 'tap';
import { type ActorDefinition, actorModule, type FactMove, Inspector, watchingMoves } from '../../actors/index.js';
import { loanMachine } from '../../actors/loan/machine.js';

interface Kept {
  readonly id: string;
  status: string;
}

/** An actor whose facts are its statuses. */
const keeping = (kind: string) =>
  actorModule<Kept>({
    definition: {
      kind,
      prefix: 'LN',
      initial: (id) => ({ id, status: 'originated' }),
      evolve: (state, fact) => {
        state.status = fact.type;
      },
      clone: (state) => ({ ...state }),
      row: () => null,
      pack: (state) => state,
      unpack: (packed) => packed as Kept,
      lifecycle: { machine: loanMachine, at: ({ status }) => ({ value: status, context: { isFrozen: true, isAccelerated: false } }) },
    },
    commands: [],
    queries: [],
  });

test('the facts of an actor report the moves of its statechart, with the context that its guards read', async (t) => {
  const moves: FactMove[] = [];
  for (const { definition } of watchingMoves([keeping('loan'), keeping('lamp')], (move) => moves.push(move))) {
    const { evolve } = definition as ActorDefinition<Kept>;
    const state: Kept = { id: 'LN-AAAA-1111', status: 'originated' };
    ['active', 'active', 'paidOff', 'frozen', 'frozen'].forEach((type, index) =>
      evolve(state, { id: state.id, type, sequence: index + 1, stamp: index } as never, null, undefined as never),
    );
    t.equal(state.status, 'frozen');
  }
  const loan = { machine: 'loan', id: 'LN-AAAA-1111' };
  t.same(
    moves.map(({ fact: { sequence }, ...move }) => ({ ...move, sequence })),
    [
      { ...loan, from: [], to: 'active', sequence: 1 },
      { ...loan, from: ['active'], to: 'paidOff', sequence: 3 },
      { ...loan, from: ['paidOff'], to: 'frozen', context: { isFrozen: true, isAccelerated: false }, sequence: 4 },
    ],
    'a fact that moves nothing, and an actor that is not inspected, report nothing',
  );
  const inspector = new Inspector();
  t.same(
    moves.map((move) => inspector.follow(move)?.move),
    [null, 'payOff', 'owe'],
  );
});
