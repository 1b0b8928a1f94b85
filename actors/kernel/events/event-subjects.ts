import { Refusal } from '../../errors.js';
import { NAMED_OBJECT_TYPES } from '../../event-types.js';
import { CASE, LOAN, PERSON } from '../known-names.js';

/** The properties of a filter that name an object. */
type SubjectName = 'loanId' | 'personId' | 'caseId' | 'objectId';

/** An object that the events are to be about, by a service id or an external one. */
export interface EventSubject {
  readonly name: SubjectName;
  readonly anyId: string;
  /** The kinds of object that it may be. */
  readonly kinds: readonly [string, ...string[]];
}

export type LocatedSubject = readonly [name: SubjectName, id: string];

/** What a request names in its query. */
export interface SubjectQuery {
  readonly objectType?: string;
  readonly objectId?: string;
  readonly personId?: string;
  readonly loanId?: string;
  readonly caseId?: string;
}

type Params = Readonly<Record<string, string>>;

/** All objects that the path and the query name: an event must be about each of them. */
export function subjectsOf({ objectType, ...query }: SubjectQuery, params: Params): readonly EventSubject[] {
  const named = (name: SubjectName, anyId: string | undefined, ...kinds: EventSubject['kinds']): readonly EventSubject[] =>
    anyId === undefined ? [] : [{ name, anyId, kinds }];
  return [
    ...named('loanId', params['loanId'], LOAN),
    ...named('loanId', query.loanId, LOAN),
    ...named('personId', params['personId'], PERSON),
    ...named('personId', query.personId, PERSON),
    ...named('caseId', query.caseId, CASE),
    ...(objectType === undefined
      ? named('objectId', query.objectId, ...NAMED_OBJECT_TYPES)
      : named('objectId', query.objectId, objectType)),
  ];
}

/** Objects that may be deleted are no longer found, but the events about them are: their service ids are taken as they are. */
export const isOfDeletable = (name: SubjectName): boolean => name === 'caseId' || name === 'objectId';

/** The object of one of several kinds that has an external id. Throws `Refusal` when there is none, or more than one. */
export function oneHolder(anyId: string, holders: readonly string[]): string {
  const [id, ...others] = holders;
  if (id === undefined) throw new Refusal('notFound', `There is no object ${anyId}.`);
  if (others.length === 0) return id;
  throw new Refusal('badRequest', `Several objects have the external id ${anyId.slice(4)}. Name their type in \`objectType\`.`, {
    errors: [{ path: 'objectId', expected: 'the id of one object, or `objectType` as well', message: `may be ${holders.join(' or ')}` }],
  });
}

/** Undefined when two ids of one property differ: no event is about both. */
export function agreedIds(subjects: readonly LocatedSubject[]): Readonly<Partial<Record<SubjectName, string>>> | undefined {
  const ids: Partial<Record<SubjectName, string>> = {};
  for (const [name, id] of subjects) if ((ids[name] ??= id) !== id) return undefined;
  return ids;
}
