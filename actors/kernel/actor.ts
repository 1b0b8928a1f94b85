import type { AnyStateMachine } from 'xstate';
import type { Day } from '../../engine/index.js';
import type { ErrorType } from '../errors.js';
import type { PersonalFields } from './snapshots/at-rest.js';
import type { Agent, EventDraft, Fact, FactDraft, Mode, Tenant } from './fact.js';
import type { ListPage, ListRequest } from './lists/list-request.js';
import type { Counted, MassWork, Selection } from './jobs/mass-works.js';
import type { HeldLock } from './jobs/mass-locks.js';
import type { Answer, Asking } from './policy.js';
import type { Arrival, ArrivalMark } from './lists/arrivals.js';

export { ALL_ROWS, type ListPage, type ListRequest } from './lists/list-request.js';

/**
 * One kind of actor: how it begins, changes and is read. A stored actor is a plain record; `State` must survive `pack` and `unpack`
 * unchanged.
 */
export interface ActorDefinition<State> {
  /** `company`, `person`, `loan`: the name in facts, snapshots and lists. */
  readonly kind: string;
  /** The two characters of its ids. */
  readonly prefix: string;
  /** True: every shard reads it, and it lies on the shared shard. */
  readonly isShared?: boolean;
  /** An actor before its first fact. */
  initial(id: string, tenant: Tenant): State;
  /**
   * Applies a fact to the state in place, and emits events about what happened. During a recovery `emit` is null, since the journal has the
   * events as records of their own.
   */
  evolve(state: State, fact: Fact, emit: Emit | null, env: EvolveEnv): void;
  /** An independent copy, for previews and reads of what is pending. */
  clone(state: State): State;
  /** The row of the list index, built from the state at each call; null while the actor is not listed. */
  row(state: State): CatalogRow | null;
  /** What is stored of it, without its `parts`. */
  pack(state: State): unknown;
  /**
   * What `tenor verify` compares: equal for two equal actors, whenever each was stored. Absent: what `pack` and `parts` return.
   */
  comparable?(state: State): unknown;
  /** `part` returns the packed value of a part, at any time until the state has changed and is stored. */
  unpack(packed: unknown, part: ReadPart): State;
  /** The same for a state that is read now and not kept: it may read a part when somebody asks for it. Absent: `unpack`. */
  unpackInPassing?(packed: unknown, part: ReadPart): State;
  /**
   * Large parts that seldom change, as of the last `pack`. Each is stored apart from the actor, and stored again only when its version is
   * another object.
   */
  parts?(state: State): readonly ActorPart[];
  /** Fields that are sealed in the journal and in snapshots, and clear in memory. */
  readonly personal?: PersonalFields<State>;
  /** The zone whose days it lives by, and the next day on which it has something to do: computed from its state alone. */
  agenda?(state: State): AgendaEntry | null;
  /** The same when others have changed something that the actor has not applied yet; null otherwise. */
  behind?(this: void, state: State, env: EvolveEnv): AgendaEntry | null;
  /**
   * The facts that closed days require, one at a time; the runtime applies each before it asks for the next.
   * `throughDay` is today in the actor's zone. Must yield nothing when nothing is pending.
   */
  catchUp?(this: void, state: State, throughDay: Day, env: DecideEnv): Iterable<FactDraft>;
  /**
   * The job that a fact of a shared actor triggers: actors of another kind have to catch up with the fact. They do so as mass work, between
   * other commands; a read before that computes what is pending. `World.apply` asks for each fact of a shared actor, on every shard;
   * `Engine` starts the runner after each command of a shared actor, and when the owner of the shared shard has sent facts.
   */
  triggers?(fact: Fact): JobTrigger | null;
  /** Actors of other units of a cluster that its own work may read. Called again when one of those that it reads has come. */
  refersTo?(this: void, state: State, env: DecideEnv): readonly Reference[];
  /** A test of the rows that mass work selects by the filter. Throws a refusal for an invalid filter. */
  selects?(this: void, filter: unknown, env: SelectEnv): (row: CatalogRow) => boolean;
  /** Whether a fact that catching up or a mass command records is a recomputation; absent: every fact is. */
  isRecomputation?(this: void, draft: FactDraft): boolean;
  /** The figures that a report of differences shows: texts, and amounts in cents, which the report adds up. */
  figures?(this: void, state: State, env: EvolveEnv): readonly Figure[];
  /** A short digest of the computed state, stored with `CaughtUp` facts and compared when they are applied again. */
  digest?(state: State): string;
  /** Its statechart; absent where it has none. */
  readonly lifecycle?: Lifecycle<State>;
}

