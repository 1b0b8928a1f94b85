import { must } from '../../../../engine/index.js';
import { Refusal, refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../actor.js';
import type { FactDraft } from '../../fact.js';
import {
  type Change,
  changed,
  findRecord,
  recordsOf,
  type ResourceCreated,
  type ResourceHost,
  type ResourceRecord,
  type ResourceRemoved,
} from '../declaration.js';
import type { AnyVersioned, VersionedCreateBody, VersionedCreateQuery, VersionedUpdateBody, VersionQuery } from './declaration.js';
import {
  type By,
  newestOf,
  shownOf,
  type TypeLine,
  type TypeVersion,
  versionOf,
  versionReply,
  withChanged,
  withDeprecated,
  withNext,
  withoutDraft,
  withPublished,
} from './line.js';

type Line = TypeLine<unknown>;
type Record = ResourceRecord<Line>;
type NewBody = VersionedCreateBody & { readonly copyOf?: string };

/** `create`, `update` and `delete` of a type with versions, run by its host. */
export function versionedCommands<Host extends ResourceHost>(kind: string, declaration: AnyVersioned): CommandSpec<Host>[] {
  const spec = <Body>(
    verb: string,
    decide: (declaration: AnyVersioned, context: CommandContext<Host, Body>) => Decision<Host>,
  ): CommandSpec<Host, Body> => ({
    kind,
    type: `${declaration.type}.${verb}`,
    place: { on: 'target' },
    catchesUp: false,
    decide: (context) => decide(declaration, context),
  });
  return [spec<NewBody>('create', decideCreate), spec<VersionedUpdateBody>('update', decideUpdate), spec('delete', decideDelete)];
}

/** The facts of a new type whose first version is published at once: for the initial configuration of a company. */
export function publishedType(
  type: string,
  id: string,
  text: { readonly name: string; readonly description: string },
  fields: unknown,
  by: By,
): FactDraft {
  const body: ResourceCreated = {
    resource: type,
    id,
    parentId: null,
    stored: withPublished(withNext({ versions: [] }, text, fields, null, by), 1, by),
  };
  return { type: 'ResourceCreated', body };
}

function decideCreate<Host extends ResourceHost>(declaration: AnyVersioned, context: CommandContext<Host, NewBody>): Decision<Host> {
  const { command, env, state } = context;
  const { body } = context;
  const { typeId = body.copyOf, version } = (command.query ?? {}) as VersionedCreateQuery;
  const by = byOf(context);
  const published = (line: Line): Line => (body.status === 'active' ? withPublished(line, newestOf(line).version, by) : line);
  if (typeId === undefined) {
    const at = changeOf(context, env.newId(declaration.prefix));
    const { name = '', description = '' } = body;
    const stored = published(withNext({ versions: [] }, { name, description }, declaration.create(body, at), null, by));
    const made: ResourceCreated = { resource: declaration.type, id: at.id, parentId: null, stored };
    return decision(declaration, { type: 'ResourceCreated', body: made }, at.id, 1);
  }
  const record = typeNamed(declaration, state, typeId);
  const copied = version === undefined ? shownOf(record.stored) : versionOf(record.stored, version);
  const stored = published(nextAfter(declaration, context, record, copied, body));
  return decision(declaration, changed(declaration.type, record, stored), record.id, newestOf(stored).version);
}

/** A draft is changed in place; a change of a published version makes the next version. */
function decideUpdate<Host extends ResourceHost>(
  declaration: AnyVersioned,
  context: CommandContext<Host, VersionedUpdateBody>,
): Decision<Host> {
  const record = typeOf(declaration, context.state, context.command.params);
  const { body } = context;
  const { status, deprecationMessage = null, ...fields } = body;
  const { version: number = newestOf(record.stored).version } = (context.command.query ?? {}) as VersionQuery;
  const version = versionOf(record.stored, number);
  const by = byOf(context);
  if (status !== 'deprecated' && deprecationMessage !== null) {
    throw new Refusal('validationError', '`deprecationMessage` can only be set with status deprecated.', {
      errors: [
        {
          path: 'deprecationMessage',
          expected: 'nothing, unless the status is deprecated',
          message: 'can only be set with status deprecated',
        },
      ],
    });
  }
  if (status === 'deprecated') {
    if (Object.values(fields).some((value) => value !== undefined))
      refuse('validationError', 'No other field can be changed with status deprecated.', {
        errors: [{ path: 'status', expected: 'no other field with status deprecated', message: 'cannot be sent with changes' }],
      });
    return decision(
      declaration,
      changed(declaration.type, record, withDeprecated(record.stored, number, deprecationMessage, by)),
      record.id,
      number,
    );
  }
  const isDraft = version.status === 'draft';
  const written = isDraft
    ? draftChanged(declaration, context, record, version, body)
    : nextAfter(declaration, context, record, version, body);
  const writtenNumber = isDraft ? number : newestOf(written).version;
  const stored = status === 'active' ? withPublished(written, writtenNumber, by) : written;
  return decision(declaration, changed(declaration.type, record, stored), record.id, writtenNumber);
}

function decideDelete<Host extends ResourceHost>(declaration: AnyVersioned, context: CommandContext<Host>): Decision<Host> {
  const record = typeOf(declaration, context.state, context.command.params);
  const { version = newestOf(record.stored).version } = (context.command.query ?? {}) as VersionQuery;
  const stored = withoutDraft(record.stored, version);
  const removed: ResourceRemoved = { resource: declaration.type, id: record.id, parentId: null };
  const fact = stored === undefined ? { type: 'ResourceRemoved', body: removed } : changed(declaration.type, record, stored);
  return { facts: [fact], reply: () => ({ data: undefined }) };
}

/** Changes all versions that are still in use, without a new one: for objects that other resources link to a type. */
export function changedInUse<Fields>(
  type: string,
  record: ResourceRecord<TypeLine<Fields>>,
  change: (fields: Fields) => Fields,
): FactDraft {
  const versions = record.stored.versions.map((version) =>
    version.status === 'deprecated' ? version : { ...version, fields: change(version.fields) },
  );
  return changed(type, record, { versions });
}

function draftChanged(
  declaration: AnyVersioned,
  context: CommandContext<ResourceHost>,
  record: Record,
  before: TypeVersion<unknown>,
  body: VersionedUpdateBody,
): Line {
  const { name = before.name, description = before.description } = body;
  const fields = declaration.change(before.fields, body, changeOf(context, record.id));
  return withChanged(record.stored, before.version, { name, description, fields }, byOf(context));
}

function nextAfter(
  declaration: AnyVersioned,
  context: CommandContext<ResourceHost>,
  record: Record,
  copied: TypeVersion<unknown>,
  body: { readonly name?: string; readonly description?: string },
): Line {
  const { name = copied.name, description = copied.description } = body;
  const fields = declaration.change(copied.fields, body, changeOf(context, record.id));
  return withNext(record.stored, { name, description }, fields, record.id, byOf(context));
}

/** By service id: types have no external ids. Unknown ones are 404. */
function typeOf(declaration: AnyVersioned, host: ResourceHost, params: Readonly<{ [name: string]: string }>): Record {
  const id = params[declaration.param] ?? '';
  return findRecord(host, { type: declaration.type, unique: [] }, id) ?? refuse('notFound', `There is no ${declaration.type} ${id}.`);
}

function typeNamed(declaration: AnyVersioned, host: ResourceHost, id: string): Record {
  return (
    recordsOf<Line>(host, declaration.type).get(id) ??
    refuse('validationError', 'There is no such type to copy.', {
      errors: [{ path: 'typeId', expected: `the id of a ${declaration.type}`, message: `there is no ${id}` }],
    })
  );
}

const changeOf = <Host extends ResourceHost>({ state, body, command, env }: CommandContext<Host>, id: string): Change<Host> => ({
  id,
  host: state,
  body,
  command,
  env,
});

const byOf = <Host extends ResourceHost>({ command, env }: CommandContext<Host>): By => ({ at: env.now, agent: command.actor });

function decision<Host extends ResourceHost>(declaration: AnyVersioned, fact: FactDraft, id: string, number: number): Decision<Host> {
  return {
    facts: [fact],
    reply(after) {
      const record = must(recordsOf<Line>(after, declaration.type).get(id), `a reply about a ${declaration.type} that does not exist`);
      return { data: versionReply(declaration, after, { id, record, version: versionOf(record.stored, number) }) };
    },
  };
}
