import { LIMITS } from '../limits.js';

/** Counts the requests under way and the bytes of their bodies. */
export class Load {
  requests = 0;
  #bodyBytes = 0;
  /** Bytes by the network that sends them. */
  readonly #bytesOf = new Map<string, number>();
  #onIdle = (): void => {};

  leave(): void {
    this.requests -= 1;
    if (this.requests === 0) this.#onIdle();
  }

  /** Counts bytes of a body before they arrive; false where that exceeds the limit of the network or of all together. */
  take(network: string, bytes: number): boolean {
    const ofNetwork = (this.#bytesOf.get(network) ?? 0) + bytes;
    if (ofNetwork > LIMITS.bodyBytesOfAddress || this.#bodyBytes + bytes > LIMITS.bodyBytesInFlight) return false;
    this.#bytesOf.set(network, ofNetwork);
    this.#bodyBytes += bytes;
    return true;
  }

  /** Takes bytes off the count. */
  free(network: string, bytes: number): void {
    const left = (this.#bytesOf.get(network) ?? 0) - bytes;
    if (left > 0) this.#bytesOf.set(network, left);
    else this.#bytesOf.delete(network);
    this.#bodyBytes -= bytes;
  }

  async idleWithin(milliseconds: number): Promise<void> {
    if (this.requests === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      timer = setTimeout(resolve, milliseconds);
    });
    clearTimeout(timer);
  }
}
