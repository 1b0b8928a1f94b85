import { limits } from '../limits.js';
import type { StreamServer } from './nats-stream.js';

/** What the server keeps beside the payload of a message: headers, subject, its own record. */
const MESSAGE_OVERHEAD_BYTES = 512;

/**
 * How much more the stream takes, as the server tells it now and then, less what was written here since. A part is left to what others
 * write between two looks, and to the fences of those who open their shards anew: a journal without room for a fence could not even be
 * opened.
 */
export class StreamRoom {
  #leftBytes = Infinity;
  #reserveBytes = 0;
  #usedBytes = 0;
  readonly #timer: NodeJS.Timeout | null;

  static async of(server: StreamServer): Promise<StreamRoom> {
    const room = new StreamRoom(server);
    await room.#look();
    return room;
  }

  private constructor(private readonly server: StreamServer) {
    this.#timer = server.room === undefined ? null : setInterval(() => void this.#look(), limits.streamLookMs);
    this.#timer?.unref();
  }

  /** Behind what waits to be written. */
  isEnoughFor(waitingBytes: number): boolean {
    return this.#leftBytes - this.#usedBytes - waitingBytes > this.#reserveBytes;
  }

  use(payloadBytes: number): void {
    this.#usedBytes += payloadBytes + MESSAGE_OVERHEAD_BYTES;
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** A server that does not answer now is found out by the next append. */
  async #look(): Promise<void> {
    const usedBefore = this.#usedBytes;
    const room = await this.server.room?.().catch(() => null);
    if (room == null) return;
    this.#leftBytes = room.leftBytes;
    this.#reserveBytes = Math.min(limits.streamReserveBytes, room.ofBytes * limits.streamReservePart);
    this.#usedBytes -= usedBefore;
  }
}
