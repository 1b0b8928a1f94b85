import { assert } from '../../engine/index.js';
import type { StreamConnection } from '../http/message.js';
import type { Call } from './call.js';
import type { Checked, SchemaCollection } from './checked.js';

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

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type SuccessStatus = 101 | 200 | 201 | 202 | 204 | 206;

/**
 * How `data` is wrapped. `object`: `{status, message, data}`. `list`: `{status, count, total, nextUrl,
 * previousUrl, data}` from a `ListResult`. `bare`: the data alone. `empty`: no body. `html`: `data` is a
 * page. `csv`: a file, in parts. `file`: bytes. `events` and `socket`: a stream that goes on, as server-sent events or over a web socket.
 */
export type Envelope = 'object' | 'list' | 'bare' | 'empty' | 'html' | 'csv' | 'file' | 'events' | 'socket';

/**
 * Null: every valid credential. `public`: none is needed, or looked at. `optional`: none is needed, but one that is shown must be valid.
 */
export type Permission = string | null;

export const isOpen = (permission: Permission): boolean => permission === 'public' || permission === 'optional';

/** The names between braces: `'/people/{personId}/loans'` has `personId`. */
type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterNames<Rest> : never;

type Parameters<Path extends string> = { readonly [Name in ParameterNames<Path>]: string };

/** What a handler answers. */
export interface Reply {
  readonly data?: unknown;
  /** Default: the route's `success`. */
  readonly status?: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further properties of the envelope, beside `data`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** A stored reply of an earlier try. */
  readonly replayed?: boolean;
  /** Of the command that was run; it is told inside of `data`. */
  readonly operationId?: string;
  /** Of the envelopes that go on: gets the connection once the head is sent. */
  readonly stream?: (connection: StreamConnection) => void;
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
  /** Parameters of the path that are no AnyId: text of up to 100 characters. */
  readonly textParameters?: readonly ParameterNames<Path>[];
  readonly query?: Checked<Query>;
  /** A request without a body counts as `{}`. */
  readonly body?: Checked<Body>;
  /** The body is a file, in the part `file` of a form or by itself: the handler gets an `UploadedFile`. */
  readonly takesFile?: true;
  /** Longest time of the request in milliseconds, where the usual one is too short (long polls). */
  readonly waitsMs?: number;
  /** Schema of `data`. */
  readonly reply?: SchemaCollection;
  readonly handle: (call: Call<Parameters<Path>, Query, Body>) => Promise<Reply> | Reply;
}

/** A route with its types forgotten: what the table, the dispatcher and the documents work with. */
export type Route = Omit<RouteSpec<string, unknown, unknown>, 'handle' | 'textParameters' | 'success' | 'envelope'> & {
  readonly success: SuccessStatus;
  readonly envelope: Envelope;
  readonly textParameters: readonly string[];
  readonly handle: (call: Call) => Promise<Reply> | Reply;
};

const PATH = /^(\/[A-Za-z0-9._-]+|\/\{[A-Za-z][A-Za-z0-9]*\})+$/;

/** Checks what the types cannot, and forgets the types: the dispatcher gives the handler what it declared. */
export function defineRoute<const Path extends string, Query = undefined, Body = undefined>(spec: RouteSpec<Path, Query, Body>): Route {
  assert(PATH.test(spec.path), `the path of ${spec.operation} is malformed: ${spec.path}`);
  assert(spec.body === undefined || spec.method !== 'GET', `${spec.operation} is a GET with a body`);
  return { success: 200, envelope: 'object', textParameters: [], ...spec } as unknown as Route;
}
