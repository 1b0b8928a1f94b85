import { limits } from '../limits.js';

/**
 * Memory outside of the heap for what goes into one transaction, used again by the next. Allocated entry by entry it makes the collector
 * believe that memory runs out: it then stops the thread with nearly each further allocation, together for a tenth of a second.
 */
export class Arena {
  readonly #pieces: Buffer[] = [];
  #piece = 0;
  #used = 0;

  /** Room for so many bytes, until `reuse`. */
  take(length: number): Buffer {
    if (length > limits.arenaPieceBytes) return Buffer.allocUnsafeSlow(length);
    if (this.#used + length > limits.arenaPieceBytes) {
      this.#piece += 1;
      this.#used = 0;
    }
    const piece = (this.#pieces[this.#piece] ??= Buffer.allocUnsafeSlow(limits.arenaPieceBytes));
    const taken = piece.subarray(this.#used, this.#used + length);
    this.#used += length;
    return taken;
  }

  /** The bytes of a text of `limits.snapshotKeyBytes` characters at most. */
  text(text: string): Buffer {
    const room = this.take(text.length * MOST_BYTES);
    const bytes = room.subarray(0, room.write(text, 'utf8'));
    this.#used -= room.length - bytes.length;
    return bytes;
  }

  /** All that was taken may be written over. */
  reuse(): void {
    this.#pieces.length = Math.min(this.#pieces.length, limits.arenaPieces);
    this.#piece = 0;
    this.#used = 0;
  }
}

/** Of a unit of a text, in UTF-8. */
const MOST_BYTES = 3;
