import { isRecord } from '../engine/index.js';
import { hash, randomUUID } from 'node:crypto';
import { type CommandRequest, type Mode, operationIdOf, Refusal, refuseProperty, toJsonText } from '../actors/index.js';
import { type AnswerOf, ask, carryOut, type DataOf } from './answers.js';
import { LIMITS } from './limits.js';
import type { Engine } from './engine.js';
import type { Answered, Call, Caller, CommandOptions, ReadOptions } from './routing/route.js';
import { UploadedFile } from './wire/upload.js';

/** Work under way, and how it fails when its time is over. */
interface Waiting {
  readonly dueMs: number;
  readonly fail: (cause: Error) => void;
  readonly late: () => Error;
}

/**
 * Work with the same time limit becomes late in the order in which it came, so that one timer serves all of it: a timer for each request
 * would cost more than finding its route. Time limits are constants of the routes, so there are few.
 */
class Span {
  readonly #waiting = new Set<Waiting>();
  #isTimed = false;

  constructor(private readonly milliseconds: number) {}

  bound<T>(work: Promise<T>, late: () => Error): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const waiting: Waiting = { dueMs: performance.now() + this.milliseconds, fail: reject, late };
      this.#waiting.add(waiting);
      if (!this.#isTimed) this.#time(this.milliseconds);
      work.then(
        (value) => {
          this.#waiting.delete(waiting);
          resolve(value);
        },
        (cause: unknown) => {
          this.#waiting.delete(waiting);
          reject(cause);
        },
      );
    });
  }

  /** The timer stays when all work is done; it then finds nothing, and does not keep the process alive. */
  #time(milliseconds: number): void {
    this.#isTimed = true;
    setTimeout(() => this.#fire(), Math.ceil(milliseconds)).unref();
  }

  #fire(): void {
    this.#isTimed = false;
    const now = performance.now();
    for (const waiting of this.#waiting) {
      if (waiting.dueMs > now) return this.#time(waiting.dueMs - now);
      this.#waiting.delete(waiting);
      waiting.fail(waiting.late());
    }
  }
}

const spans = new Map<number, Span>();

/** The result of `work`, or the failure that `late` makes when it takes longer. The work itself goes on. */
export function withDeadline<T>(work: Promise<T>, milliseconds: number, late: () => Error): Promise<T>;
export function withDeadline<T>(work: Promise<T> | T, milliseconds: number, late: () => Error): Promise<T> | T;
export function withDeadline<T>(work: Promise<T> | T, milliseconds: number, late: () => Error): Promise<T> | T {
  if (!(work instanceof Promise)) return work;
  const span = spans.get(milliseconds) ?? new Span(milliseconds);
  spans.set(milliseconds, span);
  return span.bound(work, late);
}

/** An idempotency key is unique within company, mode, method and path. */
interface RequestIdentity {
  readonly company: string;
  readonly mode: Mode;
  readonly method: string;
  readonly path: string;
}

const KEY = /^[\x20-\x7e]+$/;

/** The header's key, or null when there is none. */
export function idempotencyKeyOf(header: string): string | null {
  if (header === '') return null;
  if (header.length <= LIMITS.idempotencyKeyLength && KEY.test(header)) return header;
  const expected = `1 to ${LIMITS.idempotencyKeyLength} printable ASCII characters`;
  refuseProperty('Idempotency-Key', expected, `The Idempotency-Key header must have ${expected}.`);
}

/** The same for every attempt of a request with a key, so that the shard recognizes a retry; random without one. */
function commandIdOf(identity: RequestIdentity, key: string | null, step = ''): string {
  if (key === null) return randomUUID();
  const { company, mode, method, path } = identity;
  return sha256(toJsonText([company, mode, method, path, key, step]));
}

/** Properties left out of the digest: it is stored, and could be used to check a guess of the secret. */
const SECRETS: ReadonlySet<string> = new Set([
  'password',
  'currentPassword',
  'login',
  'transactionKey',
  'pan',
  'cvvNumber',
  'cardNumber',
  'cvv',
  'processorToken',
  'cardApiKey',
  'cardWebhookSecret',
]);

