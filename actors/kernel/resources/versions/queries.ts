import { refuse } from '../../../errors.js';
import { pageOf } from '../../../page.js';
import type { QuerySpec } from '../../actor.js';
import { actorView } from '../../actor-view.js';
import { dateTimeText, orNull } from '../../../wire.js';
import { type ResourceHost, type ResourceRecord, recordsOf } from '../declaration.js';
import type { AnyVersioned, ShownVersion, VersionedListQuery, VersionedView, VersionQuery } from './declaration.js';
import { shownOf, type TypeLine, versionOf } from './line.js';

type Record = ResourceRecord<TypeLine<unknown>>;

/** `get` and `list` of a type with versions, answered by its host. */
export function versionedQueries<Host extends ResourceHost>(kind: string, declaration: AnyVersioned): QuerySpec<Host>[] {
  const { type, param } = declaration;
  return [
    {
      kind,
      type: `${type}.get`,
      on: 'target',
      read({ state, request, query }) {
        const id = request.params[param] ?? '';
        const record = (recordsOf(state, type).get(id) ?? refuse('notFound', `There is no ${type} ${id}.`)) as Record;
        const { version } = query as VersionQuery;
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
      read: ({ state, query }) =>
        pageOf(shownVersions(declaration, state, query as VersionedListQuery), query as VersionedListQuery, (shown) =>
          versionReply(declaration, state, shown),
        ),
    },
  ];
}

/** Each type once, the newest first: by its active version, else its newest, or by the newest one of the status that is asked for. */
function shownVersions(declaration: AnyVersioned, host: ResourceHost, query: VersionedListQuery): readonly ShownVersion[] {
  const { status, includeDeprecated = false } = query;
  const shown = ([...recordsOf(host, declaration.type).values()] as Record[]).flatMap((record): readonly ShownVersion[] => {
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
