import { createHash } from 'node:crypto';
import { must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { ActorModule, CommandRequest, Outcome, QueryRequest } from '../actor.js';
import { type Tenant, tenantKey, tenantOf } from '../fact.js';
import { Ids } from '../ids.js';
import { PERSON } from '../known-names.js';
import type { Bus, SharedKeyValue } from '../ports.js';
import type { ClusterPart, ExternalClaim } from '../shard/cluster-part.js';
import { ClusterEvents } from './cluster-events.js';
import { Destinations, type OneOwner } from './destinations.js';
import { listEverywhere } from './merged-lists.js';
import type { PackedActor } from './messages.js';
import { UnitsClient } from './units-client.js';
import { BORROWER_UNITS, SHARED_UNIT, type Unit, unitOf } from './units.js';
import { getOperation, listOperations, reportPart } from './operations.js';
import { PublishedWatermarks } from './published-watermark.js';

/** The borrower's object that has an external id; undefined when none has. Asks all units, as none knows the ids of another. */
export async function holderOf(client: UnitsClient, tenant: Tenant, kind: string, externalId: string): Promise<string | undefined> {
  const found = await client.askAll<'findExternal'>(BORROWER_UNITS, { type: 'findExternal', tenant, kind, externalId });
  return found.find((id) => id !== null) ?? undefined;
}

/** The unit that keeps the claims of an external id. */
function claimUnitOf({ tenant, kind, externalId }: Pick<ExternalClaim, 'tenant' | 'kind' | 'externalId'>): Unit {
  const hash = createHash('sha256')
    .update(`${tenantKey(tenant)}/${kind}/${externalId}`)
    .digest()
    .readUInt32LE(0);
  return must(BORROWER_UNITS[hash % BORROWER_UNITS.length], 'a unit for each hash');
}

export interface ClusterClientOptions {
  readonly bus: Bus;
  readonly modules: readonly ActorModule[];
  /** Key of the permutation of ids, the cluster's own. */
  readonly idKey: Uint8Array;
  /** Resolves when this process has the shared shard up to the sequence. */
  sharedKnown(sequence: number): Promise<void>;
}

/** The engine of a whole cluster, as a gateway uses it: each request goes to the owner of its target. */
export class ClusterClient {
  readonly events: ClusterEvents;
  readonly #units: UnitsClient;
  readonly #ids: Ids;
  readonly #destinations: Destinations;
  #catchingUp: Promise<void> | null = null;

  constructor(private readonly options: ClusterClientOptions) {
    this.#units = new UnitsClient(options.bus);
    this.#ids = new Ids(options.idKey);
    this.#destinations = new Destinations(options.modules, this.#ids);
    this.events = new ClusterEvents(this.#units, this.#ids, {
      locate: (tenant, kind, target) => this.#locate(tenant, kind, target),
      holderOf: (tenant, kind, externalId) => holderOf(this.#units, tenant, kind, externalId),
    });
  }

  /** Resolves when the outcome is durable, and known in this process where it concerns all. A refusal is thrown as `Refusal`. */
  async execute(command: CommandRequest): Promise<Outcome> {
    const unit = await this.#unitFor(command, this.#destinations.ofCommand(command));
    const { outcome, sharedSequence } = await this.#units.ask<'execute'>(unit, { type: 'execute', command });
    if (unit === SHARED_UNIT)
      await Promise.all([this.options.sharedKnown(sharedSequence), this.#units.untilShared(BORROWER_UNITS, sharedSequence)]);
    return outcome;
  }

  /** Resolves when everything that the answer is based on is durable. */
  async query(request: QueryRequest): Promise<unknown> {
    const destination = this.#destinations.ofQuery(request);
    const tenant = tenantOf(request.company, request.mode);
    switch (destination.on) {
      case 'everywhere':
        return listEverywhere(this.#units, this.#ids, await this.#withServiceIds(request));
      case 'events':
        return this.events.page(tenant, request.query ?? {}, request.params);
      case 'operation':
        return getOperation(this.#units, request);
      case 'operations':
        return listOperations(this.#units, request);
      case 'report':
        return reportPart(this.#units, request);
      case 'object':
      case 'shard':
        return this.#units.ask<'query'>(await this.#unitFor(request, destination), { type: 'query', request });
    }
  }

  /** Resolves when this process has everything that was shared before the call. Concurrent callers wait for one answer. */
  sharedNow(): Promise<void> {
    this.#catchingUp ??= this.#units
      .ask<'sharedSequence'>(SHARED_UNIT, { type: 'sharedSequence' })
      .then((sequence) => this.options.sharedKnown(sequence))
      .finally(() => {
        this.#catchingUp = null;
      });
    return this.#catchingUp;
  }

  /** An id for a new company that the operator makes. */
  newSharedId(prefix: string): Promise<string> {
    return this.#units.ask<'newSharedId'>(SHARED_UNIT, { type: 'newSharedId', prefix });
  }

  async #unitFor({ company, mode }: Pick<CommandRequest, 'company' | 'mode'>, destination: OneOwner): Promise<Unit> {
    if (destination.on === 'shard') return unitOf(destination.shard) ?? SHARED_UNIT;
    return (await this.#homeOf(tenantOf(company, mode), destination.kind, destination.target)).unit;
  }

  /** The unit that would have an object of an AnyId. Throws `notFound` where no unit can have it. */
  async #homeOf(tenant: Tenant, kind: string, target: string): Promise<{ readonly id: string; readonly unit: Unit }> {
    const id = target.startsWith('ext-') ? await holderOf(this.#units, tenant, kind, target.slice(4)) : target;
    const shard = id === undefined ? undefined : this.#ids.shardOf(id);
    const unit = shard === undefined ? undefined : unitOf(shard);
    if (id === undefined || !unit) throw new Refusal('notFound', `There is no ${kind} ${target}.`);
    return { id, unit };
  }

  async #locate(tenant: Tenant, kind: string, target: string): Promise<string> {
    const { id, unit } = await this.#homeOf(tenant, kind, target);
    return this.#units.ask<'locate'>(unit, { type: 'locate', tenant, kind, target: id });
  }

  /** Replaces external ids of borrowers in the path: only the borrower's own unit knows them, all other units need the service id. */
  async #withServiceIds(request: QueryRequest): Promise<QueryRequest> {
    const { personId } = request.params;
    if (personId?.startsWith('ext-') !== true) return request;
    const { id } = await this.#homeOf(tenantOf(request.company, request.mode), PERSON, personId).catch((cause: unknown) => {
      throw cause instanceof Refusal && cause.errorType === 'notFound'
        ? new Refusal('notFound', `There is no borrower ${personId}.`)
        : cause;
    });
    return { ...request, params: { ...request.params, personId: id } };
  }
}

export interface PartOptions {
  readonly bus: Bus;
  /** A gateway's own engine has a unit without shards. */
  readonly unit: Unit;
  /** The store in which all units keep their published watermarks. */
  readonly stamps: SharedKeyValue;
  readonly modules: readonly ActorModule[];
  readonly idKey: Uint8Array;
}

/** What the engine of a unit asks of the other units. */
export function clusterPart({ bus, unit: { name, shards }, stamps, modules, idKey }: PartOptions): ClusterPart {
  const client = new UnitsClient(bus);
  const watermarks = shards.length === 0 ? null : new PublishedWatermarks(stamps, name);
  const ids = new Ids(idKey);
  const definitions = new Map(modules.map(({ definition }) => [definition.kind, definition]));
  const unpacked = (kind: string, { state, parts }: PackedActor): unknown =>
    must(definitions.get(kind), kind).unpack(state, (part) => parts[part]);
  return {
    shards: new Set(shards),
    publishedStamp: async () => (await watermarks?.begin()) ?? 0,
    mayPublish: async (stamp) => watermarks?.mayPublish(stamp),
    endPublishing: async () => watermarks?.end(),
    async recordShared(tenant, type, body) {
      await client.ask<'recordShared'>(SHARED_UNIT, { type: 'recordShared', tenant, fact: type, body });
    },
    async actorOf(tenant, kind, id) {
      const unit = unitOf(ids.shardOf(id) ?? -1);
      const packed = unit ? await client.ask<'actor'>(unit, { type: 'actor', tenant, kind, id }) : null;
      return packed === null ? undefined : unpacked(kind, packed);
    },
    async actorsBelow(tenant, kind, parentId) {
      const unit = unitOf(ids.shardOf(parentId) ?? -1);
      const packed = unit ? await client.ask<'actorsBelow'>(unit, { type: 'actorsBelow', tenant, kind, parentId }) : [];
      return packed.map((each) => unpacked(kind, each));
    },
    async countOf(tenant, selection) {
      const counts = await client.askAll<'count'>(BORROWER_UNITS, { type: 'count', tenant, selection });
      return counts.reduce((sum, count) => sum + count, 0);
    },
    operation: ({ company, mode }, operationId) =>
      getOperation(client, { company, mode, type: 'operation.get', target: null, params: { operationId }, query: {}, permissions: NONE }),
    holderOf: (tenant, kind, externalId) => holderOf(client, tenant, kind, externalId),
    claim: async (claim) => (await client.ask<'claim'>(claimUnitOf(claim), { type: 'claim', claim })) ?? undefined,
  };
}

/** Requests of the engine itself carry no permissions. */
const NONE: ReadonlySet<string> = new Set();
