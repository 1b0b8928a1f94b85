import { type CommandRequest, operationIdOf, Refusal } from '../actors/index.js';
import { withDeadline } from './deadline.js';
import type { Engine } from './engine.js';
import { commandIdOf, digestOf } from './idempotency.js';
import { LIMITS } from './limits.js';
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

  /** The same request with parts of it replaced. */
  with(parts: Partial<CallParts>): CallContext {
    return new CallContext({ ...this.parts, ...parts });
  }

  command(type: string, target: string | null, options: CommandOptions = {}): Promise<Reply> {
    const request = commandRequest(this.parts, type, target, options);
    const outcome = this.engine.execute(request);
    const isSync = this.query !== null && typeof this.query === 'object' && 'sync' in this.query && this.query.sync === true;
    return isSync ? withDeadline(outcome, LIMITS.syncMs, () => syncTimeout(request)) : outcome;
  }

  async read(type: string, target: string | null, options: { readonly query?: unknown } = {}): Promise<Reply> {
    const { company, mode, permissions, investorIds } = this.caller;
    const query = 'query' in options ? options.query : this.query;
    return {
      data: await this.engine.query({
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

function commandRequest(parts: CallParts, type: string, target: string | null, options: CommandOptions): CommandRequest {
  const { params, query, body, caller, requestId, idempotencyKey: key, method, path } = parts;
  const { company, mode, permissions, address } = caller;
  const request: CommandRequest = {
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

/** Who acts, as facts name it. */
export function agentOf({ keyId, userId, session }: Caller): CommandRequest['actor'] {
  if (session?.borrower && userId !== null) return { type: 'borrower', id: userId, userId };
  if (keyId === null) return userId === null ? { type: 'user', id: 'unknown' } : { type: 'user', id: userId, userId };
  return userId === null ? { type: 'key', id: keyId } : { type: 'key', id: keyId, userId };
}

/** `sync=true` waits so long; the work itself goes on, and its operation can be asked for. */
function syncTimeout({ commandId }: CommandRequest): Refusal {
  return new Refusal('syncTimeout', 'The work takes longer than a sync call waits; it goes on.', {
    extra: { data: { operationId: operationIdOf(commandId) } },
  });
}
