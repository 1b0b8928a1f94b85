import { randomUUID } from 'node:crypto';
import { API_VERSION, Refusal } from '../actors/index.js';
import { assert } from '../engine/index.js';
import { clientAddress, networkOf } from './auth/addresses.js';
import { withinOwn } from './auth/borrower-limits.js';
import { withinInvestors } from './auth/investor-limits.js';
import { assertPermitted, type Authenticator, credentialText } from './auth/credential.js';
import { NO_COMPANY, type RateLimiter, type RateVerdict, UNLIMITED } from './auth/rate-limiter.js';
import { CallContext } from './call-context.js';
import { idempotencyKeyOf } from './command-request.js';
import { withDeadline } from './deadline.js';
import type { EngineCalls } from './engine-calls.js';
import { FairScheduler } from './fair-scheduler.js';
import type { Admission, EarlyRefusal, HttpReply, HttpRequest, HttpStreamReply, RequestHead } from './http/message.js';
import { LIMITS } from './limits.js';
import { EARLY_REFUSALS, failureBody, failureHeaders, publicOriginOf, refusalOf, successBody } from './reply.js';
import { CSV_HEADERS, EMPTY_HEADERS, FILE_HEADERS, HTML_HEADERS, JSON_HEADERS, STREAM_HEADERS } from './reply-headers.js';
import { type Caller, isOpen, type Reply, type Route, type RouteTable } from './routing/route.js';
import { type Input, Intake, type OnUnknown } from './routing/intake.js';
import { zoneFor } from './routing/zone-for.js';
import { contentTypeOf } from './wire/upload.js';

/** The prefix of all paths of the interface. */
export const BASE_PATH = '/api';

export interface DispatchOptions {
  readonly table: RouteTable;
  readonly engine: EngineCalls;
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
  /** `https://loans.example.com`, where the operator sets it; null = from the request. */
  readonly publicOrigin: string | null;
  readonly trustedProxies: readonly string[];
  /** Called with failures of the service itself. */
  readonly onFailure: (cause: unknown, context: { readonly requestId: string; readonly operation: string }) => void;
  /** Called with each request once it is answered. */
  readonly onAnswered: (answered: Answered) => void;
  /** Called with the error type of each refused request. */
  readonly onRefused: (errorType: string) => void;
}

/** The outcome of a request: ids only, none of its content. */
export interface Answered {
  readonly requestId: string;
  readonly method: string;
  /** The path of the route, with the names of its parameters; null where no route was found. */
  readonly route: string | null;
  /** `none` where no route was found. */
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
  /** Null where none was found. */
  readonly caller: Caller | null;
}

type Headers = Record<string, string>;

/** A request on its way, with the head of the reply that it will get. */
interface PendingRequest {
  readonly request: RequestHead;
  readonly requestId: string;
  readonly headers: Headers;
  readonly begunMs: number;
  /** Set when they are found. */
  route: Route | null;
  caller: Caller | null;
}

/** A request of which the head was found to be good. */
interface Admitted {
  readonly pending: PendingRequest;
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly caller: Caller;
}

interface Refused {
  readonly reply: HttpReply;
}

/**
 * The life of a request: find the route, find the caller, count, permit, read and check what was sent, handle,
 * wrap. Each step may refuse; what is thrown becomes the error body at the end.
 *
 * The HTTP server calls `admit` with the head of a request that has a body, and `answer` of the admission when the body has come. It calls
 * `dispatch` where the request is there as a whole. `handle` of a route calls `command` or `read` of its `CallContext`, which makes the
 * command with an id from the idempotency key and gives it to the engine.
 */
export class Dispatcher {
  readonly #scheduler = new FairScheduler();

  constructor(private readonly options: DispatchOptions) {}

  /** The answer to a request that has come as a whole. */
  async dispatch(request: HttpRequest): Promise<HttpReply | HttpStreamReply> {
    const admitted = this.#admit(request);
    // `await` costs time even without a promise.
    const found = admitted instanceof Promise ? await admitted : admitted;
    return 'reply' in found ? found.reply : this.#answer(found, request);
  }

