import { setup } from 'xstate';
import { must } from '../../../../engine/index.js';
import { Refusal, refuse } from '../../../errors.js';
import { foundAmong, pageOf } from '../../../list-order.js';
import { Chart, STAYS, moves } from '../../../statechart.js';
import { dateTimeText, orNull } from '../../../wire.js';
import { actorView } from '../../actor-logic.js';
import type { QuerySpec, QueryContext } from '../../actor.js';
import type { Agent } from '../../fact.js';
import { findRecord, recordsOf, type ResourceHost, type ResourceRecord } from '../declaration.js';
import type { AnyVersioned, ShownVersion, VersionedListQuery, VersionedView, VersionQuery } from './declaration.js';

/**
 * The life of one version of a type. A draft is changed in place. A published version is never changed: a change makes a new version, and
 * objects that began under the old one stay under it.
 */
export const typeVersionMachine = setup({
  types: moves<VersionMove>(),
}).createMachine({
  id: 'typeVersion',
  initial: 'draft',
  states: {
    draft: { on: { change: STAYS, publish: 'active', delete: 'deleted' } },
    active: { on: { deprecate: 'deprecated', derive: STAYS } },
    deprecated: { on: { derive: STAYS } },
    deleted: { type: 'final' },
  },
});

export type VersionStatus = 'draft' | 'active' | 'deprecated';
export type VersionMove = 'change' | 'publish' | 'delete' | 'deprecate' | 'derive';

export const VERSION_CHART = new Chart<VersionStatus, VersionMove>(typeVersionMachine);

/** A type as the company keeps it: all its versions, the oldest first. The id names the line, a number the version. */
export interface TypeLine<Fields> {
  readonly versions: readonly TypeVersion<Fields>[];
}

export interface TypeVersion<Fields> extends VersionText {
  /** From 1. */
  readonly version: number;
  readonly status: VersionStatus;
  /** The type that it was copied from: its own line, for later versions. */
  readonly derivedFromTypeId: string | null;
  readonly fields: Fields;
  /** Company's clock in milliseconds. */
  readonly createdAt: number;
  readonly createdBy: Agent;
  readonly updatedAt: number | null;
  readonly publishedAt: number | null;
  readonly publishedBy: Agent | null;
  readonly deprecatedAt: number | null;
  readonly deprecatedBy: Agent | null;
  readonly deprecationMessage: string | null;
}

export interface VersionText {
  /** The default name of objects of the type. */
  readonly name: string;
  readonly description: string;
}

/** When a version is changed, and who changes it. */
export interface By {
  readonly at: number;
  readonly agent: Agent;
}

/** Versions of one type: each is kept as long as the company, and all are in one record. */
const MAX_VERSIONS = 200;

type Line<Fields> = TypeLine<Fields>;

export const newestOf = <Fields>({ versions }: Line<Fields>): TypeVersion<Fields> => must(versions.at(-1), 'a type has a version');

export const activeOf = <Fields>({ versions }: Line<Fields>): TypeVersion<Fields> | undefined =>
  versions.find(({ status }) => status === 'active');

/** The version that is used when none is named. */
export const shownOf = <Fields>(line: Line<Fields>): TypeVersion<Fields> => activeOf(line) ?? newestOf(line);

export function versionOf<Fields>({ versions }: Line<Fields>, number: number): TypeVersion<Fields> {
  return versions.find(({ version }) => version === number) ?? refuse('notFound', `There is no version ${number}.`);
}

/** A first version, or the next of a line: a draft. */
export function withNext<Fields>(
  line: Line<Fields>,
  text: VersionText,
  fields: Fields,
  derivedFromTypeId: string | null,
  { at, agent }: By,
): Line<Fields> {
  const version = (line.versions.at(-1)?.version ?? 0) + 1;
  if (line.versions.length >= MAX_VERSIONS) refuse('businessValidation', `A type can have at most ${MAX_VERSIONS} versions.`);
  const next: TypeVersion<Fields> = {
    ...text,
    version,
    status: 'draft',
    derivedFromTypeId,
    fields,
    createdAt: at,
    createdBy: agent,
    updatedAt: null,
    publishedAt: null,
    publishedBy: null,
    deprecatedAt: null,
    deprecatedBy: null,
    deprecationMessage: null,
  };
  return { versions: [...line.versions, next] };
}

export function withChanged<Fields>(line: Line<Fields>, number: number, change: Partial<TypeVersion<Fields>>, { at }: By): Line<Fields> {
  return { versions: line.versions.map((version) => (version.version === number ? { ...version, ...change, updatedAt: at } : version)) };
}

/** Publishes a draft; the version that was active until then is deprecated. */
export function withPublished<Fields>(line: Line<Fields>, number: number, by: By): Line<Fields> {
  const { status } = versionOf(line, number);
  assertMay(status, 'publish');
  const active = activeOf(line);
  const replaced = active === undefined ? line : withDeprecated(line, active.version, null, by);
  return withChanged(replaced, number, { status: VERSION_CHART.after(status, 'publish'), publishedAt: by.at, publishedBy: by.agent }, by);
}

