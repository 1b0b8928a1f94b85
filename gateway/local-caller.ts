import { type Fault, Refusal } from '../actors/index.js';
import { must } from '../engine/index.js';
import { CallContext } from './call-context.js';
import type { EngineCalls } from './engine-calls.js';
import { RESOURCE_ROUTES } from './routes/index.js';
import { metaDataFaults, validate } from './routing/faults.js';
import type { Caller, Reply, Route } from './routing/route.js';

export interface LocalRequest {
  readonly params?: Readonly<Record<string, string>>;
  /** Must be valid: it is built within the process. */
  readonly query?: unknown;
  readonly body?: unknown;
  /** Recorded in the envelope of the facts. */
  readonly requestId: string;
}

/**
 * Calls routes from within the process: the same validators, commands and refusals as over HTTP. For the tools of operators, which act
 * with every permission.
 */
export class LocalCaller {
  readonly #routes = new Map<string, Route>(RESOURCE_ROUTES.map((route) => [route.operation, route]));

  constructor(
    private readonly engine: EngineCalls,
    private readonly caller: Caller,
  ) {}

  /** The same caller at another engine. */
  at(engine: EngineCalls): LocalCaller {
    return new LocalCaller(engine, this.caller);
  }

  /** All faults of a body by the schema of the operation; empty when it is valid. */
  faultsOf(operation: string, body: unknown): readonly Fault[] {
    const route = this.#route(operation);
    if (!route.body) return [];
    const result = validate(route.body, body, 'body');
    return [...metaDataFaults(body), ...(result.type === 'faulty' ? result.faults : [])];
  }

  /** Throws `Refusal` as the interface would. */
  async call(operation: string, request: LocalRequest): Promise<Reply> {
    const route = this.#route(operation);
    return route.handle(
      new CallContext({
        params: request.params ?? {},
        query: request.query ?? {},
        body: this.#body(route, request.body),
        caller: this.caller,
        requestId: request.requestId,
        idempotencyKey: null,
        lastEventId: null,
        signature: null,
        engine: this.engine,
        method: route.method,
        path: route.path,
      }),
    );
  }

  #body(route: Route, input: unknown): unknown {
    if (!route.body) return undefined;
    const faults = [...metaDataFaults(input)];
    const result = validate(route.body, input ?? {}, 'body');
    if (result.type === 'faulty') faults.push(...result.faults);
    const [first] = faults;
    if (first) throw new Refusal('validationError', first.message, { errors: faults });
    return must(result.type === 'valid' ? result : undefined, 'a body without faults').value;
  }

  #route(operation: string): Route {
    return must(this.#routes.get(operation), `no operation ${operation}`);
  }
}
