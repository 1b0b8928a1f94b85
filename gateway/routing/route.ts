import type { Fault, Mode, PortalSession } from '../../actors/index.js';
import { assert, fieldOf, must } from '../../engine/index.js';
import type { StreamConnection } from '../http/message.js';
import { type AnswerOf, type DataOf, dataOf } from '../answers.js';
import type { EngineCalls } from '../engine-calls.js';
import type { Checked } from './faults.js';
import type { SchemaCollection } from './schema.js';

/** A token bucket: so many requests a second in the long run, so many at once. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** The caller as the authenticator has found it. */
export interface Caller {
  readonly company: string;
  readonly mode: Mode;
  /** Null for a session's token. */
  readonly keyId: string | null;
  readonly userId: string | null;
  readonly permissions: ReadonlySet<string>;
  /** The client's address. */
  readonly address: string;
  /** The limit of this key; null = none, absent = the limit of the mode. */
  readonly rateLimit?: RateLimit | null;
  /** Set on this key: how unknown fields and parameters are handled. Absent: they are refused. */
  readonly unknownFields?: 'refuse' | 'ignore';
  /** Its user sees only the loans of these investors; absent: all loans. */
  readonly investorIds?: readonly string[];
  /** Absent for keys. */
  readonly session?: Session;
}

/** The session of a token. Times are milliseconds. */
export interface Session {
  readonly jti: string;
  readonly userType: 'agent' | 'borrower' | 'api';
  /** When its user signed in. */
  readonly since: number;
  readonly until: number;
  readonly generation: number;
  /** The borrower who has signed in; absent for users of the lender. */
  readonly borrower?: PortalSession;
  /** A short-lived token cannot be refreshed, and cannot make another. */
  readonly isShortLived: boolean;
}

/**
 * One request as its handler sees it: parsed, authenticated, permitted and validated. The caller of a public route is the empty caller.
 */
export interface Call<Params = Readonly<Record<string, string>>, Query = unknown, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  /** The last event that a reader of a stream has seen, when it connects again. */
  readonly lastEventId: string | null;
  /** Of a provider that signs its requests in a header `X-…-Signature`; null where there is none. */
  readonly signature: string | null;
  readonly engine: EngineCalls;
  /**
   * Runs a command on `target` (null: a new root) with this call's body, and returns its outcome. The id of the command is derived from the
   * idempotency key, so that a retry is recognized.
   */
  command<const Type extends string>(type: Type, target: string | null, options?: CommandOptions): Promise<Answered<DataOf<Type>>>;
  /** Runs a query about `target` (null: the company) with this call's query parameters. */
  read<const Type extends string>(type: Type, target: string | null, options?: ReadOptions): Promise<Answered<AnswerOf<Type>>>;
}

export interface ReadOptions {
  /** Instead of the call's query. */
  readonly query?: unknown;
}

export interface CommandOptions extends ReadOptions {
  /** Instead of the call's body. */
  readonly body?: unknown;
  /** Distinguishes commands of one call. */
  readonly step?: string;
}

/*
 * Routes are data. A resource's file writes them in a list:
 *
 *     interface FreezeLoan { readonly reason?: Text }
 *     interface LoanReply { readonly id: string; readonly status: string }
 *
 *     export const loanRoutes: readonly Route[] = [
 *       defineRoute({
 *         method: 'PUT',
 *         path: '/people/{personId}/loans/{loanId}/freeze',
 *         operation: 'freezeLoan',
 *         summary: 'Freeze a loan',
 *         tags: ['Loans'],
 *         permission: 'loan:freeze',
 *         body: { validate: typia.misc.createValidatePrune<FreezeLoan>(), schemas: typia.json.schemas<[FreezeLoan], '3.1'>() },
 *         reply: typia.json.schemas<[LoanReply], '3.1'>(),
 *         handle: (call) => call.command('loan.freeze', call.params.loanId),
 *       }),
 *     ];
 */

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type SuccessStatus = 101 | 200 | 201 | 202 | 204 | 206;