  /** Decides from the head of a request alone, so that no body is kept for a caller who may not send it. */
  admit(head: RequestHead): Admission | Promise<Admission> {
    const admitted = this.#admit(head);
    return admitted instanceof Promise ? admitted.then((found) => this.#admission(found, head)) : this.#admission(admitted, head);
  }

  #admission(found: Admitted | Refused, head: RequestHead): Admission {
    if ('reply' in found) return { type: 'refused', reply: found.reply };
    const { pending, route, caller } = found;
    try {
      if (route.body && route.takesFile !== true) contentTypeOf(head.headers['content-type']);
    } catch (cause) {
      return { type: 'refused', reply: this.#fail(pending, cause) };
    }
    return {
      type: 'admitted',
      bodyBytes: bodyBytesOf(route, caller),
      network: networkOf(caller.address),
      answer: (request) => this.#answer(found, request),
      refuse: (reason) => this.#fail(pending, EARLY_REFUSALS[reason]()),
    };
  }

  /** Finds the route and the caller, counts the request and asks whether it is permitted. */
  #admit(head: RequestHead): Admitted | Refused | Promise<Admitted | Refused> {
    const pending = pendingRequestOf(head);
    const refused = (cause: unknown): Refused => ({ reply: this.#fail(pending, cause) });
    try {
      const { route, params } = this.#route(pending);
      pending.route = route;
      assertVersion(head.headers['x-api-version']);
      const found = this.#caller(pending, route);
      const admitted =
        found instanceof Promise
          ? found.then((caller) => this.#countAndPermit({ pending, route, params, caller }))
          : this.#countAndPermit({ pending, route, params, caller: found });
      return admitted instanceof Promise ? admitted.catch(refused) : admitted;
    } catch (cause) {
      return refused(cause);
    }
  }

  #route({ request, headers }: PendingRequest): { readonly route: Route; readonly params: Readonly<Record<string, string>> } {
    const { method, path } = request;
    const relative = path.startsWith(`${BASE_PATH}/`) ? path.slice(BASE_PATH.length) : '';
    const match = this.options.table.find(method, relative);
    switch (match.type) {
      case 'route':
        if (method === 'HEAD' && isStream(match.route))
          throw new Refusal('methodNotAllowed', 'HEAD is not supported on a stream. Use GET.');
        return match;
      case 'otherMethods':
        headers['Allow'] = match.allowed.join(', ');
        throw new Refusal('methodNotAllowed', `The path does not support this method. Supported: ${match.allowed.join(', ')}.`);
      case 'none':
        throw new Refusal('notFound', `Unknown path. All paths are listed in ${BASE_PATH}/openapi.json.`);
    }
  }

  #caller({ request }: PendingRequest, route: Route): Promise<Caller> | Caller {
    const { authenticator, trustedProxies } = this.options;
    const address = clientAddress(request.peerAddress, request.headers['x-forwarded-for'], trustedProxies);
    if (route.permission === 'public') return { ...NOBODY, address };
    const text = credentialText(request.headers);
    if (text === undefined && route.permission === 'optional') return { ...NOBODY, address };
    if (text === undefined)
      throw new Refusal('unauthenticated', 'No credential was sent. Send an API key or a token as "Authorization: Bearer" or X-API-KEY.');
    return authenticator.authenticate({ text, address });
  }

  /** Counts the request of the caller, and asks whether it is permitted. */
  #countAndPermit(admitted: Admitted): Admitted | Promise<Admitted> {
    const { pending, caller } = admitted;
    pending.caller = caller;
    const counted = this.#count(caller);
    if (counted instanceof Promise) return counted.then((verdict) => permit(admitted, verdict));
    return permit(admitted, counted);
  }

