import { must, textIn } from '../../../engine/index.js';
import type { ActorModule, CommandRequest, CommandSpec, QueryRequest, QuerySpec } from '../actor.js';
import type { Ids } from '../ids.js';
import { LOAN } from '../known-names.js';
import { SHARED_SHARD } from '../limits.js';
import { rootShardOf } from '../shard/execution.js';
import { type Unit, UNITS } from './units.js';

/** Where a command or query is answered: on one shard, at the owner of an object, or on all units. */
export type Destination = OneOwner | { readonly on: 'everywhere' | 'events' | 'operation' | 'operations' | 'report' };

/** A destination with a single owner. */
export type OneOwner =
  | { readonly on: 'shard'; readonly shard: number }
  | { readonly on: 'object'; readonly kind: string; readonly target: string };

const SHARED: OneOwner = { on: 'shard', shard: SHARED_SHARD };

/** Determines the destination of a request from the tables of the modules. */
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

  ofCommand(command: CommandRequest): OneOwner {
    const spec = this.#commands.get(command.type);
    if (!spec) return SHARED; // a command of the runtime itself: test clocks
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
        return this.#sharedKinds.has(spec.kind) ? SHARED : partOf(spec, request);
    }
  }

  /** Events and operations are on the unit where they happened; the id of an event names its shard. Webhooks run on the shared unit. */
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
        return belowLoan(textIn(query, 'loanId'));
      default:
        return SHARED; // test clocks, webhooks
    }
  }

  #ofObject(kind: string, target: string | null, type: string): OneOwner {
    return this.#sharedKinds.has(kind) ? SHARED : { on: 'object', kind, target: must(target, `${type} needs a target`) };
  }

  #rootShard(command: CommandRequest): number {
    const given = command.params['newId'];
    return given === undefined ? rootShardOf(command.commandId) : must(this.ids.shardOf(given), `${given} is no id`);
  }
}

function partOf(spec: Extract<QuerySpec<never>, { readonly on: 'tenant' }>, request: QueryRequest): Destination {
  if (spec.ofShard !== undefined) return { on: 'shard', shard: spec.ofShard(request) };
  const { kind, target } = spec.below?.(request) ?? { kind: '', target: undefined };
  return target === undefined ? { on: 'everywhere' } : { on: 'object', kind, target };
}

/** What was done with a loan is on the loan's shard. */
const belowLoan = (loanId: string | undefined): Destination =>
  loanId === undefined ? { on: 'operations' } : { on: 'object', kind: LOAN, target: loanId };

/**
 * The order of events in the cluster, (stamp, unit), as one number. Within a unit stamps rise strictly; two units may give the same one.
 * Numbers count from 2030, so that they are exact from 2014 to 2046.
 */
const ORIGIN = Date.UTC(2030, 0, 1) * 1000;

const numbers = new Map(UNITS.map((unit, number) => [unit, number]));
const numberOf = (unit: Unit): number => must(numbers.get(unit), unit.name);

/** The position of an event of the unit. */
export const positionOf = (stamp: number, unit: Unit): number => (stamp - ORIGIN) * UNITS.length + numberOf(unit);

/** The position after all events of a stamp, whatever their unit. */
export const positionAfter = (stamp: number): number => (stamp - ORIGIN + 1) * UNITS.length - 1;

/** The highest stamp of which no unit has an event after the position. */
export const stampThrough = (position: number): number => Math.floor((position + 1) / UNITS.length) - 1 + ORIGIN;

/** The highest stamp of the unit at or before the position: its later events come after it. */
export const lastStampAt = (position: number, unit: Unit): number => Math.floor((position - numberOf(unit)) / UNITS.length) + ORIGIN;

/** The lowest stamp of the unit at or after the position. */
export const firstStampAt = (position: number, unit: Unit): number => Math.ceil((position - numberOf(unit)) / UNITS.length) + ORIGIN;
