import { must, fieldsOf, fieldOf } from '../../../engine/index.js';
import type { DecideEnv, Emit } from '../actor.js';
import type { Ticket } from '../journal/committer.js';
import { loggedEvent, type LoggedEvent } from '../events/event-chunk.js';
import { sealedNames, sealedTexts, withListedNames } from '../events/event-names.js';
import { type Agent, destroysKey, type EventDraft, type Fact, type FactDraft, factOf, type StoredEvent } from '../fact.js';
import { CAUGHT_UP } from '../known-names.js';
import { MASS, type MassAdvanced } from '../jobs/mass-works.js';
import { packEvent, packFact, packReply, type StoredReply } from '../journal/records.js';
import type { LoggedReply } from './reply-index.js';
import type { Runtime } from './runtime.js';
import type { CachedActor } from './world.js';

/** Who asked for a piece of work, and how the envelope of its facts names it. */
export interface Origin {
  readonly by: Agent;
  readonly address: string | null;
  readonly requestId: string;
  readonly commandId: string;
}

/** The size of a piece of work at one moment. */
export interface WorkMark {
  readonly records: number;
  readonly events: number;
  readonly touched: number;
  readonly erased: number;
  readonly sequence: number;
}

type WorkRuntime = Pick<Runtime, 'world' | 'machineMs' | 'committer' | 'events' | 'replies' | 'published'>;

/**
 * The records of one command on one shard, in the order of the journal: each fact is applied to memory as it is
 * recorded, and the events that it causes follow it. All of them become durable together or not at all.
 */
export class Work {
  readonly records: Uint8Array[] = [];
  readonly events: LoggedEvent[] = [];
  /** The reply that is stored with the batch, for retries. */
  reply: LoggedReply | null = null;
  /** Nearly always one: the actor of the command. */
  readonly touched: CachedActor[] = [];
  /** Persons and files whose data keys are destroyed once this is durable. */
  readonly erased: string[] = [];
  readonly firstSequence: number;
  #owner: CachedActor | null = null;
  readonly #sealedNames = new Map<string, string | null>();

  /** `env`: the tenant and its time, and what the facts may read as they are applied. */
  constructor(
    private readonly runtime: WorkRuntime,
    readonly shard: number,
    private readonly env: DecideEnv,
    private readonly origin: Origin,
  ) {
    this.firstSequence = runtime.world.position(shard).sequence + 1;
  }

  get isEmpty(): boolean {
    return this.records.length === 0;
  }

  /** Whether memory has changed, even for a fact that was never finished. */
  get hasBegun(): boolean {
    return this.runtime.world.position(this.shard).sequence >= this.firstSequence;
  }

  /**
   * Records a fact about `actor` (or the draft's own target on this shard) and applies it: `World.apply` calls `evolve` of the kind of
   * actor. The events that `evolve` emits are recorded behind the fact.
   */
  record(draft: FactDraft, actor: CachedActor): void {
    const target = draft.target ? this.#actorOf(draft.target.kind, draft.target.id) : actor;
    const [fact, stored] = this.runtime.world.sealedFact(this.#factOf(draft, target), target);
    const drafts: EventDraft[] = [];
    const emit: Emit = (event) => drafts.push(event);
    this.runtime.world.apply(fact, emit, this.env, target);
    if (!this.touched.includes(target)) this.touched.push(target);
    this.#owner ??= target;
    if (destroysKey(draft.type)) this.erased.push(target.id);
    this.records.push(
      packFact(fact, this.runtime.world.position(this.shard).idCounter, draft.type === CAUGHT_UP ? withDigest(fact, target) : stored),
    );
    for (const event of drafts) this.emit(fact.caseId === null ? event : withCaseRef(event, fact.caseId));
  }

