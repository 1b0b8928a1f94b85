import { must } from '../../../engine/index.js';
import type { QuerySpec } from '../actor.js';
import { type OffsetQuery, pageOf } from '../../page.js';
import { dateTimeText, orNull } from '../../wire.js';
import { type AnyDeclaration, parentOf, recordOf, type ResourceHost, type ResourceRecord, recordsOf } from './declaration.js';

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
      read: ({ state, request }) => replyOf(declaration, state, recordOf(declaration, state, request.params)),
    },
    {
      kind,
      type: `${declaration.type}.list`,
      on: 'target',
      read({ state, request, query, env }) {
        const parentId = parentOf(declaration, state, request.params);
        const records = [...recordsOf(state, declaration.type).values()].filter((record) => record.parentId === parentId);
        const { matches } = declaration;
        const { sortBy = [], ...page } = query as SortedQuery;
        const wanted = matches ? records.filter((record) => matches(record, query, state, env)) : records;
        const view = (record: ResourceRecord): object => replyOf(declaration, state, record);
        const newestFirst = wanted.reverse();
        const ordered = declaration.order?.(newestFirst, sortBy) ?? newestFirst;
        return pageOf(ordered, page, view, (record) => externalIdOf(declaration, record));
      },
    },
  ];
}

export function replyOf(declaration: AnyDeclaration, host: ResourceHost, record: ResourceRecord | undefined): object {
  const known = must(record, `a reply about a ${declaration.type} that is not there`);
  return {
    id: known.id,
    object: declaration.object ?? declaration.type,
    companyId: host.id,
    ...declaration.view(known.stored, known, host),
    createdAt: dateTimeText(known.createdAt),
    updatedAt: orNull(dateTimeText, known.updatedAt),
    deletedAt: null,
  };
}

const externalIdOf = (declaration: AnyDeclaration, record: ResourceRecord): string | null =>
  declaration.unique.find((key) => key.name === 'externalId')?.of(record.stored) ?? null;