/** One object by its id, or all objects of a kind below a parent: a loan, or the cases of a borrower. */
export type Reference = { readonly kind: string; readonly id: string } | { readonly kind: string; readonly parentId: string };

/** The statechart by which a kind of actor lives. */
export interface Lifecycle<State> {
  readonly machine: AnyStateMachine;
  /** The state of the machine that an actor is in, and what the guards of the machine ask. */
  at(state: State, env: EvolveEnv): { readonly value: string; readonly context?: object };
}

/** The zone by whose days an actor lives, and the next day on which it has something to do. */
export interface AgendaEntry {
  readonly zone: string;
  readonly nextDay: Day;
}

/** A job for all actors that have to catch up with something. */
export interface JobTrigger {
  /** The name of the operation: `indexRate.create`. */
  readonly kind: string;
  /** The object that was made or changed. */
  readonly objectId: string | null;
  readonly selection: Selection;
}

/** A column of a report: its name, and an amount in cents or a text. */
export type Figure = readonly [name: string, value: number | string | null];

/** A part of an actor's state that is never changed, only replaced. */
export interface ActorPart {
  readonly name: string;
  readonly value: object;
  /** Another object for each value that the part has had: usually the value itself. */
  readonly version: object;
  /** The snapshots have the value: memory may forget it and read it again. */
  readonly evict?: (read: ReadPart) => void;
}

/** Returns the packed value of a part by its name. */
export type ReadPart = (name: string) => unknown;

/** A part whose value stays in memory. */
export const partInMemory = (name: string, value: object): ActorPart => ({ name, value, version: value });

export type Emit = (event: EventDraft) => void;

/** The kind and external id of a part of an actor, and the object that they name. */
export type NamedPart = readonly [kind: string, externalId: string, objectId: string];

/** A row of the list index: small, always in memory, and enough to filter and to order lists. */
export interface CatalogRow {
  readonly id: string;
  readonly externalId: string | null;
  readonly createdStamp: number;
  readonly updatedStamp: number;
  /** The actor that it is listed under (the borrower of a loan). */
  readonly parentId: string | null;
  /** Further actors under which it is listed (the other people on a loan). */
  readonly alsoUnder?: readonly string[];
  /**
   * Further external ids that name parts of this actor. A list that only grew at its end since the last row stays the same array, so that
   * only its new entries are added to the index; any other change makes a new array.
   */
  readonly parts?: readonly (readonly NamedPart[])[];
  /** Fields for filters and orders of this kind; plain values and arrays of them. */
  readonly fields: Readonly<Record<string, string | number | boolean | null | readonly string[] | readonly number[]>>;
}

export interface CommandRequest<Body = unknown, Query = unknown> {
  /** Derived from the idempotency key, or random. */
  readonly commandId: string;
  readonly company: string;
  readonly mode: Mode;
  /** `loan.freeze`: the actor's kind and what is asked. */
  readonly type: string;
  /** The actor's service id or external id; null for a new root. */
  readonly target: string | null;
  /** Ids of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The validated body. */
  readonly body: Body;
  readonly query?: Query;
  readonly actor: Agent;
  readonly permissions: ReadonlySet<string>;
  readonly address: string | null;
  readonly requestId: string;
  /** The shard replaces the digest of the body by a keyed one, and keeps the plain one to compare it with those of earlier releases. */
  readonly idempotency?: { readonly key: string; readonly digest: string; readonly plainDigest?: string };
}

export interface Outcome {
  readonly status?: number;
  readonly data: unknown;
  readonly message?: string;
  readonly operationId?: string;
  /** True when this is the stored reply of an earlier attempt. */
  readonly replayed: boolean;
}

export interface QueryRequest<Query = unknown> {
  readonly company: string;
  readonly mode: Mode;
  readonly type: string;
  readonly target: string | null;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly permissions: ReadonlySet<string>;
  /** The caller sees only the loans of these investors; absent: all. */
  readonly investorIds?: readonly string[];
}