export function withDeprecated<Fields>(line: Line<Fields>, number: number, deprecationMessage: string | null, by: By): Line<Fields> {
  const { status } = versionOf(line, number);
  assertMay(status, 'deprecate');
  return withChanged(
    line,
    number,
    { status: VERSION_CHART.after(status, 'deprecate'), deprecatedAt: by.at, deprecatedBy: by.agent, deprecationMessage },
    by,
  );
}

/** Removes a draft; undefined when nothing is left. */
export function withoutDraft<Fields>(line: Line<Fields>, number: number): Line<Fields> | undefined {
  assertMay(versionOf(line, number).status, 'delete');
  const versions = line.versions.filter(({ version }) => version !== number);
  return versions.length === 0 ? undefined : { versions };
}

function assertMay(status: VersionStatus, move: 'publish' | 'deprecate' | 'delete'): void {
  if (VERSION_CHART.allows(status, move)) return;
  throw new Refusal(
    move === 'delete' ? 'invalidState' : 'invalidTransition',
    `A version that is ${status === 'active' ? 'published' : status} cannot be ${PARTICIPLES[move]}.`,
  );
}

const PARTICIPLES = { publish: 'published', deprecate: 'deprecated', delete: 'deleted' } as const;

/** A type and its named version, or its active one. Undefined when there is none. */
export function findVersion<Fields>(
  host: ResourceHost,
  type: string,
  id: string,
  number?: number,
): { readonly record: ResourceRecord<TypeLine<Fields>>; readonly version: TypeVersion<Fields> } | undefined {
  const record = findRecord<TypeLine<Fields>>(host, { type, unique: [] }, id);
  const version = record && (number === undefined ? activeOf(record.stored) : record.stored.versions.find((one) => one.version === number));
  return record && version && { record, version };
}

type Record = ResourceRecord<TypeLine<unknown>>;

/** `get` and `list` of a type with versions, answered by its host. */
export function versionedQueries<Host extends ResourceHost>(kind: string, declaration: AnyVersioned): QuerySpec<Host>[] {
  const { type, param } = declaration;
  return [
    {
      kind,
      type: `${type}.get`,
      on: 'target',
      read({ state, request, query }: QueryContext<Host, VersionQuery>) {
        const id = request.params[param] ?? '';
        const record = recordsOf<Record['stored']>(state, type).get(id) ?? refuse('notFound', `There is no ${type} ${id}.`);
        const { version } = query;
        return versionReply(declaration, state, {
          id,
          record,
          version: version === undefined ? shownOf(record.stored) : versionOf(record.stored, version),
        });
      },
    },
    {
      kind,
      type: `${type}.list`,
      on: 'target',
      read: ({ state, query }: QueryContext<Host, VersionedListQuery>) =>
        pageOf(
          foundAmong(shownVersions(declaration, state, query), () => shownVersions(declaration, state, { includeDeprecated: true })),
          query,
          (shown) => versionReply(declaration, state, shown),
        ),
    },
  ];
}

/** Each type once, the newest first: by its active version, else its newest, or by the newest one of the requested status. */
function shownVersions(declaration: AnyVersioned, host: ResourceHost, query: VersionedListQuery): readonly ShownVersion[] {
  const { status, includeDeprecated = false } = query;
  const shown = [...recordsOf<Record['stored']>(host, declaration.type).values()].flatMap((record): readonly ShownVersion[] => {
    const version = status === undefined ? shownOf(record.stored) : record.stored.versions.findLast((one) => one.status === status);
    if (!version || (status === undefined && version.status === 'deprecated' && !includeDeprecated)) return [];
    return declaration.matches?.(version.fields, query) === false ? [] : [{ id: record.id, record, version }];
  });
  return shown.reverse();
}

export function versionReply(declaration: AnyVersioned, host: ResourceHost, { record, version: shown }: ShownVersion): object {
  const { fields, createdAt, createdBy, updatedAt, publishedAt, publishedBy, deprecatedAt, deprecatedBy, ...plain } = shown;
  const common: VersionedView = {
    id: record.id,
    companyId: host.id,
    ...plain,
    createdBy: actorView(createdBy),
    publishedAt: orNull(dateTimeText, publishedAt),
    publishedBy: orNull(actorView, publishedBy),
    deprecatedAt: orNull(dateTimeText, deprecatedAt),
    deprecatedBy: orNull(actorView, deprecatedBy),
    createdAt: dateTimeText(createdAt),
    updatedAt: orNull(dateTimeText, updatedAt),
    deletedAt: null,
  };
  return { object: declaration.type, ...common, ...declaration.view(fields, record, host) };
}
