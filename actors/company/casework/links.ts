import { must } from '../../../engine/index.js';
import {
  type AnyVersioned,
  changedInPlace,
  findRecord,
  type ResourceHost,
  type ResourceRecord,
  recordsOf,
  shownOf,
  type ShownVersion,
  type TypeLine,
  versionReply,
} from '../../kernel/resources/index.js';
import { type Fault, Refusal, refuse } from '../../errors.js';
import { pageOf, type PageQuery } from '../../page.js';
import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import type { CompanyState } from '../state.js';
import { CASE_TYPE_TYPE } from './case-type.js';

/** What acts on cases of some types alone: the ids lie in the version of the type that acts. */
export interface Linked {
  readonly caseTypeIds: readonly string[];
}

type LinkedRecord = ResourceRecord<TypeLine<Linked>>;

/** Types that act on the cases of a case type, each by the version in use. */
export const linkedTo = (host: ResourceHost, type: string, caseTypeId: string): readonly ShownVersion<Linked>[] =>
  ([...recordsOf(host, type).values()] as LinkedRecord[]).flatMap((record) => {
    const version = shownOf(record.stored);
    return version.status !== 'deprecated' && version.fields.caseTypeIds.includes(caseTypeId) ? [{ id: record.id, record, version }] : [];
  });

/** The ids of case types of a body, each once. */
export function checkedCaseTypeIds(host: ResourceHost, ids: readonly string[]): readonly string[] {
  const known = recordsOf(host, CASE_TYPE_TYPE);
  const errors = ids.flatMap((id, index): readonly Fault[] =>
    known.has(id) ? [] : [{ path: `caseTypeIds[${index}]`, expected: 'the id of a case type', message: `there is no case type ${id}` }],
  );
  return errors.length > 0 ? refuse('validationError', 'There is no such case type.', { errors }) : [...new Set(ids)];
}

/** The links that are shown: those of types that are still there. */
export const shownLinks = (host: ResourceHost, { caseTypeIds }: Linked): readonly string[] =>
  caseTypeIds.filter((id) => recordsOf(host, CASE_TYPE_TYPE).has(id));

/** `PUT` and `DELETE /case-types/{caseTypeId}/…/{typeId}`: no new version of either side. */
export function linkCommands(declaration: AnyVersioned): CommandSpec<CompanyState>[] {
  const spec = (verb: string, change: (linked: readonly string[], caseTypeId: string) => readonly string[]): CommandSpec<CompanyState> => ({
    kind: 'company',
    type: `${declaration.type}.${verb}`,
    place: { on: 'target' },
    catchUpFirst: false,
    decide({ state, command: { params } }) {
      const { id: caseTypeId } = recordNamed(state, CASE_TYPE_TYPE, params['caseTypeId']);
      const record = recordNamed(state, declaration.type, params['typeId']) as LinkedRecord;
      const linked = changedInPlace(declaration.type, record, (fields) => ({
        ...fields,
        caseTypeIds: change(fields.caseTypeIds, caseTypeId),
      }));
      return { facts: [linked], reply: (after) => ({ data: shownReply(declaration, after, record.id) }) };
    },
  });
  return [spec('link', (linked, id) => [...new Set([...linked, id])]), spec('unlink', (linked, id) => linked.filter((one) => one !== id))];
}

/** `GET /case-types/{caseTypeId}/…` */
export const linkQuery = (declaration: AnyVersioned): QuerySpec<CompanyState> => ({
  kind: 'company',
  type: `${declaration.type}.listLinked`,
  on: 'target',
  read({ state, request, query }) {
    const { id } = recordNamed(state, CASE_TYPE_TYPE, request.params['caseTypeId']);
    return pageOf([...linkedTo(state, declaration.type, id)].reverse(), query as PageQuery, (shown) =>
      versionReply(declaration, state, shown),
    );
  },
});

export function recordNamed(host: ResourceHost, type: string, id = ''): ResourceRecord {
  const record = findRecord(host, { type, unique: [] }, id);
  if (!record) throw new Refusal('notFound', `There is no ${type} ${id}.`);
  return record;
}

export function shownReply(declaration: AnyVersioned, host: ResourceHost, id: string): object {
  const record = must(recordsOf(host, declaration.type).get(id), 'the type is there') as LinkedRecord;
  return versionReply(declaration, host, { id, record, version: shownOf(record.stored) });
}
