import { type CommandRequest, operationIdOf, Refusal } from '../actors/index.js';
import { type AnswerOf, ask, execute, type DataOf } from './answers.js';
import { commandRequest } from './command-request.js';
import { withDeadline } from './deadline.js';
import type { EngineCalls } from './engine-calls.js';
import { LIMITS } from './limits.js';
import type { Answered, Call, Caller, CommandOptions, ReadOptions } from './routing/route.js';

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
  readonly engine: EngineCalls;

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
    const outcome = execute(this.engine, request);
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

/** What a call is made of. */
export interface CallParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  readonly lastEventId: string | null;
  readonly signature: string | null;
  readonly engine: EngineCalls;
  readonly method: string;
  readonly path: string;
}

/** The end of the wait of `sync=true`. The work itself goes on, and its operation can be read. */
function syncTimeout({ commandId }: CommandRequest): Refusal {
  return new Refusal('syncTimeout', 'The operation takes longer than sync=true waits. It goes on: read it with GET /operations/{id}.', {
    extra: { data: { operationId: operationIdOf(commandId) } },
  });
}