/**
 * How `data` is wrapped. `object`: `{status, message, data}`. `list`: `{status, count, total, nextUrl,
 * previousUrl, data}` from a `ListResult`. `bare`: the data alone. `empty`: no body. `html`: `data` is a
 * page. `csv`: a file, in parts. `file`: bytes. `events` and `socket`: a stream that goes on, as server-sent events or over a WebSocket.
 */
export type Envelope = 'object' | 'list' | 'bare' | 'empty' | 'html' | 'csv' | 'file' | 'events' | 'socket';

/**
 * Null: any valid credential. `public`: none is needed, and none is read. `optional`: none is needed, but one that is sent must be valid.
 */
export type Permission = string | null;

export const isOpen = (permission: Permission): boolean => permission === 'public' || permission === 'optional';

/** The names between braces: `'/people/{personId}/loans'` has `personId`. */
type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterNames<Rest> : never;

type Parameters<Path extends string> = { readonly [Name in ParameterNames<Path>]: string };

/** The answer of a handler. */
export interface Reply {
  readonly data?: unknown;
  /** Default: the route's `success`. */
  readonly status?: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further properties of the envelope, beside `data`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** `data` is bytes, which are sent as they are, whatever the route's envelope is. */
  readonly isFile?: true;
  /** The stored reply of an earlier attempt. */
  readonly replayed?: boolean;
  /** The id of the command that was run, sent inside of `data`. */
  readonly operationId?: string;
  /** For streams: gets the connection once the head is sent. */
  readonly stream?: (connection: StreamConnection) => void;
}

/** The answer to a query or a command of the engine. */
export interface Answered<Data> extends Reply {
  readonly data: Data;
}

export interface RouteSpec<Path extends string, Query, Body> {
  readonly method: Method;
  /** Relative to `/api`. */
  readonly path: Path;
  /** Name of the operation in documents, metrics and logs, unique over all routes. */
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** The permission string; null = any credential; `public` and `optional` = none. */
  readonly permission: Permission;
  /** Default 200. */
  readonly success?: SuccessStatus;
  /** Default `object`. */
  readonly envelope?: Envelope;
  /** Parameters of the path that are text and not an AnyId. */
  readonly textParameters?: readonly ParameterNames<Path>[];
  readonly query?: Checked<Query>;
  /** A request without a body counts as `{}`. */
  readonly body?: Checked<Body>;
  /**
   * Faults that the schema cannot find and that the body shows by itself. They are asked for when the request is refused anyway, with the
   * fields that the schema has accepted; the handler and the command find them, too.
   */
  readonly faultsOf?: (accepted: Partial<Body>, query: Partial<Query>) => readonly Fault[];
  /** The body is a file, in the part `file` of a form or by itself: the handler gets an `UploadedFile`. */
  readonly takesFile?: true;
  /** Longest time of the request in milliseconds, where the usual one is too short (long polls). */
  readonly waitsMs?: number;
  /** Schema of `data`. */
  readonly reply?: SchemaCollection;
  readonly handle: (call: Call<Parameters<Path>, Query, Body>) => Promise<Reply> | Reply;
}

/** A route without its type parameters, for the table, the dispatcher and the documents. */
export type Route = Omit<RouteSpec<string, unknown, unknown>, 'handle' | 'textParameters' | 'success' | 'envelope'> & {
  readonly success: SuccessStatus;
  readonly envelope: Envelope;
  readonly textParameters: readonly string[];
  readonly handle: (call: Call) => Promise<Reply> | Reply;
};

const PATH = /^(\/[A-Za-z0-9._-]+|\/\{[A-Za-z][A-Za-z0-9]*\})+$/;