  #count(caller: Caller): RateVerdict | Promise<RateVerdict> {
    return caller.company === NO_COMPANY ? UNLIMITED : this.options.rateLimiter.take(caller);
  }

  async #answer(admitted: Admitted, request: HttpRequest): Promise<HttpReply | HttpStreamReply> {
    const { pending } = admitted;
    let reply: HttpReply | HttpStreamReply;
    try {
      const handled = this.#scheduler.run(ownerOf(admitted.caller), () => this.#handle(admitted, request));
      reply = this.#success(admitted, handled instanceof Promise ? await handled : handled);
    } catch (cause) {
      return this.#fail(pending, cause);
    }
    this.#answered(pending, reply.status);
    return reply;
  }

  #handle({ pending: { requestId }, route, params: encodedParams, caller }: Admitted, request: HttpRequest): Promise<Reply> | Reply {
    const isWrite = route.method !== 'GET';
    const idempotencyKey = isWrite ? idempotencyKeyOf(request.headers['idempotency-key']) : null;
    const { engine } = this.options;
    const intake = Intake.of(route);
    const handleInput = ({ params, query, body }: Input): Promise<Reply> | Reply => {
      if (route.envelope === 'socket' && !request.isUpgrade) throw new Refusal('upgradeRequired', 'WebSocket upgrade required.');
      const lastEventId = request.headers['last-event-id'] || null;
      const call = new CallContext({
        params,
        query,
        body,
        caller,
        requestId,
        idempotencyKey,
        lastEventId,
        signature: request.headers['x-signature'] || null,
        engine,
        method: route.method,
        path: request.path,
      });
      return handledFor(caller, route, call);
    };
    const input = intake.read(encodedParams, request, onUnknownOf(request, caller), (named) => zoneFor(engine, caller, named));
    const handled = input instanceof Promise ? input.then(handleInput) : handleInput(input);
    return withDeadline(handled, route.waitsMs ?? LIMITS.requestMs, timedOut);
  }

  #success({ pending: { request, headers }, route }: Admitted, reply: Reply): HttpReply | HttpStreamReply {
    const status = reply.status ?? route.success;
    if (reply.headers) Object.assign(headers, reply.headers);
    if (reply.stream) return { status, shared: route.envelope === 'csv' ? CSV_HEADERS : STREAM_HEADERS, headers, start: reply.stream };
    if (reply.replayed) headers['Idempotent-Replayed'] = 'true';
    if (route.envelope === 'file' || reply.isFile === true) return { status, shared: FILE_HEADERS, headers, body: fileOf(reply) };
    const { publicOrigin, trustedProxies } = this.options;
    const body = successBody(route, reply, () => ({
      origin: publicOriginOf(publicOrigin, request, trustedProxies),
      path: request.path,
      queryText: request.queryText,
    }));
    return { status, shared: body === '' ? EMPTY_HEADERS : route.envelope === 'html' ? HTML_HEADERS : JSON_HEADERS, headers, body };
  }

  #answered({ request, requestId, route, caller, begunMs }: PendingRequest, status: number): void {
    const { operation = 'none', path = null } = route ?? {};
    const seconds = (performance.now() - begunMs) / 1000;
    this.options.onAnswered({ requestId, method: request.method, route: path, operation, status, seconds, caller });
  }

  #fail(pending: PendingRequest, cause: unknown): HttpReply {
    const refusal = refusalOf(cause);
    if (refusal.statusCode === 500)
      this.options.onFailure(cause, { requestId: pending.requestId, operation: pending.route?.operation ?? 'none' });
    const reply = this.#failure(refusal, pending);
    this.#answered(pending, reply.status);
    return reply;
  }

  /** The reply to a request that is refused before its head is looked at. */
  refuse(head: RequestHead, reason: EarlyRefusal): HttpReply {
    return this.#fail(pendingRequestOf(head), EARLY_REFUSALS[reason]());
  }

  /** The reply to a request whose answer was thrown outside of `dispatch`: a page's, or a bug of the dispatcher. */
  failed(head: RequestHead, cause: unknown): HttpReply {
    return this.#fail(pendingRequestOf(head), cause);
  }

  #failure(refusal: Refusal, { requestId, headers }: Pick<PendingRequest, 'requestId' | 'headers'>): HttpReply {
    this.options.onRefused(refusal.errorType);
    return {
      status: refusal.statusCode,
      shared: JSON_HEADERS,
      headers: { ...headers, ...failureHeaders(refusal) },
      body: failureBody(refusal, requestId),
    };
  }
}

