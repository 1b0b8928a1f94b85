import { test } from 'tap';
import { createActor, setup, transition } from 'xstate';
import { Chart, persistedAt, statesOf, STAYS } from '../../actors/statechart.js';
import { Random } from '../gateway/fuzz/random.js';
import { SEED } from '../seed.js';
import { CHARTS } from './charts.js';

const LIVES = 20;
const MOVES = 30;

for (const chart of CHARTS) {
  const { machine } = chart;

  test(`${machine.id}: for each state and move the table gives the result of the machine on the persisted actor`, (t) => {
    for (const state of statesOf(machine)) {
      for (const move of machine.events) {
        const event = { type: String(move) };
        const before = persistedAt(machine, state);
        const [after] = transition(machine, before, event);
        t.equal(chart.allows(state, event.type), before.can(event), `${state} ${event.type}`);
        t.equal(chart.target(state, event.type) ?? state, after.value, `${state} ${event.type}`);
      }
    }
    t.end();
  });

  test(`${machine.id}: random moves of a running actor, stored and restored, follow the table`, (t) => {
    t.comment(`seed ${SEED}`);
    const random = new Random(SEED);
    for (let life = 0; life < LIVES; life += 1) {
      let state = random.pick(statesOf(machine));
      let actor = createActor(machine, { snapshot: persistedAt(machine, state) }).start();
      for (let step = 0; step < MOVES; step += 1) {
        const moves = machine.events.map(String).filter((move) => chart.allows(state, move) && move !== 'owe');
        if (moves.length === 0) break;
        const move = random.pick(moves);
        actor.send({ type: move });
        state = chart.after(state, move);
        if (actor.getSnapshot().value !== state) t.fail(`${move} leads to ${String(actor.getSnapshot().value)}, not to ${state}`);
        const stored: unknown = JSON.parse(JSON.stringify(actor.getPersistedSnapshot()));
        actor = createActor(machine, { snapshot: stored as never }).start();
      }
    }
    t.pass('holds');
    t.end();
  });
}

const lamp = new Chart<'lit' | 'dark' | 'gone', 'dim' | 'light' | 'dust' | 'remove'>(
  setup({}).createMachine({
    id: 'lamp',
    initial: 'lit',
    states: { lit: { on: { dim: 'dark', remove: 'gone' } }, dark: { on: { dust: STAYS, light: 'lit' } }, gone: { type: 'final' } },
  }),
);

test('a chart returns the states that allow a move, its target, and the move to a target', (t) => {
  t.same(lamp.statesFor('dim'), ['lit']);
  t.equal(lamp.after('dark', 'dust'), 'dark');
  t.equal(lamp.moveBetween('dark', 'lit'), 'light');
  t.equal(lamp.moveBetween('dark', 'dark'), undefined);
  t.equal(lamp.moveTo('gone'), 'remove');
  t.same(lamp.nextStates('lit'), ['dark', 'gone']);
  t.ok(lamp.isOver('gone'));
  t.equal(lamp.target('lit', 'dust'), undefined);
  t.throws(() => lamp.after('lit', 'dust'), { message: /a lit lamp cannot dust/ });
  t.throws(() => lamp.allows('broken' as 'lit', 'dim'), { message: /a lamp is never broken/ });
  t.end();
});