/** The result of a command. A refusal is thrown as `Refusal` before anything is changed. */
export interface Decision<State> {
  readonly facts: readonly FactDraft[];
  /** Compute and answer, change nothing: the facts are applied to a copy. */
  readonly preview?: boolean;
  /** The recorded facts say that the command failed: mass work counts it as failed. */
  readonly failure?: { readonly errorType: ErrorType; readonly message: string };
  /** Events that no single fact carries; usually empty, since `evolve` emits. */
  readonly events?: readonly EventDraft[];
  /** The answer, from the state with the facts applied. */
  reply(this: void, after: State): Reply;
}

export interface Reply {
  readonly data: unknown;
  readonly status?: number;
  readonly message?: string;
  readonly operationId?: string;
  /** The work of the operation goes on after the reply; who does it says when it is done. */
  readonly isUnderWay?: true;
  /** The person whose data the reply shows: it is stored sealed with that person's key. */
  readonly sealedFor?: string;
  /** The command was carried out and failed: its operation has failed. */
  readonly failure?: { readonly errorType: ErrorType; readonly message: string };
}

/** What `decide` may know besides the state: deterministic once its values are read. */
export interface DecideEnv extends SelectEnv {
  /** The company's clock in milliseconds. */
  readonly now: number;
  /** Last closed day of the zone + 1. */
  today(zone: string): Day;
  /** A new id of this shard: `LN-XXXX-XXXX`. */
  newId(prefix: string): string;
  /**
   * Reserves a block of ordinals for ids that are derived (periods, obligations, late fees), so that they
   * survive a replay unchanged. Returns the block's first counter.
   */
  reserveIds(count: number): number;
  /** Creates the data key of a person; durable before the facts of this command. */
  createKey(owner: string): void;
  seal(owner: string, plain: string, context: string): Uint8Array;
  /** A page of the list index as it is now: whether anything depends on what a command is about to change. */
  list(kind: string, request: ListRequest): ListPage;
  /** How many actors match a selection, in all units of a cluster. */
  count(counted: Counted): number;
  /** Mass work of the tenant, by the id of its operation. */
  massWork(operationId: string): MassWork | undefined;
}

/** What `evolve` and reads may know. */
export interface EvolveEnv extends Asking {
  /** Another actor's state, read only: the company's configuration anywhere, others on the same shard. */
  read<State>(kind: string, id: string): State | undefined;
  /** The id of a reserved ordinal. */
  derivedId(prefix: string, shardOf: string, counter: number): string;
  /** Undefined when the person's key was destroyed. */
  open(owner: string, sealed: Uint8Array, context: string): string | undefined;
  /** Service id of an external id (`kind` is an actor's kind or a part's), or undefined. */
  findExternal(tenant: Tenant, kind: string, externalId: string): string | undefined;
}

/** What a filter of rows may know. */
export interface SelectEnv extends EvolveEnv {
  readonly tenant: Tenant;
  /** The actors of a kind below others, whichever units of a cluster have them, fetched at once: the cases of borrowers. */
  readBelow<State>(kind: string, ...parentIds: readonly string[]): readonly State[];
  /** Whether the object has a row in the list index of this engine: a deleted borrower has none. */
  hasRow(kind: string, id: string): boolean;
}

export interface CommandContext<State, Body = unknown, Query = unknown> {
  readonly id: string;
  /** For a command that makes an actor this is its initial state. */
  readonly state: State;
  readonly body: Body;
  readonly command: CommandRequest<unknown, Query>;
  readonly env: DecideEnv;
  /** Id of the actor named by `beside` (the borrower of a new loan). */
  readonly besideId: string | null;
}

/**
 * A command of an actor. `place` says where it runs: on the actor that `target` names, on a new root (the shard follows from the command
 * id, so that a retry finds its first attempt), or on a new actor beside an existing one.
 */
export interface CommandSpec<State, Body = unknown, Query = unknown> {
  readonly kind: string;
  readonly type: string;
  readonly place: { readonly on: 'target' } | { readonly on: 'root' } | { readonly on: 'beside'; readonly kind: string };
  /** Whether what is due is recorded before deciding, and what the command has made due after its facts. Default true. */
  readonly catchesUp?: boolean;
  /** Whether it also reaches an actor that no list has any more, by its service id. Default false. */
  readonly reachesUnlisted?: boolean;
  /** `Body` and `Query`: as the route has validated them. */
  decide(context: CommandContext<State, Body, Query>): Decision<State>;
}