/** The request, if the limits of its caller and the permission of its route allow it; else throws. */
function permit(admitted: Admitted, verdict: RateVerdict): Admitted {
  const {
    pending: { headers },
    route: { permission },
    caller,
  } = admitted;
  Object.assign(headers, verdict.headers);
  if (verdict.refusal) throw verdict.refusal;
  if (permission !== null && !isOpen(permission)) assertPermitted(caller, permission);
  return admitted;
}

/** How unknown names are handled: as the request says, else as its key says, else they are refused. */
function onUnknownOf({ headers }: HttpRequest, caller: Caller): OnUnknown {
  const wanted = headers['tenor-unknown-fields'];
  if (wanted === undefined || wanted === '') return caller.unknownFields ?? 'refuse';
  if (wanted === 'ignore' || wanted === 'refuse') return wanted;
  throw new Refusal('validationError', 'The Tenor-Unknown-Fields header must be "refuse" or "ignore".');
}

/** Narrows the call of a borrower, or of an employee limited to some investors: the one place where this is done. */
function handledFor(caller: Caller, route: Route, call: CallContext): Promise<Reply> | Reply {
  if (caller.session?.borrower) return withinOwn(route, call, caller.session.borrower).then((own) => route.handle(own));
  return caller.investorIds === undefined ? route.handle(call) : withinInvestors(route, call);
}

function fileOf({ data }: Reply): Buffer {
  assert(Buffer.isBuffer(data), 'a file is bytes');
  return data;
}

/** Whose requests are scheduled together: those of a key or user, or of a network where there is no credential. */
const ownerOf = ({ company, mode, keyId, userId, address }: Caller): string =>
  company === NO_COMPANY ? networkOf(address) : `${company}/${mode}/${keyId ?? userId ?? ''}`;

/** The largest body in bytes: more where files are accepted, less without a credential. */
function bodyBytesOf({ takesFile, body }: Route, { company }: Caller): number {
  if (!body && !takesFile) return LIMITS.unwantedBodyBytes;
  if (company === NO_COMPANY) return LIMITS.openBodyBytes;
  return takesFile ? LIMITS.uploadBodyBytes : LIMITS.bodyBytes;
}

const isStream = ({ envelope }: Route): boolean => envelope === 'events' || envelope === 'socket' || envelope === 'csv';

const NOBODY: Omit<Caller, 'address'> = { company: NO_COMPANY, mode: 'test', keyId: null, userId: null, permissions: new Set() };

const timedOut = (): Refusal =>
  new Refusal('unavailable', 'The request took too long and may still take effect. Repeat it with the same Idempotency-Key.', {
    retryAfterSeconds: 5,
  });

function pendingRequestOf(head: RequestHead): PendingRequest {
  const requestId = requestIdOf(head.headers['x-request-id']);
  return { request: head, requestId, headers: { 'X-Request-Id': requestId }, begunMs: performance.now(), route: null, caller: null };
}

const REQUEST_ID = /^[\x21-\x7e]+$/;

/** The id that the caller sent, where it is well formed; else a random one. */
function requestIdOf(header: string): string {
  return header !== '' && header.length <= LIMITS.requestIdLength && REQUEST_ID.test(header) ? header : randomUUID();
}

function assertVersion(header: string): void {
  if (header === '' || header === API_VERSION) return;
  const version = header.slice(0, LIMITS.shownNameLength);
  throw new Refusal('badRequest', `Unsupported API version ${version}. Supported: ${API_VERSION}.`, {
    errors: [{ path: 'X-API-Version', expected: API_VERSION, message: `X-API-Version must be ${API_VERSION}` }],
  });
}
