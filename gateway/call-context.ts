import { type CommandRequest, operationIdOf, Refusal } from '../actors/index.js';
import { withDeadline } from './deadline.js';
import type { Engine } from './engine.js';
import { commandIdOf, digestOf, type RequestIdentity } from './idempotency.js';
import { LIMITS } from './limits.js';
import { replyOf } from './reply/outcome.js';
import type { Call, Caller, CommandOptions } from './routing/call.js';
import type { Reply } from './routing/route.js';

export interface CallParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  readonly lastEventId: string | null;
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
  readonly engine: Engine;

  constructor(private readonly parts: CallParts) {
    this.params = parts.params;
    this.query = parts.query;
    this.body = parts.body;
    this.caller = parts.caller;
    this.requestId = parts.requestId;
    this.idempotencyKey = parts.idempotencyKey;
    this.lastEventId = parts.lastEventId;
    this.engine = parts.engine;
  }

  async command(type: string, target: string | null, options: CommandOptions = {}): Promise<Reply> {
    const request = this.#commandRequest(type, target, options);
    const outcome = this.engine.execute(request);
    const isSync = this.query !== null && typeof this.query === 'object' && 'sync' in this.query && this.query.sync === true;
    return replyOf(isSync ? await withDeadline(outcome, LIMITS.syncMs, () => syncTimeout(request)) : await outcome);
  }

  async read(type: string, target: string | null, options: { readonly query?: unknown } = {}): Promise<Reply> {
    const { company, mode, permissions } = this.caller;
    const query = 'query' in options ? options.query : this.query;
    return { data: await this.engine.query({ company, mode, type, target, params: this.params, query, permissions }) };
  }

  #commandRequest(type: string, target: string | null, options: CommandOptions): CommandRequest {
    const { company, mode, keyId, userId, permissions, address } = this.caller;
    const { method, path } = this.parts;
    const identity: RequestIdentity = { company, mode, method, path };
    const key = this.idempotencyKey;
    const user = userId === null ? {} : { userId };
    return {
      commandId: commandIdOf(identity, key, options.step),
      company,
      mode,
      type,
      target,
      params: this.params,
      body: 'body' in options ? options.body : this.body,
      query: 'query' in options ? options.query : this.query,
      actor: keyId === null ? { type: 'user', id: userId ?? 'unknown', ...user } : { type: 'key', id: keyId, ...user },
      permissions,
      address,
      requestId: this.requestId,
      ...(key === null ? {} : { idempotency: { key, digest: digestOf(this.body) } }),
    };
  }
}

/** `sync=true` waits so long; the work itself goes on, and its operation can be asked for (money 1). */
function syncTimeout({ commandId }: CommandRequest): Refusal {
  return new Refusal('syncTimeout', 'The work takes longer than a sync call waits; it goes on.', {
    extra: { data: { operationId: operationIdOf(commandId) } },
  });
}