export interface QueryContext<State, Query = unknown> {
  readonly id: string;
  /** With what is pending already computed, on a copy. */
  readonly state: State;
  readonly query: Query;
  readonly request: QueryRequest;
  readonly env: QueryEnv;
}

export interface QueryEnv extends SelectEnv {
  readonly now: number;
  today(zone: string): Day;
  /** How many actors match a selection, in all units of a cluster. */
  count(counted: Counted): number;
  /** The rows of one kind of actor, without those that are hidden from the caller. */
  list(kind: string, request: ListRequest): ListPage;
  /** The same in time slices, for lists that may have to look at all actors of a kind. */
  listInSlices(kind: string, request: ListRequest): Promise<ListPage>;
  /** All rows of a kind, whatever the caller may see: for values that are computed once for all callers. */
  listAll(kind: string, request: ListRequest): ListPage;
  /** The actors of a kind that have a row in lists, from a mark on. They come as they are stored, so that each is read quickly. */
  arrivals(kind: string, after: ArrivalMark | null): Iterable<Arrival>;
  /** Whether the caller may see an object of this engine. */
  sees(kind: string, id: string): boolean;
  /** The shard that an id names; undefined for text that is no id of a shard. Objects below one borrower are on one shard. */
  shardOf(id: string): number | undefined;
  /** Whether this engine is the one that has the object, if it exists; in a cluster most objects are on other engines. */
  isHere(id: string): boolean;
  stateOf<State>(kind: string, id: string): State | undefined;
  /** The state of one of very many actors, each looked at once: it does not take the place of another in the actor cache. */
  stateInPassing<State>(kind: string, id: string): State | undefined;
  /** The mass work that is computing the object at this moment. */
  lockOf(kind: string, id: string): HeldLock | undefined;
}

/** `Query`: as the route has validated it. */
export type QuerySpec<State, Query = unknown> =
  | {
      readonly kind: string;
      readonly type: string;
      readonly on: 'target';
      /** The answer shows nothing that a crash could undo: it does not wait for a flush. */
      readonly showsNoFacts?: true;
      read(context: QueryContext<State, Query>): unknown;
    }
  | ({ readonly on: 'company' } & QueryOfMany<Query>)
  | ({
      readonly on: 'tenant';
      /** The object whose shard has the whole answer; absent, or without a target: any shard may have a part of it. */
      below?(this: void, request: QueryRequest): { readonly kind: string; readonly target: string | undefined };
      /** A shard whose part is asked alone, with all that it has. */
      ofShard?(this: void, request: QueryRequest): number;
    } & QueryOfMany<Query>);

/** What a query of many reads, with the query that its route has checked. */
export type QueryOf<Query> = Omit<QueryContext<never>, 'state' | 'id' | 'query'> & { readonly query: Query };

/** `tenant`: of all actors of the kind. `company`: of the company's configuration alone. An answer in time slices is a promise. */
interface QueryOfMany<Query> {
  readonly kind: string;
  readonly type: string;
  read(context: Omit<QueryContext<never, Query>, 'state' | 'id'>): unknown;
}

/** Everything an actor family brings to the runtime. */
export interface ActorModule {
  readonly definition: ActorDefinition<unknown>;
  readonly commands: readonly CommandSpec<never, never, never>[];
  readonly queries: readonly QuerySpec<never>[];
  /** Its answers to questions of earlier domains. */
  readonly answers?: readonly Answer[];
}

/** The definitions by their kinds: a caller gives each only states of its kind. */
export const definitionsOf = (modules: readonly ActorModule[]): ReadonlyMap<string, ActorDefinition<unknown>> =>
  new Map(modules.map(({ definition }) => [definition.kind, definition]));

/** Ties definition, commands and queries of one state type together. */
export function actorModule<State>(module: {
  readonly definition: ActorDefinition<State>;
  readonly commands: readonly CommandSpec<State>[];
  readonly queries: readonly QuerySpec<State>[];
}): ActorModule {
  return module;
}
