import { assert } from '../../../engine/index.js';
import type { StoredEvent, Tenant } from '../fact.js';
import { readEvent } from '../journal/records.js';

/**
 * An event as memory keeps it: its bytes in the journal, and the keys by which it is found. Unpacked it would be many small objects, which
 * the garbage collector would have to trace until the event is read.
 */
export interface LoggedEvent {
  readonly id: string;
  readonly tenant: Tenant;
  readonly stamp: number;
  readonly loanId: string | null;
  readonly personId: string | null;
  readonly packed: Uint8Array;
}

export const loggedEvent = (
  { id, tenant, stamp, refs }: Pick<StoredEvent, 'id' | 'tenant' | 'stamp' | 'refs'>,
  packed: Uint8Array,
): LoggedEvent => ({
  id,
  tenant,
  stamp,
  loanId: refs.loanId ?? null,
  personId: refs.personId ?? null,
  packed,
});

/** An index in a chunk is kept in one byte. */
export const CHUNK_EVENTS = 256;

const COUNT_BYTES = 2;
const ENTRY_BYTES = 12;

/**
 * Events of one tenant that are stored as one value, in the order of their stamps:
 *
 *   count 2 | stamp 8, end 4 for each | the records as the journal has them
 */
export function encodeChunk(events: readonly LoggedEvent[]): Uint8Array {
  assert(events.length > 0 && events.length <= CHUNK_EVENTS, 'a chunk holds 1 to 256 events');
  let end = 0;
  for (const { packed } of events) end += packed.length;
  const records = COUNT_BYTES + events.length * ENTRY_BYTES;
  const bytes = Buffer.allocUnsafeSlow(records + end);
  bytes.writeUInt16LE(events.length, 0);
  end = 0;
  let entry = COUNT_BYTES;
  for (const { stamp, packed } of events) {
    bytes.set(packed, records + end);
    end += packed.length;
    bytes.writeDoubleLE(stamp, entry);
    bytes.writeUInt32LE(end, entry + 8);
    entry += ENTRY_BYTES;
  }
  return bytes;
}

/** A chunk as it was read: only the requested events are unpacked. */
export class EventChunk {
  readonly length: number;
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.length = this.#bytes.readUInt16LE(0);
  }

  event(index: number): StoredEvent {
    const records = COUNT_BYTES + this.length * ENTRY_BYTES;
    return readEvent(this.#bytes.subarray(records + this.#end(index - 1), records + this.#end(index)));
  }

  stamp(index: number): number {
    return this.#bytes.readDoubleLE(COUNT_BYTES + index * ENTRY_BYTES);
  }

  find(id: string): StoredEvent | undefined {
    const records = COUNT_BYTES + this.length * ENTRY_BYTES;
    for (let at = this.#bytes.indexOf(id, records); at !== -1; at = this.#bytes.indexOf(id, at + 1)) {
      const event = this.event(this.#indexAt(at - records));
      if (event.id === id) return event;
    }
    return undefined;
  }

  #end(index: number): number {
    return index < 0 ? 0 : this.#bytes.readUInt32LE(COUNT_BYTES + index * ENTRY_BYTES + 8);
  }

  #indexAt(offset: number): number {
    let index = 0;
    while (this.#end(index) <= offset) index += 1;
    return index;
  }
}
