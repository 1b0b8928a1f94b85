import { LIMITS } from '../limits.js';

/** What all requests together hold at the moment. */
export class Load {
  requests = 0;
  #bodyBytes = 0;
  /** Of the addresses that are sending a body. */
  readonly #bytesOf = new Map<string, number>();
  #onIdle = (): void => {};

  leave(): void {
    this.requests -= 1;
    if (this.requests === 0) this.#onIdle();
  }

  /** Counts bytes of a body before they come; false where that address, or all together, may not send so many at once. */
  take(address: string, bytes: number): boolean {
    const ofAddress = (this.#bytesOf.get(address) ?? 0) + bytes;
    if (ofAddress > LIMITS.bodyBytesOfAddress || this.#bodyBytes + bytes > LIMITS.bodyBytesInFlight) return false;
    this.#bytesOf.set(address, ofAddress);
    this.#bodyBytes += bytes;
    return true;
  }

  /** What was taken is free again. */
  free(address: string, bytes: number): void {
    const left = (this.#bytesOf.get(address) ?? 0) - bytes;
    if (left > 0) this.#bytesOf.set(address, left);
    else this.#bytesOf.delete(address);
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