/** Checks what types cannot express, and drops the type parameters: the dispatcher passes each handler the input that it declared. */
export function defineRoute<const Path extends string, Query = undefined, Body = undefined>(spec: RouteSpec<Path, Query, Body>): Route {
  assert(PATH.test(spec.path), `the path of ${spec.operation} is malformed: ${spec.path}`);
  assert(spec.body === undefined || spec.method !== 'GET', `${spec.operation} is a GET with a body`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the validators of the route check what its handler gets
  return { success: 200, envelope: 'object', textParameters: [], ...spec } as unknown as Route;
}

/** Adds `count` beside `data`, as the contract has it for schedules. */
export function counted(reply: Reply): Reply {
  const schedule = fieldOf(dataOf(reply.data), 'schedule');
  assert(Array.isArray(schedule), 'the reply has a schedule');
  return { ...reply, extra: { count: schedule.length } };
}

/** The match of a path in the table: the route, or the methods that the path supports. */
export type Match =
  | { readonly type: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly type: 'otherMethods'; readonly allowed: readonly Method[] }
  | { readonly type: 'none' };

interface Leaf {
  readonly route: Route;
  readonly names: readonly string[];
}

interface Node {
  readonly fixed: Map<string, Node>;
  variable: Node | null;
  /** By method. */
  readonly routes: Map<string, Leaf>;
}

/**
 * All routes as a tree of path segments. A fixed segment is preferred to a parameter (`/people/search` to `/people/{personId}`); the search
 * backtracks where a branch ends without the method.
 */
export class RouteTable {
  readonly routes: readonly Route[];
  readonly #root = newNode();

  constructor(routes: readonly Route[]) {
    this.routes = routes;
    const operations = new Set<string>();
    for (const route of routes) {
      assert(!operations.has(route.operation), `two routes have the operation ${route.operation}`);
      operations.add(route.operation);
      const node = this.#nodeOf(route.path);
      assert(!node.routes.has(route.method), `two routes answer ${route.method} ${route.path}`);
      const names = [...route.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => must(name, 'a name'));
      node.routes.set(route.method, { route, names });
    }
  }

  /** `path` is relative to the base and still percent-encoded; so are the returned parameters. */
  find(method: string, path: string): Match {
    const segments = path.split('/').slice(1);
    const values: string[] = [];
    const leaf = search(this.#root, segments, 0, method === 'HEAD' ? 'GET' : method, values);
    if (leaf) return { type: 'route', route: leaf.route, params: paramsOf(leaf.names, values) };
    const allowed = new Set<Method>();
    collectMethods(this.#root, segments, 0, allowed);
    return allowed.size > 0 ? { type: 'otherMethods', allowed: [...allowed] } : { type: 'none' };
  }

  #nodeOf(path: string): Node {
    let node = this.#root;
    for (const segment of path.split('/').slice(1)) {
      const next: Node = segment.startsWith('{') ? (node.variable ?? newNode()) : (node.fixed.get(segment) ?? newNode());
      if (segment.startsWith('{')) node.variable = next;
      else node.fixed.set(segment, next);
      node = next;
    }
    return node;
  }
}

const newNode = (): Node => ({ fixed: new Map(), variable: null, routes: new Map() });

function search(node: Node, segments: readonly string[], depth: number, method: string, values: string[]): Leaf | undefined {
  const segment = segments[depth];
  if (segment === undefined) return node.routes.get(method);
  const fixed = node.fixed.get(segment);
  const found = fixed && search(fixed, segments, depth + 1, method, values);
  if (found || !node.variable || segment === '') return found;
  values.push(segment);
  const below = search(node.variable, segments, depth + 1, method, values);
  if (!below) values.pop();
  return below;
}

/** The methods of every route that a path matches. */
function collectMethods(node: Node, segments: readonly string[], depth: number, allowed: Set<Method>): void {
  const segment = segments[depth];
  if (segment === undefined) {
    for (const { route } of node.routes.values()) allowed.add(route.method);
    return;
  }
  const fixed = node.fixed.get(segment);
  if (fixed) collectMethods(fixed, segments, depth + 1, allowed);
  if (node.variable && segment !== '') collectMethods(node.variable, segments, depth + 1, allowed);
}

function paramsOf(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (let index = 0; index < names.length; index++) params[must(names[index], 'a name')] = must(values[index], 'a value for each name');
  return params;
}
