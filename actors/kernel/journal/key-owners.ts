import { PERSON } from '../fact.js';
import type { ShardBlock } from '../ports.js';
import { readRecord } from './records.js';

/** Of all that a journal records: whose data may be sealed with a data key of their own. */
export class KeyOwners {
  /** Borrowers, each with a key from its first fact on. */
  readonly persons = new Set<string>();
  /** Companies and webhooks that have secrets, and messages of unknown senders. All else is sealed with the key of its borrower. */
  readonly others = new Set<string>();

  add({ firstSequence, records }: ShardBlock): void {
    for (const [at, bytes] of records.entries()) {
      const record = readRecord(bytes, firstSequence + at);
      if (record.type !== 'fact') continue;
      const { kind, id, type, body } = record.fact;
      if (kind === PERSON) this.persons.add(id);
      else if (kind === 'company') for (const owner of sealedBeside(body, id)) this.others.add(OF_THE_COMPANY.has(type) ? id : owner);
      else if (type === 'InteractionRecorded' && isOfNobody(body)) this.others.add(id);
    }
  }
}

/** Facts whose secrets are sealed with the key of the company; those of others with that of the object that holds them. */
const OF_THE_COMPANY: ReadonlySet<string> = new Set(['TokenKeyMade', 'SignInRecorded']);

const isOfNobody = (body: unknown): boolean => typeof body !== 'object' || body === null || !('personId' in body) || body.personId == null;

/** The nearest id of each sealed value. */
function* sealedBeside(value: unknown, owner: string): Iterable<string> {
  if (value instanceof Uint8Array) yield owner;
  else if (typeof value === 'object' && value !== null) {
    const { id } = value as { readonly id?: unknown };
    for (const part of Object.values(value)) yield* sealedBeside(part, typeof id === 'string' ? id : owner);
  }
}
