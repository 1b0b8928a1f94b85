import { test } from 'tap';
import { borrowerAsks } from '../../actors/borrower/index.js';
import { contactAsks } from '../../actors/contact/index.js';
import { actorModules } from '../../actors/index.js';
import type { ActorModule, CommandContext, CommandSpec, Decision } from '../../actors/kernel/actor.js';
import type { FactDraft } from '../../actors/kernel/fact.js';
import { answer, Answers, ask, type Policy, question, type Reaction, underRules } from '../../actors/kernel/policy.js';
import { loanAsks } from '../../actors/loan/index.js';
import { ANSWERS, POLICIES } from '../../actors/policies.js';
import { REACTIONS } from '../../actors/reactions.js';

const commands = actorModules().flatMap((module) => module.commands) as readonly CommandSpec<never>[];

test('each question of an earlier domain has exactly one answer', (t) => {
  const asked = [borrowerAsks, loanAsks, contactAsks].flatMap((asks) => Object.values(asks)).map(({ name }) => name);
  t.same(ANSWERS.map(({ name }) => name).sort(), asked.sort());
  t.equal(new Set(asked).size, asked.length);
  t.end();
});

test('a question without an answer fails and names the table', (t) => {
  const unanswered = question<Answers, [], string>('nobody.knows');
  t.throws(() => ask(new Answers([]), unanswered), /nobody\.knows is answered by a row of actors\/policies\.ts/);
  t.equal(ask(new Answers([answer(unanswered, () => 'known')]), unanswered), 'known');
  t.end();
});

test('each policy and each reaction applies to existing commands', (t) => {
  for (const { name, appliesTo } of POLICIES) t.ok(commands.some(appliesTo), name);
  for (const { name, kind, commands: named = [] } of REACTIONS) {
    t.ok(
      commands.some((spec) => spec.kind === kind),
      name,
    );
    t.same(
      named.filter((type) => !commands.some((spec) => spec.type === type)),
      [],
      name,
    );
  }
  t.end();
});

/** A module with one command, which records a fact. */
const moduleOf = (decision: Partial<Decision<unknown>>): ActorModule => ({
  definition: {} as ActorModule['definition'],
  queries: [],
  commands: [
    {
      kind: 'toy',
      type: 'toy.play',
      place: { on: 'target' },
      decide: () => ({ facts: [{ type: 'Played', body: null }], reply: () => ({ data: null }), ...decision }),
    },
  ],
});

const decidedUnder = (module: ActorModule, policies: readonly Policy[], reactions: readonly Reaction[]): readonly string[] => {
  const [ruled] = underRules([module], { policies, reactions, answers: [] });
  const spec = ruled?.commands[0];
  return (spec?.decide({} as CommandContext<never, never, never>).facts ?? []).map(({ type }) => type);
};

const marked = (name: string): Policy => ({
  name,
  appliesTo: ({ type }) => type === 'toy.play',
  decide(context, next) {
    const decision = next.decide(context);
    return { ...decision, facts: [...decision.facts, { type: name, body: null }] };
  },
});

const following = (name: string, on: string): Reaction => ({
  name,
  kind: 'toy',
  on: [on],
  react: (): readonly FactDraft[] => [{ type: name, body: null }],
});

test('policies wrap a command from the first row inwards, and reactions see the facts of the rows before them', (t) => {
  const reactions = [following('Followed', 'Played'), following('FollowedToo', 'Followed'), following('Never', 'Stopped')];
  t.same(decidedUnder(moduleOf({}), [marked('Outer'), marked('Inner')], reactions), [
    'Played',
    'Followed',
    'FollowedToo',
    'Inner',
    'Outer',
  ]);
  t.end();
});

test('a preview and a command without facts cause no reaction', (t) => {
  t.same(decidedUnder(moduleOf({ preview: true }), [], [following('Followed', 'Played')]), ['Played']);
  t.same(decidedUnder(moduleOf({ facts: [] }), [], [following('Followed', 'Played')]), []);
  t.end();
});
