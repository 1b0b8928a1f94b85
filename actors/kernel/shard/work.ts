import { must, fieldsOf, fieldOf } from '../../../engine/index.js';
import type { Emit, EvolveEnv } from '../actor.js';
import type { Ticket } from '../journal/committer.js';
import { loggedEvent, type LoggedEvent } from '../events/event-chunk.js';
import { sealedNames, sealedTexts } from '../events/event-names.js';
import {
  type Agent,
  destroysKey,
  type EventDraft,
  type Fact,
  type FactDraft,
  RULES_VERSION,
  SCHEMA_VERSION,
  type StoredEvent,
  type Tenant,
} from '../fact.js';
import { MASS, type MassAdvanced } from '../jobs/mass-works.js';
import { packEvent, packFact, packReply, type StoredReply } from '../journal/records.js';
import type { LoggedReply } from './replies.js';
import type { CachedActor, World } from './world.js';

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

  constructor(
    private readonly world: World,
    readonly shard: number,
    private readonly tenant: Tenant,
    private readonly origin: Origin,
    private readonly businessAt: number,
    private readonly machineMs: () => number,
    private readonly env: EvolveEnv,
  ) {
    this.firstSequence = world.position(shard).sequence + 1;
  }

  get isEmpty(): boolean {
    return this.records.length === 0;
  }

  /** Whether memory has changed, even for a fact that was never finished. */
  get hasBegun(): boolean {
    return this.world.position(this.shard).sequence >= this.firstSequence;
  }

  /**
   * Records a fact about `actor` (or the draft's own target on this shard) and applies it: `World.apply` calls `evolve` of the kind of
   * actor. The events that `evolve` emits are recorded behind the fact.
   */
  record(draft: FactDraft, actor: CachedActor): void {
    const target = draft.target ? this.#actorOf(draft.target.kind, draft.target.id) : actor;
    const [fact, stored] = this.world.sealedFact(this.#envelope(draft, target), target);
    const drafts: EventDraft[] = [];
    const emit: Emit = (event) => drafts.push(event);
    this.world.apply(fact, emit, this.env, target);
    if (!this.touched.includes(target)) this.touched.push(target);
    this.#owner ??= target;
    if (destroysKey(draft.type)) this.erased.push(target.id);
    this.records.push(
      packFact(fact, this.world.position(this.shard).idCounter, draft.type === 'CaughtUp' ? withDigest(fact, target) : stored),
    );
    for (const event of drafts) this.emit(fact.caseId === null ? event : underCase(event, fact.caseId));
  }

  emit(draft: EventDraft): void {
    const { refs } = draft;
    const orderKey = refs.loanId ?? refs.caseId ?? refs.personId ?? this.tenant.company;
    const event: StoredEvent = {
      eventType: draft.eventType,
      objectType: draft.objectType,
      objectId: draft.objectId,
      refs,
      externalIds: sealedNames(draft, this.world, this.#sealedNames),
      data: sealedTexts(draft, this.world),
      id: this.world.ids.encode('EV', this.shard, this.#nextId()),
      tenant: this.tenant,
      stamp: this.world.nextStamp(this.machineMs()),
      occurredAt: draft.occurredAt ?? this.businessAt,
      sequence: this.#nextEventSequence(orderKey),
      orderKey,
      by: this.origin.by,
      isReplay: draft.data['isReplay'] === true,
    };
    this.world.position(this.shard).sequence += 1;
    const packed = packEvent(event);
    this.records.push(packed);
    this.events.push(loggedEvent(event, packed));
  }

  storeReply(reply: StoredReply): void {
    this.world.position(this.shard).sequence += 1;
    const packed = packReply(reply);
    this.records.push(packed);
    this.reply = { commandId: reply.commandId, at: reply.at, packed };
  }

  /** Links the actors to the batch that carries their facts. */
  bind(ticket: Ticket): void {
    for (const actor of this.touched) actor.ticket = ticket;
  }

  index(): void {
    for (const actor of this.touched) this.world.index(actor);
  }

  /** Records the progress of mass work: a fact about no actor. */
  note(body: MassAdvanced): void {
    const fact = this.#envelope({ type: 'MassAdvanced', body }, { kind: MASS, id: this.tenant.company });
    this.world.apply(fact, null, this.env);
    this.records.push(packFact(fact, this.world.position(this.shard).idCounter));
  }

  /** The present size, for `undo`. */
  mark(): WorkMark {
    const { sequence } = this.world.position(this.shard);
    return { records: this.records.length, events: this.events.length, touched: this.touched.length, erased: this.erased.length, sequence };
  }

  /** Removes what was recorded since; the caller restores the actor, which must be the only one that was changed. */
  undo({ records, events, touched, sequence }: WorkMark): void {
    this.touched.length = touched;
    this.records.length = records;
    this.events.length = events;
    this.world.position(this.shard).sequence = sequence;
  }

  #envelope(draft: FactDraft, target: Pick<CachedActor, 'kind' | 'id'>): Fact {
    const position = this.world.position(this.shard);
    position.sequence += 1;
    const caseId = fieldOf(draft.body, 'caseId');
    return {
      sequence: position.sequence,
      tenant: this.tenant,
      kind: target.kind,
      id: target.id,
      type: draft.type,
      body: draft.body,
      stamp: this.world.nextStamp(this.machineMs()),
      businessAt: this.businessAt,
      effective: draft.effective ?? null,
      by: this.origin.by,
      address: this.origin.address,
      caseId: draft.caseId ?? (typeof caseId === 'string' ? caseId : null),
      requestId: this.origin.requestId,
      commandId: this.origin.commandId,
      schemaVersion: SCHEMA_VERSION,
      rulesVersion: RULES_VERSION,
    };
  }

  #actorOf(kind: string, id: string): CachedActor {
    return this.world.find(this.tenant, kind, id) ?? this.world.initial(this.tenant, kind, id);
  }

  #nextId(): number {
    const position = this.world.position(this.shard);
    position.idCounter += 1;
    return position.idCounter;
  }

  /** Events are numbered under the loan, case, person or company that they belong to. */
  #nextEventSequence(orderKey: string): number {
    const owner = this.#ownerOf(orderKey);
    owner.eventSequence += 1;
    this.world.dirty.add(owner.key);
    return owner.eventSequence;
  }

  /** Usually the actor of the command, which the last event had too. */
  #ownerOf(orderKey: string): CachedActor {
    if (this.#owner?.id !== orderKey)
      this.#owner = must(this.world.findByPrefix(this.tenant, orderKey), `no actor ${orderKey} to number an event under`);
    return this.#owner;
  }
}

/**
 * An event about a loan refers to the case for which the work was done; other events name their case as their order key.
 */
const underCase = (event: EventDraft, caseId: string): EventDraft =>
  event.refs.loanId === undefined || event.refs.caseId !== undefined ? event : { ...event, refs: { ...event.refs, caseId } };

/** `CaughtUp` carries the digest of the computed state: a recovery that computes another one stops. */
function withDigest({ body }: Fact, target: CachedActor): unknown {
  const digest = target.definition.digest?.(target.state);
  return digest === undefined ? body : { ...fieldsOf(body), digest };
}
