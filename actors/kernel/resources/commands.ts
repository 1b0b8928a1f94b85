import { must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import { matching, type OffsetQuery, pageOf } from '../../list-order.js';
import { dateTimeText, orNull } from '../../wire.js';
import type { CommandContext, CommandSpec, Decision, QuerySpec, QueryContext } from '../actor.js';
import type { FactDraft } from '../fact.js';
import {
  type AnyDeclaration,
  type Change,
  changed,
  parentOf,
  recordOf,
  recordsOf,
  type ResourceCreated,
  type ResourceHost,
  type ResourceRecord,
  type ResourceRemoved,
} from './declaration.js';

interface SortedQuery extends OffsetQuery {
  readonly sortBy?: readonly string[];
}

/** `get` and `list` of a declared resource, answered by its host. */
export function declaredQueries<Host extends ResourceHost>(kind: string, declaration: AnyDeclaration): QuerySpec<Host>[] {
  return [
    {
      kind,
      type: `${declaration.type}.get`,
      on: 'target',
      read: ({ state, request, env }) => replyOf(declaration, state, recordOf(declaration, state, request.params), env.now),
    },
    {
      kind,
      type: `${declaration.type}.list`,
      on: 'target',
      read({ state, request, query, env }: QueryContext<Host, SortedQuery>) {
        const parentId = parentOf(declaration, state, request.params);
        const records = [...recordsOf(state, declaration.type).values()].filter((record) => record.parentId === parentId);
        const { matches } = declaration;
        const { sortBy = [], ...page } = query;
        const view = (record: ResourceRecord): object => replyOf(declaration, state, record, env.now);
        const newestFirst = records.reverse();
        const ordered = declaration.order?.(newestFirst, sortBy) ?? newestFirst;
        const wanted = matches ? matching(ordered, (record) => matches(record, query, state, env)) : ordered;
        return pageOf(wanted, page, view, (record) => externalIdOf(declaration, record));
      },
    },
  ];
}

export function replyOf(declaration: AnyDeclaration, host: ResourceHost, record: ResourceRecord | undefined, now: number): object {
  const known = must(record, `a reply about a ${declaration.type} that does not exist`);
  return {
    id: known.id,
    object: declaration.object ?? declaration.type,
    companyId: host.id,
    ...declaration.view(known.stored, known, host, now),
    createdAt: dateTimeText(known.createdAt),
    updatedAt: orNull(dateTimeText, known.updatedAt),
    deletedAt: null,
  };
}

const externalIdOf = (declaration: AnyDeclaration, record: ResourceRecord): string | null =>
  declaration.unique.find((key) => key.name === 'externalId')?.of(record.stored) ?? null;

/** `create`, `update` and `delete` of a declared resource, run by its host. */
export function declaredCommands<Host extends ResourceHost>(kind: string, declaration: AnyDeclaration): CommandSpec<Host>[] {
  const { type } = declaration;
  const spec = <Body>(verb: string, decide: (context: CommandContext<Host, Body>) => Decision<Host>): CommandSpec<Host, Body> => ({
    kind,
    type: `${type}.${verb}`,
    place: { on: 'target' },
    catchesUp: false,
    decide,
  });
  return [
    spec('create', (context) => createRecord(declaration, context, (at) => declaration.create(context.body, at))),
    spec('update', (context) => decideUpdate(declaration, context)),
    spec('delete', (context) => decideDelete(declaration, context)),
  ];
}

/** Also for commands that create a record other than from its body. */
export function createRecord<Host extends ResourceHost>(
  declaration: AnyDeclaration,
  context: CommandContext<Host>,
  create: (at: Change<Host>) => unknown,
): Decision<Host> {
  const parentId = parentOf(declaration, context.state, context.command.params);
  const id = context.env.newId(declaration.prefix);
  const at = changeOf(context, id);
  const stored = create(at);
  refuseTaken(declaration, context.state, parentId, stored, null);
  const body: ResourceCreated = { resource: declaration.type, id, parentId, stored };
  return decision(declaration, [{ type: 'ResourceCreated', body }, ...consequences(declaration, null, stored, at)], at);
}

function decideUpdate<Host extends ResourceHost>(declaration: AnyDeclaration, context: CommandContext<Host>): Decision<Host> {
  const record = recordOf(declaration, context.state, context.command.params);
  const at = changeOf(context, record.id);
  const stored = declaration.change(record.stored, context.body, at);
  refuseTaken(declaration, context.state, record.parentId, stored, record.id);
  return decision(declaration, [changed(declaration.type, record, stored), ...consequences(declaration, record.stored, stored, at)], at);
}

function decideDelete<Host extends ResourceHost>(declaration: AnyDeclaration, context: CommandContext<Host>): Decision<Host> {
  const record = recordOf(declaration, context.state, context.command.params);
  const at = changeOf(context, record.id);
  declaration.assertRemovable?.(record.stored, at);
  if (declaration.retire) {
    const stored = declaration.retire(record.stored, at);
    return decision(declaration, [changed(declaration.type, record, stored), ...consequences(declaration, record.stored, stored, at)], at);
  }
  const body: ResourceRemoved = { resource: declaration.type, id: record.id, parentId: record.parentId };
  return {
    facts: [{ type: 'ResourceRemoved', body }, ...consequences(declaration, record.stored, null, at)],
    reply: () => ({ data: undefined }),
  };
}

const changeOf = <Host extends ResourceHost>({ state, body, command, env }: CommandContext<Host>, id: string): Change<Host> => ({
  id,
  host: state,
  body,
  command,
  env,
});

const consequences = (declaration: AnyDeclaration, before: unknown, after: unknown, at: Change): readonly FactDraft[] =>
  declaration.consequences?.(before, after, at) ?? [];

function decision<Host extends ResourceHost>(
  declaration: AnyDeclaration,
  facts: readonly FactDraft[],
  { id, env }: Change<Host>,
): Decision<Host> {
  return { facts, reply: (after) => ({ data: replyOf(declaration, after, recordsOf(after, declaration.type).get(id), env.now) }) };
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
      throw new Refusal('duplicate', `\`${key.name}\` is already used by the ${declaration.type} ${other.id}.`, {
        errors: [{ path: key.name, expected: 'a value that is not in use', message: 'is already in use' }],
      });
    }
  }
}
