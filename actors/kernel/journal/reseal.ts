import { type ActorDefinition, type ActorModule, definitionsOf } from '../actor.js';
import { resealed } from '../events/event-names.js';
import type { Fact } from '../fact.js';
import { PERSON } from '../known-names.js';
import type { KeyStore, ShardBlock } from '../ports.js';
import { replyContext } from '../shard/replies.js';
import { AtRest, fieldsOfOwnedFact, namesIn, ownedBy, type PersonalFields } from '../snapshots/at-rest.js';
import { packFact, packReply, readRecord, type StoredReply } from './records.js';

export type SealingKeys = Pick<KeyStore, 'has' | 'knows' | 'seal' | 'open'>;

/** Whose data key seals the facts of an object, by the object's id. */
export interface ActorOwners {
  get(id: string): string | undefined;
  set(id: string, owner: string): void;
}

/** The object of a command, as its first fact about a borrower names it. */
interface Answered {
  readonly commandId: string;
  readonly owner: string;
  readonly id: string;
  readonly personal: PersonalFields<never> | undefined;
}

/**
 * Records of a journal as this release would have recorded them: what an earlier release recorded unencrypted is sealed with the data key
 * of its person, and is null if that key is destroyed. Ids, order, times and sealed values stay, and records without personal data keep
 * their bytes. Blocks come in the order of their shards.
 *
 * No state is computed: the owner of an object is in its first fact and never changes.
 */
export class Resealer {
  readonly #definitions: ReadonlyMap<string, ActorDefinition<unknown>>;
  readonly #events: { readonly atRest: AtRest; readonly eventTexts: ReadonlyMap<string, readonly string[]> };
  readonly #atRest: AtRest;
  /** Borrowers without a data key who have personal data unencrypted, which nothing can seal. */
  readonly withoutKey = new Set<string>();
  /** The newest command of each shard: its reply comes behind its facts. */
  readonly #answered = new Map<number, Answered>();
  /** Records that have other bytes than before. */
  changed = 0;

  constructor(
    modules: readonly ActorModule[],
    private readonly keys: SealingKeys,
    private readonly owners: ActorOwners,
  ) {
    this.#definitions = definitionsOf(modules);
    this.#atRest = new AtRest(keys);
    this.#events = {
      atRest: this.#atRest,
      eventTexts: new Map(modules.flatMap(({ definition: { personal } }) => Object.entries(personal?.eventTexts ?? {}))),
    };
  }

  block({ shard, firstSequence, records }: ShardBlock): ShardBlock {
    let answered = this.#answered.get(shard) ?? null;
    const sealed = records.map((bytes, at) => {
      const record = readRecord(bytes, firstSequence + at);
      switch (record.type) {
        case 'fact': {
          const { fact } = record;
          const owner = this.#ownerOf(fact);
          if (answered?.commandId !== fact.commandId) answered = null;
          answered ??= this.#answeredBy(fact, owner);
          return this.#fact(bytes, fact, { idCounter: record.idCounter, owner });
        }
        case 'event':
          return resealed(bytes, record.event, this.#events);
        case 'reply':
          return this.#reply(bytes, record.reply, answered);
      }
    });
    if (answered === null) this.#answered.delete(shard);
    else this.#answered.set(shard, answered);
    this.changed += sealed.reduce((sum, bytes, at) => sum + (bytes === records[at] ? 0 : 1), 0);
    return { shard, firstSequence, records: sealed };
  }

  #fact(bytes: Uint8Array, fact: Fact, { idCounter, owner }: { readonly idCounter: number; readonly owner: string | null }): Uint8Array {
    const personal = this.#personalOf(fact.kind);
    if (personal === undefined || owner === null) return bytes;
    const body = personal.upgradeBody?.(fact.type, fact.body) ?? fact.body;
    const fields = fieldsOfOwnedFact(personal, fact, owner);
    if (!this.#atRest.isSealing(owner) && this.#isPerson(owner, fact) && namesIn(body, fields.names).size > 0) this.withoutKey.add(owner);
    const stored = this.#atRest.sealed(body, fields);
    return stored === fact.body ? bytes : packFact(fact, idCounter, stored);
  }

  #reply(bytes: Uint8Array, reply: StoredReply, answered: Answered | null): Uint8Array {
    const { commandId, dataText, message } = reply;
    const command = answered?.commandId === commandId ? answered : null;
    const present = message === null || command === null ? message : (command.personal?.upgradeMessage?.(message, command.id) ?? message);
    const owner = reply.sealedFor === null && dataText !== '' ? (command?.owner ?? null) : null;
    if (owner === null) return present === message ? bytes : packReply({ ...reply, message: present });
    return packReply({ ...reply, message: present, dataText: this.#sealedText(owner, reply), sealedFor: owner });
  }

  /** Empty for an erased person: the reply then says so. */
  #sealedText(owner: string, { commandId, dataText }: StoredReply): string {
    if (this.#atRest.isGone(owner)) return '';
    return Buffer.from(this.keys.seal(owner, dataText, replyContext(commandId))).toString('base64');
  }

  #answeredBy({ kind, id, commandId, body }: Fact, owner: string | null): Answered | null {
    const found = owner ?? personIn(body);
    return found !== null && this.#atRest.isSealing(found) ? { commandId, owner: found, id, personal: this.#personalOf(kind) } : null;
  }

  /** Null for an object without personal fields. */
  #ownerOf({ kind, id, tenant, body }: Fact): string | null {
    const definition = this.#definitions.get(kind);
    if (definition?.personal === undefined) return null;
    if (kind === PERSON) return id;
    const known = this.owners.get(id);
    if (known !== undefined) return known;
    const state = definition.initial(id, tenant);
    const owner = definition.personal.ownerOf(ownedBy({ lastSequence: 0, definition, state }, body));
    this.owners.set(id, owner);
    return owner;
  }

  #isPerson(owner: string, { kind }: Fact): boolean {
    return kind === PERSON || owner.startsWith(`${this.#definitions.get(PERSON)?.prefix ?? PERSON}-`);
  }

  #personalOf(kind: string): PersonalFields<never> | undefined {
    return this.#definitions.get(kind)?.personal;
  }
}

function personIn(body: unknown): string | null {
  return typeof body === 'object' && body !== null && 'personId' in body && typeof body.personId === 'string' ? body.personId : null;
}
