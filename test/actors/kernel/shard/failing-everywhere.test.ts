import { test } from 'tap';
import { type ActorModule, actorModules, type CommandSpec, type QuerySpec } from '../../../../actors/index.js';
import { Harness } from '../../harness.js';

/**
 * The modules of the product, and beside each query and command one that throws: the query as it reads, the command as it decides. Its
 * target is a company.
 */
function failing(module: ActorModule): ActorModule {
  const fail = (): never => {
    throw new Error('a bug of the test');
  };
  const query = (spec: QuerySpec<never>): readonly QuerySpec<never>[] => [
    spec,
    { ...spec, type: `failing.${spec.type}`, ...(spec.on === 'target' ? { kind: 'company' } : {}), read: fail },
  ];
  const command = (spec: CommandSpec<never>): readonly CommandSpec<never>[] => {
    const { place } = spec;
    const onCompany =
      place.on === 'target' ? { kind: 'company' } : place.on === 'beside' ? { place: { on: 'beside', kind: 'company' } as const } : {};
    return [spec, { ...spec, ...onCompany, type: `failing.${spec.type}`, decide: fail }];
  };
  return { ...module, commands: module.commands.flatMap(command), queries: module.queries.flatMap(query) };
}

test('a bug in any query and in any decision fails its own request and stops no other', async (t) => {
  const modules = actorModules().map(failing);
  const h = await Harness.open(() => modules);
  t.teardown(() => h.close());
  await h.makeCompany();
  const { world } = h.engine;
  const goesOn = async (after: string): Promise<void> => {
    t.equal(h.engine.isWritable, true, after);
    const { id } = await h.data('person.create', null, { name: { firstName: 'Ada', lastName: 'Verde' } });
    t.match(await h.query('person.get', id), { id }, after);
  };
  const queries = modules.flatMap((module) => module.queries).filter(({ type }) => type.startsWith('failing.'));
  const commands = modules.flatMap((module) => module.commands).filter(({ type }) => type.startsWith('failing.'));
  t.ok(queries.length > 100 && commands.length > 200, `${queries.length} queries and ${commands.length} commands`);
  for (const { type, on } of queries) {
    await t.rejects(h.query(type, on === 'target' ? h.company : null), /a bug of the test/, type);
    await goesOn(type);
  }
  for (const { type, place } of commands) {
    await t.rejects(h.command(type, place.on === 'root' ? null : h.company), /a bug of the test/, type);
    await goesOn(type);
  }
  t.equal(h.engine.world, world, 'memory was never computed again');
  t.strictSame(h.reports, []);
});
