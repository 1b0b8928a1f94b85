import { Refusal } from '../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../runtime/actor.js';
import type { FactDraft } from '../runtime/fact.js';
import { type AnyDeclaration, parentOf, recordOf, type ResourceHost, recordsOf } from './declaration.js';
import type { ResourceChanged, ResourceCreated, ResourceRemoved } from './facts.js';
import { replyOf } from './queries.js';

/** `create`, `update` and `delete` of a declared resource, run by its host. */
export function declaredCommands<Host extends ResourceHost>(kind: string, declaration: AnyDeclaration): CommandSpec<Host>[] {
  const { type } = declaration;
  const spec = (verb: string, decide: (context: CommandContext<Host>) => Decision<Host>): CommandSpec<Host> => ({
    kind,
    type: `${type}.${verb}`,
    place: { on: 'target' },
    catchUpFirst: false,
    decide,
  });
  return [
    spec('create', (context) => decideCreate(declaration, context)),
    spec('update', (context) => decideUpdate(declaration, context)),
    spec('delete', (context) => decideDelete(declaration, context)),
  ];
}

function decideCreate<Host extends ResourceHost>(declaration: AnyDeclaration, context: CommandContext<Host>): Decision<Host> {
  const parentId = parentOf(declaration, context.state, context.command.params);
  const stored = declaration.create(context.body);
  refuseTaken(declaration, context.state, parentId, stored, null);
  const id = context.env.newId(declaration.prefix);
  const body: ResourceCreated = { resource: declaration.type, id, parentId, stored };
  return decision(declaration, { type: 'ResourceCreated', body }, id);
}

function decideUpdate<Host extends ResourceHost>(declaration: AnyDeclaration, context: CommandContext<Host>): Decision<Host> {
  const record = recordOf(declaration, context.state, context.command.params);
  const stored = declaration.change(record.stored, context.body);
  refuseTaken(declaration, context.state, record.parentId, stored, record.id);
  const body: ResourceChanged = { resource: declaration.type, id: record.id, parentId: record.parentId, stored };
  return decision(declaration, { type: 'ResourceChanged', body }, record.id);
}

function decideDelete<Host extends ResourceHost>(declaration: AnyDeclaration, context: CommandContext<Host>): Decision<Host> {
  const record = recordOf(declaration, context.state, context.command.params);
  if (declaration.retire) {
    const body: ResourceChanged = { resource: declaration.type, id: record.id, parentId: record.parentId, stored: declaration.retire(record.stored) };
    return decision(declaration, { type: 'ResourceChanged', body }, record.id);
  }
  const body: ResourceRemoved = { resource: declaration.type, id: record.id, parentId: record.parentId };
  return { facts: [{ type: 'ResourceRemoved', body }], reply: () => ({ data: undefined }) };
}

function decision<Host extends ResourceHost>(declaration: AnyDeclaration, fact: FactDraft, id: string): Decision<Host> {
  return { facts: [fact], reply: (after) => ({ data: replyOf(declaration, after, recordsOf(after, declaration.type).get(id)) }) };
}

function refuseTaken(
  declaration: AnyDeclaration,
  host: ResourceHost,
  parentId: string | null,
  stored: unknown,
  ownId: string | null,
): void {
  for (const key of declaration.unique) {
    const value = key.of(stored);
    if (value === null) continue;
    for (const other of recordsOf(host, declaration.type).values()) {
      if (other.id === ownId || other.parentId !== parentId || key.of(other.stored) !== value) continue;
      throw new Refusal('duplicate', `Another ${declaration.type} (${other.id}) has this ${key.name}.`, {
        errors: [{ path: key.name, expected: 'a value that no other one has', message: 'taken already' }],
      });
    }
  }
}
