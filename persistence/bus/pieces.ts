import { assert } from '../../engine/index.js';
import { limits } from '../limits.js';

/*
 * Requests and answers are sent as pieces, many in one message of the server, and a large one in several messages:
 *
 *   number (4 bytes) | whole length (4) | offset (4) | length (4) | bytes
 */
const HEAD_BYTES = 16;

/** A request or an answer, under a number that its sender gives. */
export interface Parcel {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** The messages that carry the parcels, none longer than `messageBytes`. */
export function messagesOf(parcels: readonly Parcel[], messageBytes: number): Uint8Array[] {
  assert(messageBytes > HEAD_BYTES, 'a message holds a piece');
  const messages: Uint8Array[] = [];
  let pieces: Piece[] = [];
  let room = messageBytes;
  const close = (): void => {
    if (pieces.length > 0) messages.push(written(pieces));
    pieces = [];
    room = messageBytes;
  };
  for (const { number, bytes } of parcels) {
    let offset = 0;
    do {
      if (room <= HEAD_BYTES) close();
      const end = Math.min(bytes.length, offset + room - HEAD_BYTES);
      pieces.push({ number, whole: bytes.length, offset, bytes: bytes.subarray(offset, end) });
      room -= HEAD_BYTES + end - offset;
      offset = end;
    } while (offset < bytes.length);
  }
  close();
  return messages;
}

interface Piece {
  readonly number: number;
  readonly whole: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

function written(pieces: readonly Piece[]): Uint8Array {
  const message = Buffer.allocUnsafe(pieces.reduce((sum, { bytes }) => sum + HEAD_BYTES + bytes.length, 0));
  let at = 0;
  for (const { number, whole, offset, bytes } of pieces) {
    for (const value of [number, whole, offset, bytes.length]) at = message.writeUInt32LE(value, at);
    message.set(bytes, at);
    at += bytes.length;
  }
  return message;
}

interface Unfinished {
  readonly bytes: Uint8Array;
  filled: number;
  readonly sinceMs: number;
}

/** The pieces of several senders, assembled for each of them. */
export class Senders {
  readonly #pieces = new Map<string, Pieces>();

  /** The parcels that a message completes. Their bytes may be views of it. */
  take(sender: string, message: Uint8Array): Parcel[] {
    const known = this.#pieces.get(sender);
    const pieces = known ?? new Pieces();
    const complete = pieces.take(message);
    if (!known && !pieces.isEmpty) this.#pieces.set(sender, pieces);
    if (known && pieces.isEmpty) this.#pieces.delete(sender);
    return complete;
  }

  /** Forgets what began longer ago than `limits.busPiecesMs`. */
  forgetOld(): void {
    for (const [sender, pieces] of this.#pieces) {
      pieces.forgetOld();
      if (pieces.isEmpty) this.#pieces.delete(sender);
    }
  }
}

/** Assembles the pieces of one sender. An invalid piece, or one that does not follow the one before, is dropped with its parcel. */
class Pieces {
  readonly #unfinished = new Map<number, Unfinished>();

  take(message: Uint8Array): Parcel[] {
    const complete: Parcel[] = [];
    const view = Buffer.from(message.buffer, message.byteOffset, message.length);
    for (let at = 0; at + HEAD_BYTES <= view.length; ) {
      const [number, whole, offset, length] = [
        view.readUInt32LE(at),
        view.readUInt32LE(at + 4),
        view.readUInt32LE(at + 8),
        view.readUInt32LE(at + 12),
      ];
      at += HEAD_BYTES;
      if (at + length > view.length || whole > limits.busMessageBytes) break;
      const bytes = message.subarray(at, at + length);
      at += length;
      const parcel = length === whole ? bytes : this.#add(number, whole, offset, bytes);
      if (parcel) complete.push({ number, bytes: parcel });
    }
    return complete;
  }

  get isEmpty(): boolean {
    return this.#unfinished.size === 0;
  }

  /** Drops parcels whose other pieces were lost. */
  forgetOld(): void {
    for (const [number, { sinceMs }] of this.#unfinished)
      if (performance.now() - sinceMs > limits.busPiecesMs) this.#unfinished.delete(number);
  }

  #add(number: number, whole: number, offset: number, bytes: Uint8Array): Uint8Array | null {
    const parcel = offset === 0 ? { bytes: new Uint8Array(whole), filled: 0, sinceMs: performance.now() } : this.#unfinished.get(number);
    if (!parcel || parcel.filled !== offset || parcel.bytes.length !== whole || offset + bytes.length > whole) {
      this.#unfinished.delete(number);
      return null;
    }
    parcel.bytes.set(bytes, offset);
    parcel.filled += bytes.length;
    if (parcel.filled < whole) this.#unfinished.set(number, parcel);
    else this.#unfinished.delete(number);
    return parcel.filled < whole ? null : parcel.bytes;
  }
}
