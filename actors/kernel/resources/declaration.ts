import { must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { CommandRequest, DecideEnv, QueryEnv } from '../actor.js';
import { type Fact, type FactDraft, factTest } from '../fact.js';

export interface ResourceCreated {
  readonly resource: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly stored: unknown;
}

interface ResourceChanged<Stored = unknown> {
  readonly resource: string;
  readonly id: string;
  /** Absent from older facts. */
  readonly parentId?: string | null;
  readonly stored: Stored;
}

export interface ResourceRemoved {
  readonly resource: string;
  readonly id: string;
  readonly parentId?: string | null;
}

interface ResourceFacts {
  readonly ResourceCreated: ResourceCreated;
  readonly ResourceChanged: ResourceChanged;
  readonly ResourceRemoved: ResourceRemoved;
}

export const isResourceFact = factTest<ResourceFacts>();

/** Whether a changed record is of a type, whose declaration stores what the caller names. */
export const isOfResource = <Stored>(body: ResourceChanged, type: string): body is ResourceChanged<Stored> => body.resource === type;

/** Applies a fact about a declared resource; false when the fact is about something else. */
export function evolveResources(host: ResourceHost, fact: Fact): boolean {
  if (isResourceFact(fact, 'ResourceCreated')) {
    const { resource, id, parentId, stored } = fact.body;
    putRecord(host, resource, { id, parentId, stored, createdAt: fact.businessAt, updatedAt: null });
  } else if (isResourceFact(fact, 'ResourceChanged')) {
    const { resource, id, stored } = fact.body;
    const before = must(recordsOf(host, resource).get(id), `a change of the unknown ${resource} ${id}`);
    putRecord(host, resource, { ...before, stored, updatedAt: fact.businessAt });
  } else if (isResourceFact(fact, 'ResourceRemoved')) {
    const { resource, id } = fact.body;
    const records = new Map(recordsOf(host, resource));
    records.delete(id);
    host.resources.set(resource, records);
  } else return false;
  return true;
}

/** The map is replaced too, so that a clone of the host may share it. */
export function putRecord(host: ResourceHost, resource: string, record: ResourceRecord): void {
  host.resources.set(resource, new Map(recordsOf(host, resource)).set(record.id, record));
}

/**
 * A resource that is configuration: fields, rules and unique keys, without behavior of its own. Its declaration gives commands, queries,
 * facts and routes; its records are in the state of the actor that hosts it.
 */
export interface Declaration<Create, Update, Stored, Host extends ResourceHost = ResourceHost> {
  /** The name in facts, commands and errors, and the `object` of replies: `loanLabel`. */
  readonly type: string;
  /** The `object` of replies, if it differs from `type`. */
  readonly object?: string;
  /** The two characters of its ids. */
  readonly prefix: string;
  /** The path parameter of a record's own id: `labelId`. */
  readonly param: string;
  /** The resource above it (a fee type's loan type); its id comes as the path parameter `param`. */
  readonly parent?: {
    readonly param: string;
    readonly noun: string;
    exists(host: ResourceHost, id: string): boolean;
    /** The service id for an id of the path; absent: only service ids name it. */
    idOf?(host: ResourceHost, anyId: string): string | undefined;
  };
  /** Values that no two records of one parent may share; the name is the body's path, null is never in use. */
  readonly unique: readonly UniqueKey<Stored>[];
  /** The record for a validated body; throws a refusal where fields contradict each other. */
  create(body: Create, at: Change<Host>): Stored;
  /** Partial update: absent keys stay, null clears fields that may be empty. */
  change(before: Stored, body: Update, at: Change<Host>): Stored;
  /** The result of DELETE: undefined removes the record, a value keeps it (deactivated). */
  retire?(before: Stored, at: Change<Host>): Stored;
  /** Refuses to remove a record. */
  assertRemovable?(before: Stored, at: Change<Host>): void;
  /** Changes of other records that follow: facts after its own. `after` is null when the record is removed. */
  consequences?(before: Stored | null, after: Stored | null, at: Change<Host>): readonly FactDraft[];
  /** Whether a record passes the list's filters. */
  matches?(this: void, record: ResourceRecord<Stored>, query: unknown, host: Host, env: QueryEnv): boolean;
  /** Fields that the list can be ordered by (`sortBy`); newest first without it. */
  order?(records: readonly ResourceRecord<Stored>[], sortBy: readonly string[]): readonly ResourceRecord<Stored>[];
  /** The reply without `id`, `object` and the time stamps. `now`: milliseconds of the company's clock. */
  view(stored: Stored, record: ResourceRecord<Stored>, host: Host, now: number): object;
}

/** The command in which a record is made, changed or removed. */
export interface Change<Host extends ResourceHost = ResourceHost, Body = unknown> {
  /** The id of the record. */
  readonly id: string;
  readonly host: Host;
  readonly body: Body;
  readonly command: CommandRequest;
  readonly env: DecideEnv;
}

export interface UniqueKey<Stored> {
  readonly name: string;
  of(stored: Stored): string | null;
}

/** A record in the host's state. Records are replaced, never changed. */
export interface ResourceRecord<Stored = unknown> {
  readonly id: string;
  readonly parentId: string | null;
  /** Company's clock in milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number | null;
  readonly stored: Stored;
}

/** Declared resources of an actor by type, then by id in the order of creation. */
export interface ResourceHost {
  /** The company's id. */
  readonly id: string;
  readonly resources: Map<string, ReadonlyMap<string, ResourceRecord>>;
}

/** A declaration with its types erased, for the generic parts. */
export type AnyDeclaration = Declaration<unknown, unknown, unknown>;

/** A change of another record that follows from the one of a command. */
export function changed<Stored>(resource: string, { id, parentId }: ResourceRecord<Stored>, stored: Stored): FactDraft {
  const body: ResourceChanged = { resource, id, parentId, stored };
  return { type: 'ResourceChanged', body };
}

const NONE: ReadonlyMap<string, ResourceRecord> = new Map();

/** The records of a type, which its declaration has made: the caller names what they store. */
export function recordsOf<Stored = unknown>(host: ResourceHost, type: string): ReadonlyMap<string, ResourceRecord<Stored>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- facts of this type have brought them, each from its declaration
  return (host.resources.get(type) ?? NONE) as ReadonlyMap<string, ResourceRecord<Stored>>;
}

/** The record that a service id or `ext-` id names. */
export function findRecord<Stored>(
  host: ResourceHost,
  declaration: { readonly type: string; readonly unique: readonly UniqueKey<Stored>[] },
  anyId: string,
): ResourceRecord<Stored> | undefined {
  const records = recordsOf<Stored>(host, declaration.type);
  if (!anyId.startsWith('ext-')) return records.get(anyId);
  const external = declaration.unique.find((key) => key.name === 'externalId');
  if (!external) return undefined;
  for (const record of records.values()) if (external.of(record.stored) === anyId.slice(4)) return record;
  return undefined;
}

/** The id of the resource above; null when there is none. An unknown one is 404. */
export function parentOf(
  declaration: Pick<AnyDeclaration, 'parent'>,
  host: ResourceHost,
  params: Readonly<Record<string, string>>,
): string | null {
  const { parent } = declaration;
  if (!parent) return null;
  const named = params[parent.param] ?? '';
  const id = parent.idOf?.(host, named) ?? named;
  if (!parent.exists(host, id)) throw new Refusal('notFound', `There is no ${parent.noun} ${id}.`);
  return id;
}

/** The record that the path names, below the path's parent. */
export function recordOf<Stored>(
  declaration: Declaration<never, never, Stored, never>,
  host: ResourceHost,
  params: Readonly<Record<string, string>>,
): ResourceRecord<Stored> {
  const parentId = parentOf(declaration, host, params);
  const id = params[declaration.param] ?? '';
  const record = findRecord<Stored>(host, declaration, id);
  if (!record || record.parentId !== parentId) throw new Refusal('notFound', `There is no ${declaration.type} ${id}.`);
  return record;
}
