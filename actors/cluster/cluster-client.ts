import { Refusal } from '../errors.js';
import type { ActorModule, CommandRequest, Outcome, QueryRequest } from '../runtime/actor.js';
import { type Tenant, tenantOf } from '../runtime/fact.js';
import { Ids } from '../runtime/ids.js';
import type { Bus } from '../runtime/ports.js';
import { Destinations, type Place } from './destinations.js';
import { holderOf } from './external-ids.js';
import { everywhere } from './everywhere.js';
import { SHARED_UNIT, type Unit, unitOf } from './units.js';
import { UnitsClient } from './units-client.js';

export interface ClusterClientOptions {
  readonly bus: Bus;
  readonly modules: readonly ActorModule[];
  /** Key of the permutation of ids, the cluster's own. */
  readonly idKey: Uint8Array;
  /** Resolves when the shared shard is known in this process up to the sequence. */
  sharedKnown(sequence: number): Promise<void>;
}

/** The engine of a whole cluster, as a gateway sees it: each request goes to the owner of what it is about. */
export class ClusterClient {
  readonly #units: UnitsClient;
  readonly #ids: Ids;
  readonly #destinations: Destinations;

  constructor(private readonly options: ClusterClientOptions) {
    this.#units = new UnitsClient(options.bus);
    this.#ids = new Ids(options.idKey);
    this.#destinations = new Destinations(options.modules, this.#ids);
  }

  /** Resolves when the outcome is durable, and known in this process where it concerns all. A refusal is thrown as `Refusal`. */
  async execute(command: CommandRequest): Promise<Outcome> {
    const unit = await this.#unitFor(command, this.#destinations.ofCommand(command));
    const { outcome, sharedSequence } = await this.#units.ask<'execute'>(unit, { type: 'execute', command });
    if (unit === SHARED_UNIT) await this.options.sharedKnown(sharedSequence);
    return outcome;
  }

  /** Resolves when all that the answer saw is durable. */
  async query(request: QueryRequest): Promise<unknown> {
    const destination = this.#destinations.ofQuery(request);
    if (destination.on === 'everywhere') return everywhere(this.#units, request);
    return this.#units.ask<'query'>(await this.#unitFor(request, destination), { type: 'query', request });
  }

  /** An id for a new company that the operator makes. */
  newSharedId(prefix: string): Promise<string> {
    return this.#units.ask<'newSharedId'>(SHARED_UNIT, { type: 'newSharedId', prefix });
  }

  async #unitFor({ company, mode }: Pick<CommandRequest, 'company' | 'mode'>, place: Place): Promise<Unit> {
    if (place.on === 'shard') return unitOf(place.shard) ?? SHARED_UNIT;
    const { kind, target } = place;
    const id = target.startsWith('ext-') ? await this.#holder(tenantOf(company, mode), kind, target.slice(4)) : target;
    const shard = id === undefined ? undefined : this.#ids.shardOf(id);
    const unit = shard === undefined ? undefined : unitOf(shard);
    if (!unit) throw new Refusal('notFound', `There is no ${kind} ${target}.`);
    return unit;
  }

  #holder(tenant: Tenant, kind: string, externalId: string): Promise<string | undefined> {
    return holderOf(this.#units, tenant, kind, externalId);
  }
}
