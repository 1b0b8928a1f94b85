import { test } from 'tap';
import { actorModules, Refusal } from '../../actors/index.js';
import type { ActorModule } from '../../actors/kernel/actor.js';
import { actorLogic } from '../../actors/kernel/actor-logic.js';
import { must } from '../../engine/index.js';
import { Random } from '../gateway/fuzz/random.js';
import { NAME } from '../people.js';
import { SEED } from '../seed.js';
import { Harness } from './harness.js';
import { type Compared, runningBeside } from './running-beside.js';

const ORDERS = 150;
const KINDS = ['person', 'case', 'task', 'interaction'];

type Order = readonly [type: string, target: string, body: object];

/** Possible commands on the actors of these ids; many of them are refused. */
function orderOf(random: Random, ids: ReadonlyMap<string, string>): Order {
  const id = (kind: string): string => must(ids.get(kind), kind);
  const status = random.pick(['initiated', 'processing', 'canceled', 'reopened']);
  return random.pick<Order>([
    ['person.update', id('person'), { status: random.pick(['active', 'inactive']) }],
    ['case.update', id('case'), { status }],
    ['case.update', id('case'), { status: 'completed', outcome: 'resolved', outcomeNote: 'done' }],
    ['case.view', id('case'), {}],
    ['task.reserve', id('task'), { employeeId: 'EM-AAAA-1111', pairingConfigId: 'PC-AAAA-1111', queueName: 'all', seconds: 60 }],
    ['task.cancel', id('task'), {}],
    ['interaction.update', id('interaction'), { status: random.pick(['attempted', 'succeeded', 'failed']) }],
    ['interaction.cancel', id('interaction'), {}],
  ]);
}

test('borrowers, cases, tasks and interactions that XState runs from snapshots get the same state as on the shard', async (t) => {
  t.comment(`seed ${SEED}`);
  const compared: Compared[][] = [];
  const again = new Map(actorModules().map((module) => [module.definition.kind, module]));
  const h = await Harness.open(() =>
    actorModules().map((module): ActorModule => {
      const { kind } = module.definition;
      if (!KINDS.includes(kind)) return module;
      const beside = runningBeside(module, { again: must(again.get(kind), kind), shown: (state) => structuredClone(state) });
      compared.push(beside.compared);
      return beside.module;
    }),
  );
  t.teardown(() => h.close());
  await h.makeCompany();
  const random = new Random(SEED);
  const made = async (): Promise<Map<string, string>> => {
    const { id: person } = await h.data('person.create', null, { name: NAME });
    const ids = new Map([['person', person]]);
    ids.set('case', (await h.data('case.create', person, { caseType: 'generic' })).id);
    ids.set('task', (await h.data('task.createForPerson', person, { taskType: 'reviewDocumentUpload' })).id);
    const said = { channel: 'voice', direction: 'outbound', status: 'inProgress' };
    ids.set('interaction', (await h.data('interaction.create', person, said, { permissions: ['*'] })).id);
    return ids;
  };
  let ids = await made();
  for (let order = 0; order < ORDERS; order += 1) {
    if (order % 30 === 29) ids = await made();
    const [type, target, body] = orderOf(random, ids);
    await h.command(type, target, body, { permissions: ['*'], system: type === 'task.reserve' }).catch((cause: unknown) => {
      if (!(cause instanceof Refusal)) throw cause;
    });
  }
  for (const { kind, fact, expected, actual } of compared.flat()) t.same(actual, expected, `${kind} ${fact}`);
  for (const kind of KINDS) {
    t.ok(
      compared.flat().some((one) => one.kind === kind && one.before !== one.after),
      `a ${kind} has moved`,
    );
  }
});

test('a kind of actor without a statechart has no logic', async (t) => {
  const company = must(
    actorModules().find(({ definition }) => definition.kind === 'company'),
    'companies',
  ).definition;
  t.throws(() => actorLogic(company, undefined as never), { message: /a kind of actor with a statechart/ });
});
