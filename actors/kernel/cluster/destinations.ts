import { must } from '../../../engine/index.js';
import type { ActorModule, CommandRequest, CommandSpec, QueryRequest, QuerySpec } from '../actor.js';
import { rootShardOf } from '../shard/execution.js';
import type { Ids } from '../ids.js';
import { SHARED_SHARD } from '../limits.js';

/** Where a command or query is answered: on one shard, where an object is that is named by its id, or everywhere. */
export type Destination = Place | { readonly on: 'everywhere' | 'events' | 'operation' | 'operations' | 'report' };

/** What has one owner. */
export type Place =
  | { readonly on: 'shard'; readonly shard: number }
  | { readonly on: 'object'; readonly kind: string; readonly target: string };

const SHARED: Place = { on: 'shard', shard: SHARED_SHARD };

/** Reads off the tables of the modules where a request goes. */
export class Destinations {
  readonly #commands: ReadonlyMap<string, CommandSpec<never>>;
  readonly #queries: ReadonlyMap<string, QuerySpec<never>>;
  readonly #sharedKinds: ReadonlySet<string>;

  constructor(
    modules: readonly ActorModule[],
    private readonly ids: Ids,
  ) {
    this.#commands = new Map(modules.flatMap(({ commands }) => commands).map((spec) => [spec.type, spec]));
    this.#queries = new Map(modules.flatMap(({ queries }) => queries).map((spec) => [spec.type, spec]));
    this.#sharedKinds = new Set(modules.filter(({ definition }) => definition.isShared).map(({ definition }) => definition.kind));
  }

  ofCommand(command: CommandRequest): Place {
    const spec = this.#commands.get(command.type);
    if (!spec) return SHARED; // the runtime's own: test clocks
    const { place, kind } = spec;
    if (place.on === 'root') return this.#sharedKinds.has(kind) ? SHARED : { on: 'shard', shard: this.#rootShard(command) };
    return this.#ofObject(place.on === 'beside' ? place.kind : kind, command.target, command.type);
  }

  ofQuery(request: QueryRequest): Destination {
    const spec = this.#queries.get(request.type);
    if (!spec) return this.#ofRuntimeQuery(request);
    switch (spec.on) {
      case 'target':
        return this.#ofObject(spec.kind, request.target, request.type);
      case 'company':
        return SHARED;
      case 'tenant':
        return this.#sharedKinds.has(spec.kind) ? SHARED : belowOf(spec, request);
    }
  }

  /** Events and operations lie where they came to be; ids of events tell their shard. Webhooks deliver beside the companies. */
  #ofRuntimeQuery({ type, params, query }: QueryRequest): Destination {
    switch (type) {
      case 'event.get':
        return { on: 'shard', shard: this.ids.shardOf(params['eventId'] ?? '') ?? SHARED_SHARD };
      case 'event.list':
        return { on: 'events' };
      case 'operation.get':
        return { on: 'operation' };
      case 'operation.report':
        return { on: 'report' };
      case 'operation.list':
        return belowLoan((query as { readonly loanId?: string } | undefined)?.loanId);
      default:
        return SHARED; // test clocks, webhooks
    }
  }

  #ofObject(kind: string, target: string | null, type: string): Place {
    return this.#sharedKinds.has(kind) ? SHARED : { on: 'object', kind, target: must(target, `${type} needs a target`) };
  }

  #rootShard(command: CommandRequest): number {
    const given = command.params['newId'];
    return given === undefined ? rootShardOf(command.commandId) : must(this.ids.shardOf(given), `${given} is no id`);
  }
}

function belowOf({ below }: Extract<QuerySpec<never>, { readonly on: 'tenant' }>, request: QueryRequest): Destination {
  const { kind, target } = below?.(request) ?? { kind: '', target: undefined };
  return target === undefined ? { on: 'everywhere' } : { on: 'object', kind, target };
}

/** What was done with a loan is known where it lies. */
const belowLoan = (loanId: string | undefined): Destination =>
  loanId === undefined ? { on: 'operations' } : { on: 'object', kind: 'loan', target: loanId };