/** Equal for bodies with the same content: spacing, the order of properties and secrets do not count. */
const digestOf = (body: unknown): string => (body instanceof UploadedFile ? body.digest : sha256(canonicalText(body)));

const sha256 = (text: string): string => hash('sha256', text);

/** JSON with the properties of each object in the order of their names. */
function canonicalText(value: unknown): string {
  if (!isRecord(value)) return toJsonText(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  const properties = Object.keys(value)
    .filter((key) => !SECRETS.has(key))
    .sort()
    .map((key) => `${toJsonText(key)}:${canonicalText(value[key])}`);
  return `{${properties.join()}}`;
}

export interface CallParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  readonly lastEventId: string | null;
  readonly signature: string | null;
  readonly engine: Engine;
  readonly method: string;
  readonly path: string;
}

/** A request on its way into the actors. */
export class CallContext implements Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  readonly lastEventId: string | null;
  readonly signature: string | null;
  readonly engine: Engine;

  constructor(private readonly parts: CallParts) {
    this.params = parts.params;
    this.query = parts.query;
    this.body = parts.body;
    this.caller = parts.caller;
    this.requestId = parts.requestId;
    this.idempotencyKey = parts.idempotencyKey;
    this.lastEventId = parts.lastEventId;
    this.signature = parts.signature;
    this.engine = parts.engine;
  }

  /** The same request with parts of it replaced. */
  with(parts: Partial<CallParts>): CallContext {
    return new CallContext({ ...this.parts, ...parts });
  }

  command<const Type extends string>(type: Type, target: string | null, options: CommandOptions = {}): Promise<Answered<DataOf<Type>>> {
    const request = commandRequest(this.parts, type, target, options);
    const outcome = carryOut(this.engine, request);
    const isSync = this.query !== null && typeof this.query === 'object' && 'sync' in this.query && this.query.sync === true;
    return isSync ? withDeadline(outcome, LIMITS.syncMs, () => syncTimeout(request)) : outcome;
  }

  async read<const Type extends string>(type: Type, target: string | null, options: ReadOptions = {}): Promise<Answered<AnswerOf<Type>>> {
    const { company, mode, permissions, investorIds } = this.caller;
    const query = 'query' in options ? options.query : this.query;
    return {
      data: await ask(this.engine, {
        company,
        mode,
        type,
        target,
        params: this.params,
        query,
        permissions,
        ...(investorIds === undefined ? {} : { investorIds }),
      }),
    };
  }
}

function commandRequest<Type extends string>(
  parts: CallParts,
  type: Type,
  target: string | null,
  options: CommandOptions,
): CommandRequest & { readonly type: Type } {
  const { params, query, body, caller, requestId, idempotencyKey: key, method, path } = parts;
  const { company, mode, permissions, address } = caller;
  const request = {
    commandId: commandIdOf({ company, mode, method, path }, key, options.step),
    company,
    mode,
    type,
    target,
    params,
    body: 'body' in options ? options.body : body,
    query: 'query' in options ? options.query : query,
    actor: agentOf(caller),
    permissions,
    address,
    requestId,
  };
  return key === null ? request : { ...request, idempotency: { key, digest: digestOf(body) } };
}

/** The caller as facts name it. */
export function agentOf({ keyId, userId, session }: Caller): CommandRequest['actor'] {
  if (session?.borrower && userId !== null) return { type: 'borrower', id: userId, userId };
  if (keyId === null) return userId === null ? { type: 'user', id: 'unknown' } : { type: 'user', id: userId, userId };
  return userId === null ? { type: 'key', id: keyId } : { type: 'key', id: keyId, userId };
}

/** The end of the wait of `sync=true`. The work itself goes on, and its operation can be read. */
function syncTimeout({ commandId }: CommandRequest): Refusal {
  return new Refusal('syncTimeout', 'The operation takes longer than sync=true waits. It goes on: read it with GET /operations/{id}.', {
    extra: { data: { operationId: operationIdOf(commandId) } },
  });
}

/** Computes a value when it is first asked for, and keeps it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
