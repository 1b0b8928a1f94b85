import { limits } from '../limits.js';
import type { StreamServer } from './nats-stream.js';

/** Bytes that the server keeps beside the payload of a message: headers, subject, its own record. */
const MESSAGE_OVERHEAD_BYTES = 512;

/**
 * Bytes that the stream has left, as the server reports it from time to time, less what this process has written since. A part is reserved
 * for what others write between two reports, and for the fences of processes that open their shards again: without room for a fence a
 * journal could not even be opened.
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

  /** `waitingBytes`: of what waits to be written. */
  isEnoughFor(waitingBytes: number): boolean {
    return this.#leftBytes - this.#usedBytes - waitingBytes > this.#reserveBytes;
  }

  use(payloadBytes: number): void {
    this.#usedBytes += payloadBytes + MESSAGE_OVERHEAD_BYTES;
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Where the server does not answer, the next append reports it. */
  async #look(): Promise<void> {
    const usedBefore = this.#usedBytes;
    const room = await this.server.room?.().catch(() => null);
    if (room == null) return;
    this.#leftBytes = room.leftBytes;
    this.#reserveBytes = Math.min(limits.streamReserveBytes, room.ofBytes * limits.streamReservePart);
    this.#usedBytes -= usedBefore;
  }
}