  emit(emitted: EventDraft): void {
    const draft = withListedNames(emitted, this.env.tenant, this.runtime.world);
    const { refs } = draft;
    const orderKey = this.#orderKeyOf(refs);
    const event: StoredEvent = {
      eventType: draft.eventType,
      objectType: draft.objectType,
      objectId: draft.objectId,
      refs,
      externalIds: sealedNames(draft, this.runtime.world, this.#sealedNames),
      data: sealedTexts(draft, this.runtime.world),
      id: this.runtime.world.ids.encode('EV', this.shard, this.#nextId()),
      tenant: this.env.tenant,
      stamp: this.runtime.world.nextStamp(this.runtime.machineMs()),
      occurredAt: draft.occurredAt ?? this.env.now,
      sequence: this.#nextEventSequence(orderKey),
      orderKey,
      by: this.origin.by,
      isReplay: draft.data['isReplay'] === true,
    };
    this.runtime.world.position(this.shard).sequence += 1;
    const packed = packEvent(event);
    this.records.push(packed);
    this.events.push(loggedEvent(event, packed));
  }

  storeReply(reply: StoredReply): void {
    this.runtime.world.position(this.shard).sequence += 1;
    const packed = packReply(reply);
    this.records.push(packed);
    this.reply = { commandId: reply.commandId, at: reply.at, packed };
  }

  /** Adds the records to the gathering batch of the journal, and returns its ticket; null when there are none. */
  commit(): Ticket | null {
    if (this.isEmpty) return null;
    const { runtime, events, reply } = this; // what waits for the flush holds these, and not the rest of this work
    for (const actor of this.touched) runtime.world.index(actor);
    const ticket = runtime.committer.add(this.shard, this.firstSequence, this.records, () => whenDurable(runtime, events, reply));
    for (const actor of this.touched) actor.ticket = ticket;
    return ticket;
  }

  /** Records the progress of mass work: a fact about no actor. */
  recordProgress(body: MassAdvanced): void {
    const fact = this.#factOf({ type: 'MassAdvanced', body }, { kind: MASS, id: this.env.tenant.company });
    this.runtime.world.apply(fact, null, this.env);
    this.records.push(packFact(fact, this.runtime.world.position(this.shard).idCounter));
  }

  /** The present size, for `undo`. */
  mark(): WorkMark {
    const { sequence } = this.runtime.world.position(this.shard);
    return { records: this.records.length, events: this.events.length, touched: this.touched.length, erased: this.erased.length, sequence };
  }

  /** Removes what was recorded since; the caller restores the actor, which must be the only one that was changed. */
  undo({ records, events, touched, sequence }: WorkMark): void {
    this.touched.length = touched;
    this.records.length = records;
    this.events.length = events;
    this.runtime.world.position(this.shard).sequence = sequence;
  }

  #factOf(draft: FactDraft, { kind, id }: Pick<CachedActor, 'kind' | 'id'>): Fact {
    const { by, address, requestId, commandId } = this.origin;
    const position = this.runtime.world.position(this.shard);
    position.sequence += 1;
    const caseId = fieldOf(draft.body, 'caseId');
    return factOf(
      draft,
      { tenant: this.env.tenant, kind, id },
      {
        sequence: position.sequence,
        stamp: this.runtime.world.nextStamp(this.runtime.machineMs()),
        businessAt: this.env.now,
        by,
        address,
        caseId: draft.caseId ?? (typeof caseId === 'string' ? caseId : null),
        requestId,
        commandId,
      },
    );
  }

  #actorOf(kind: string, id: string): CachedActor {
    return this.runtime.world.find(this.env.tenant, kind, id) ?? this.runtime.world.initial(this.env.tenant, kind, id);
  }

  #nextId(): number {
    const position = this.runtime.world.position(this.shard);
    position.idCounter += 1;
    return position.idCounter;
  }

  /** A message to another person on a loan may lie on another unit of a cluster than the loan, which numbers its own events alone. */
  #orderKeyOf({ loanId, caseId, personId }: StoredEvent['refs']): string {
    const { world } = this.runtime;
    return [loanId, caseId, personId].find((id) => id !== undefined && !world.isRemote(id)) ?? this.env.tenant.company;
  }

  /** Events are numbered under the loan, case, person or company that they belong to. */
  #nextEventSequence(orderKey: string): number {
    const owner = this.#ownerOf(orderKey);
    owner.eventSequence += 1;
    this.runtime.world.dirty.add(owner.key);
    return owner.eventSequence;
  }

  /** Usually the actor of the command, which the last event had too. */
  #ownerOf(orderKey: string): CachedActor {
    if (this.#owner?.id !== orderKey)
      this.#owner = must(this.runtime.world.findByPrefix(this.env.tenant, orderKey), `no actor ${orderKey} to number an event under`);
    return this.#owner;
  }
}

/** The events can be read from now on, and retries find the reply; then the committer resolves the ticket, and the caller is answered. */
function whenDurable(runtime: WorkRuntime, events: readonly LoggedEvent[], reply: LoggedReply | null): void {
  runtime.events.publish(events);
  runtime.published(events.length);
  if (reply) runtime.replies.durable(reply);
}

/**
 * An event about a loan refers to the case for which the work was done; other events name their case as their order key.
 */
const withCaseRef = (event: EventDraft, caseId: string): EventDraft =>
  event.refs.loanId === undefined || event.refs.caseId !== undefined ? event : { ...event, refs: { ...event.refs, caseId } };

/** `CaughtUp` carries the digest of the computed state: a recovery that computes another one stops. */
function withDigest({ body }: Fact, target: CachedActor): unknown {
  const digest = target.definition.digest?.(target.state);
  return digest === undefined ? body : { ...fieldsOf(body), digest };
}
